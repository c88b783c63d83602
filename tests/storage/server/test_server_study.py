"""Studies on a PostgreSQL server: creating, opening, upgrading, permissions, other writers."""

from __future__ import annotations

import re
import socket
import struct
import threading
from contextlib import suppress
from dataclasses import replace

import numpy as np
import psycopg
import pytest
from sqlalchemy import inspect

from core.domain import pyramid
from core.errors import EditConflict, InputError, PyramidionError, StudyDamaged, StudyLost, StudyTooNew
from core.files.crash_report import write_crash_report
from core.files.study_address import parse_study_address
from core.ports import ChangeKind, MetricConfig, ScoreBlock
from storage.database import migrate, study_database
from storage.database.schema import Base
from storage.database.server import server_database, server_engine
from storage.database.server.server_engine import writing_engine
from storage.study_file import check, new_study, open_study
from tests.conftest import ROOT, small
from tests.storage.conftest import open_editor

SERVERS = ROOT / "resources" / "help" / "servers.md"


@pytest.fixture
def empty(postgres):
    """The address of an empty database."""
    return postgres.create_database()


def schema_of(address):
    """Columns, keys and indexes of every table."""
    engine = writing_engine(address)
    with engine.connect() as connection:
        found = inspect(connection)
        tables = {
            name: (
                {(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)},
                {(i["name"], tuple(i["column_names"]), i["unique"]) for i in found.get_indexes(name)},
                {(k["name"], tuple(k["constrained_columns"])) for k in found.get_foreign_keys(name)},
                {(u["name"], tuple(u["column_names"])) for u in found.get_unique_constraints(name)},
                {(c["name"], c["sqltext"]) for c in found.get_check_constraints(name)},
            )
            for name in found.get_table_names()
        }
    engine.dispose()
    return tables


def at_version(address, version):
    engine = writing_engine(address)
    with engine.begin() as connection:
        migrate.run_migrations(connection, study_database.MIGRATIONS, version)
    engine.dispose()


class TestCreate:
    def test_a_new_study_is_named_after_its_database_and_is_empty(self, empty):
        with new_study(empty) as study:
            assert (study.name, study.texts.topics(), study.path) == (empty.name, [], empty)
        with open_study(empty) as study:
            assert study.name == empty.name
            study.verify()

    def test_a_database_with_a_study_is_not_overwritten(self, server_address):
        with pytest.raises(InputError, match="contains a study already"):
            new_study(server_address, overwrite=True)
        with open_study(server_address) as study:
            assert len(study.texts.topics()) == 2

    def test_a_database_with_other_tables_is_refused(self, postgres, empty):
        postgres.execute("CREATE TABLE payroll (name text)", database=empty.name)
        with pytest.raises(InputError, match="not empty: it has a table payroll"):
            new_study(empty)

    def test_migrations_and_create_make_the_same_tables(self, postgres, empty):
        migrated = postgres.create_database()
        at_version(migrated, "head")
        server_database.create(empty)
        assert schema_of(migrated) == schema_of(empty)


class TestOpen:
    def test_a_database_without_a_study_is_refused_with_the_command_that_creates_one(self, empty):
        with pytest.raises(InputError, match=r"contains no study.* `pyramidion new"):
            open_study(empty)

    def test_a_missing_database_is_named(self, postgres):
        with pytest.raises(InputError, match='database "missing" does not exist'):
            open_study(postgres.address("missing"))

    def test_a_server_that_does_not_run_is_named(self, tmp_path):
        with pytest.raises(InputError, match=r"The server 127\.0\.0\.1:1 cannot be used"):
            open_study(parse_study_address("postgresql+psycopg://ko@127.0.0.1:1/study"))

    def test_a_study_of_a_newer_version_is_refused(self, postgres, server_address):
        postgres.execute("UPDATE alembic_version SET version_num = '9999'", database=server_address.name)
        with pytest.raises(StudyTooNew, match="newer version of Pyramidion"):
            open_study(server_address)
        assert "newer version" in check(server_address)[0]

    def test_an_older_study_is_upgraded_by_its_owner_and_by_nobody_else(self, postgres, empty):
        at_version(empty, "0003")
        other = postgres.user(
            empty, "newcomer", "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO newcomer"
        )
        with pytest.raises(InputError, match="Its manager, who owns the tables, must open it once"):
            open_study(other)
        assert "version 0003" in check(empty)[0]
        with open_study(empty) as study:
            study.import_data(small())
        with open_study(other) as study:
            assert len(study.texts.topics()) == 2

    def test_an_upgrade_that_fails_changes_nothing(self, postgres, empty, monkeypatch):
        at_version(empty, "0003")
        before = schema_of(empty)

        def fail(*arguments):
            raise StudyDamaged("table scus had 2 rows and would have 1.")

        monkeypatch.setattr(migrate, "_check", fail)
        with pytest.raises(StudyDamaged, match="The study was not changed"):
            open_study(empty)
        assert schema_of(empty) == before

    def test_faults_of_the_contents_are_listed(self, postgres, server_address):
        name = server_address.name
        assert check(server_address) == []
        first = "WHERE id = (SELECT min(id) FROM summaries)"
        postgres.execute(f"UPDATE summaries SET content = 'other' {first}", database=name)
        assert "SHA-256" in check(server_address)[0]
        postgres.execute(f"UPDATE summaries SET sentence_spans = '[5]' {first}", database=name)
        assert "sentence_spans is JSON of an unexpected shape" in check(server_address)[0]
        postgres.execute(f"UPDATE summaries SET sentence_spans = NULL {first}", database=name)
        with open_study(server_address) as study, pytest.raises(StudyDamaged, match="pg_restore"):
            study.verify()


class TestPasswords:
    def test_a_url_with_a_password_is_refused_without_repeating_it(self):
        for url in ("postgresql://ko:hunter2@host/study", "postgresql://ko@host/study?password=hunter2"):
            with pytest.raises(InputError) as refused:
                parse_study_address(url)
            assert "keyring set pyramidion" in str(refused.value)
            assert "hunter2" not in str(refused.value)

    @pytest.mark.parametrize(
        "url",
        [
            "postgresql:/ko:hunter2@host/study",
            "postgresql+psycopg:ko:hunter2@host/study",
            "postgres://ko:12/hunter2@host/study",
            "postgresql://ko:12/hunter2@host",
            "postgresql://ko:hunter2#3@host/study",
            "postgresql://ko:hunter2?3@host/study",
            "postgresql://ko:hunter2[@host/study",
            " postgresql+psycopg2://ko:hunter2@host/study",
            "mysql://ko:hunter2@host/study",
            "postgresql://ko@host/study?sslpassword=hunter2",
            "postgresql://ko@host/study?pass%77ord=hunter2",
            "postgresql://ko%3Ahunter2@host/study",
        ],
    )
    def test_mistyped_urls_with_a_password_are_refused_without_repeating_it(self, url):
        with pytest.raises(InputError) as refused:
            parse_study_address(url)
        assert "hunter2" not in str(refused.value)

    @pytest.mark.parametrize("kind", [3, 5])
    def test_a_server_that_wants_the_password_itself_gets_none(self, kind, monkeypatch):
        """kind: of PostgreSQL's request for a password, 3 = in clear text, 5 = MD5."""
        monkeypatch.setenv("PGPASSWORD", "hunter2")
        heard = []
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def answer():
                with suppress(OSError):  # until the listener is closed
                    while True:
                        serve(listener.accept()[0])

            def serve(connection):
                with suppress(ConnectionError), connection:
                    while len(asked := connection.recv(4096)) == 8:  # a request for encryption
                        connection.sendall(b"N")
                    heard.append(asked)
                    request = struct.pack("!ii", 8 + 4 * (kind == 5), kind) + b"salt" * (kind == 5)
                    connection.sendall(b"R" + request)
                    heard.append(connection.recv(4096))

            threading.Thread(target=answer, daemon=True).start()
            port = listener.getsockname()[1]
            with pytest.raises(InputError, match="so it was not sent"):
                open_study(parse_study_address(f"postgresql://ko@127.0.0.1:{port}/x?require_auth=password"))
        assert heard
        assert not any(b"hunter2" in each or b"md5" in each for each in heard)

    @pytest.fixture
    def locked(self, postgres, server_address):
        """The address of a user who needs a password."""
        address = postgres.user(
            server_address,
            "locked",
            "ALTER ROLE locked PASSWORD 'hunter2'",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked",
        )
        with postgres.password_required("locked"):
            yield address

    def test_a_missing_password_is_asked_for_with_the_places_to_store_it(self, locked, monkeypatch):
        monkeypatch.setattr(server_engine, "stored_password", lambda address: None)
        with pytest.raises(InputError, match="Set PGPASSWORD"):
            open_study(locked)

    def test_the_environment_provides_the_password(self, locked, monkeypatch):
        monkeypatch.setenv("PGPASSWORD", "hunter2")
        monkeypatch.setattr(server_engine, "stored_password", lambda address: pytest.fail("not needed"))
        with open_study(locked) as study:
            assert study.texts.topics()

    def test_the_keyring_provides_the_password(self, locked, monkeypatch, caplog):
        asked = []
        monkeypatch.setattr("keyring.get_password", lambda *name: asked.append(name) or "hunter2")
        caplog.set_level("DEBUG")
        with open_study(locked) as study:
            assert study.texts.topics()
        assert set(asked) == {("pyramidion", f"locked@{locked.host}/{locked.name}")}
        assert "hunter2" not in caplog.text

    def test_a_crash_report_of_a_failed_login_lacks_the_password(self, locked, monkeypatch, tmp_path):
        connect = psycopg.connect

        def fail_with_password(**options):
            if "password" in options:
                raise ValueError("a bug")
            return connect(**options)

        monkeypatch.setattr("keyring.get_password", lambda *name: "hunter2")
        monkeypatch.setattr("psycopg.connect", fail_with_password)
        with pytest.raises(ValueError, match="a bug") as bug:
            open_study(locked)
        report = write_crash_report(bug.value, tmp_path)
        assert "in _login" in report.read_text()
        assert "hunter2" not in report.read_text()

    def test_a_wrong_password_is_reported_without_the_password(self, locked, monkeypatch):
        monkeypatch.setattr("keyring.get_password", lambda *name: "wrong-secret")
        with pytest.raises(InputError, match="password authentication failed") as refused:
            open_study(locked)
        assert "wrong-secret" not in str(refused.value)


class TestPermissions:
    def test_a_user_who_may_only_read_opens_the_study_read_only(self, postgres, server_address):
        reader = postgres.user(
            server_address, "reader", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
        )
        with open_study(reader) as study:
            assert "open read-only: the database user reader" in study.read_only
            assert len(study.texts.topics()) == 2
            with pytest.raises(InputError, match="read-only"):
                study.settings.save("guidelines", "x").result()

    def test_a_reader_is_told_when_the_server_is_away_and_when_it_is_back(
        self, server_of_this_test, wait_until
    ):
        address = server_of_this_test.create_database()
        new_study(address).close()
        grant = "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
        with open_study(server_of_this_test.user(address, "reader", grant)) as study:
            wait_until(study.has_external_changes)  # it begins to listen
            server_of_this_test.stop()
            wait_until(lambda: "Not connected" in problem_of(study))
            with pytest.raises(StudyLost, match="Not connected"):
                study.texts.topics()
            server_of_this_test.start()
            wait_until(lambda: not problem_of(study))
            assert study.texts.topics() == []

    def test_what_a_user_may_not_change_is_refused_and_nothing_is_written(self, postgres, server_address):
        rater = postgres.user(
            server_address,
            "rater",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO rater",
            "GRANT INSERT, UPDATE ON edits, ratings TO rater",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO rater",
        )
        with open_study(server_address) as study:
            scale = study.ratings.add_dimension("coherence")
        with open_study(rater) as study:
            summary = study.texts.load().__next__().summaries[0]
            study.ratings.rate(summary.id, scale.id, study.annotators.all()[0].id, 4).result()
            with pytest.raises(InputError, match=r"rater is not allowed to do this.*Ask the manager"):
                study.ratings.add_dimension("fluency")
            assert [each.name for each in study.ratings.dimensions()] == ["coherence"]


class TestTwoWriters:
    def test_edits_of_two_annotators_on_one_topic_lose_nothing(self, server_address):
        def annotate(name):
            with open_study(server_address) as study:
                editor = open_editor(study, name)
                for number in range(15):
                    editor.apply(
                        lambda a, n=number: pyramid.add_scu(
                            a, f"{name} {n}", editor.topic.references[0].id, [(n, n + 2)]
                        )
                    )

        threads = [threading.Thread(target=annotate, args=(name,)) for name in ("Ann", "Ben")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with open_study(server_address) as study:
            scus = open_editor(study).annotation.pyramid.scus
            assert {scu.label for scu in scus} == {
                f"{name} {n}" for name in ("Ann", "Ben") for n in range(15)
            }
            assert len(scus) == 30

    def test_who_changed_a_row_in_the_meantime_is_named(self, server_address):
        with open_study(server_address) as first, open_study(server_address) as second:
            ann, ben = open_editor(first), open_editor(second, "Ben")
            ann.apply(lambda a: pyramid.add_scu(a, "ban", ann.topic.references[0].id, [(0, 9)]))
            ben.reload()
            scu = ann.annotation.pyramid.scus[0].id
            ben.apply(lambda a: pyramid.set_label(a, scu, "Ben's"), "change label")
            with pytest.raises(EditConflict, match="Ben changed this SCU by “change label”"):
                ann.apply(lambda a: pyramid.set_label(a, scu, "Ann's"))
            assert ann.reload().pyramid.scus[0].label == "Ben's"

    def test_commits_of_others_are_noticed_and_own_ones_are_not(self, server_address, wait_until):
        with open_study(server_address) as first, open_study(server_address) as second:
            wait_until(first.has_external_changes)  # it begins to listen
            first.settings.save("guidelines", "mine").result()
            second.settings.save("guidelines", "theirs").result()
            wait_until(first.has_external_changes)
            assert not first.has_external_changes()
            first.settings.save("guidelines", "mine again").result()
            second.annotators.get_or_create("Cleo")
            wait_until(first.has_external_changes)
            assert not first.has_external_changes()


class TestLostConnection:
    def test_an_edit_whose_connection_was_killed_is_stored_once(self, postgres, server_address):
        with open_study(server_address) as study:
            seen = []
            study.subscribe(lambda changes: seen.append(changes.kinds))
            for number in range(3):
                assert postgres.kill_connections(server_address.name)
                study.settings.save("guidelines", f"edit {number}").result()
            assert study.settings.get("guidelines") == "edit 2"
            assert [e.verb for e in study.edits.history()].count("set guidelines") == 3
            assert seen == [frozenset({ChangeKind.SETTINGS})] * 3

    def test_a_connection_that_is_killed_during_its_login_counts_as_lost(
        self, postgres, server_address, monkeypatch
    ):
        connect, kills = psycopg.connect, []

        def connect_and_kill(**options):
            connection = connect(**options)
            if kills:
                kills.pop()
                postgres.kill_connections(server_address.name)
            return connection

        monkeypatch.setattr("psycopg.connect", connect_and_kill)
        with open_study(server_address) as study:
            postgres.kill_connections(server_address.name)
            kills.append(True)
            study.settings.save("guidelines", "stored").result()
            postgres.kill_connections(server_address.name)
            kills.append(True)
            with pytest.raises(StudyLost, match="cannot be used: its administrator ended the connection"):
                study.settings.get("guidelines")
            assert study.settings.get("guidelines") == "stored"

    def test_an_edit_before_closing_is_stored_though_the_idle_connection_was_killed(
        self, postgres, server_address
    ):
        with open_study(server_address) as study:
            study._writer.session.give_up()  # as closing does while the edit is queued
            assert postgres.kill_connections(server_address.name)
            study.settings.save("guidelines", "the last edit").result()
        with open_study(server_address) as study:
            assert study.settings.get("guidelines") == "the last edit"

    @pytest.mark.parametrize("is_stored", [True, False])
    def test_a_commit_without_an_answer_is_acknowledged_if_it_was_stored_and_repeated_if_not(
        self, postgres, server_address, is_stored
    ):
        with open_study(server_address) as study:
            session, cut = study._writer.session, []
            commit = session._engine.dialect.do_commit

            def lose_the_answer(connection):
                if cut:
                    return commit(connection)
                cut.append(True)
                if is_stored:
                    connection.commit()
                postgres.kill_connections(server_address.name)
                return commit(connection) if not is_stored else connection.execute("SELECT 1")

            session._engine.dialect.do_commit = lose_the_answer
            study.settings.save("guidelines", "once").result()
            assert cut
            assert [e.verb for e in study.edits.history()].count("set guidelines") == 1
            assert study.settings.get("guidelines") == "once"

    def test_edits_wait_for_a_server_that_is_away_and_are_stored_when_it_is_back(
        self, server_of_this_test, wait_until
    ):
        address = server_of_this_test.create_database()
        with new_study(address) as study:
            wait_until(study.has_external_changes)
            server_of_this_test.stop()
            waiting = [study.settings.save("guidelines", str(number)) for number in range(3)]
            wait_until(lambda: "3 edits are waiting" in problem_of(study))
            assert not any(write.done() for write in waiting)
            server_of_this_test.start()
            assert [write.result().verb for write in waiting] == ["set guidelines"] * 3
            wait_until(lambda: not problem_of(study))
            assert study.settings.get("guidelines") == "2"

    def test_an_edit_fails_when_its_patience_ends_and_closing_reports_what_was_not_saved(
        self, server_of_this_test
    ):
        address = server_of_this_test.create_database()
        new_study(address).close()
        study = open_study(address, patience=0.0)
        server_of_this_test.stop()
        write = study.settings.save("guidelines", "lost")
        with pytest.raises(PyramidionError, match="The last edit was not saved"):
            write.result()
        with pytest.raises(PyramidionError, match=r"1 edit of .* could not be saved"):
            study.close()
        server_of_this_test.start()
        with open_study(address) as again:
            assert again.settings.get("guidelines") == ""


def problem_of(study):
    """What the study reports about its connection, empty = nothing."""
    try:
        study.has_external_changes()
    except PyramidionError as error:
        return str(error)
    return ""


class TestRoles:
    def test_the_help_names_who_may_write_each_table(self):
        manual = SERVERS.read_text(encoding="utf-8")
        grants = re.findall(r"GRANT ([^;]*?) ON ([^;]*?) TO study_\w+;", manual)
        granted = {
            table
            for rights, tables in grants
            if re.search("INSERT|UPDATE|DELETE", rights)
            for table in re.split(r",\s*", tables)
        }
        listed = re.search(r"nobody else writes the tables\s([^.]*)\.", manual)
        managers = set(re.findall(r"`(\w+)`", listed[1]))
        assert not granted & managers
        missing = set(Base.metadata.tables) - granted - managers
        assert not missing, (
            "grant the table to a role in resources/help/servers.md, or name it as the manager's"
        )
        assert granted | managers == set(Base.metadata.tables)

    def test_the_help_grants_every_sequence(self, postgres, server_address):
        rows = postgres.execute("SELECT sequencename FROM pg_sequences", database=server_address.name)
        granted = re.findall(r"GRANT USAGE ON SEQUENCE (\w+) TO", SERVERS.read_text(encoding="utf-8"))
        assert {name for (name,) in rows} == set(granted)

    @pytest.fixture
    def team(self, postgres, server_address):
        """The study with the roles of the help, and the addresses of an annotator and a researcher."""
        manual = SERVERS.read_text(encoding="utf-8")
        roles, login = re.findall(r"```sql\n(.*?)```", manual, re.DOTALL)
        postgres.execute(roles, login, database=server_address.name)
        yield (
            postgres.address(server_address.name, "ko"),
            postgres.user(server_address, "li", "GRANT study_researcher TO li"),
        )
        left = ("ko", "study_researcher", "study_adjudicator", "study_annotator", "study_reader")
        postgres.execute(*(f"DROP OWNED BY {role}" for role in left), database=server_address.name)
        postgres.execute(*(f"DROP ROLE {role}" for role in left), database=server_address.name)

    def test_the_roles_of_the_help_allow_their_work_and_nothing_else(self, team, server_address):
        with open_study(server_address) as study:
            scale = study.ratings.add_dimension("coherence")
        annotator, researcher = team
        with open_study(annotator) as study:
            ko = open_editor(study, "Ko", "Ko")
            ko.apply(lambda a: pyramid.add_scu(a, "ban", ko.topic.references[0].id, [(0, 9)]))
            scu = ko.annotation.pyramid.scus[0].id
            summary = ko.topic.summaries[0].id
            ko.apply(lambda a: pyramid.add_match(a, summary, ko.annotator_id, scu, [(0, 9)]))
            ko.apply(lambda a: pyramid.set_summary_state(a, summary, ko.annotator_id, is_done=True))
            ko.apply(lambda a: pyramid.remove_scu(a, scu))
            for _ in range(2):
                ko.undo()
            ko.redo()
            study.ratings.rate(summary, scale.id, ko.annotator_id, 4).result()
            for refused in (
                lambda: study.settings.save("guidelines", "x").result(),
                lambda: study.ratings.add_dimension("fluency"),
                lambda: study.import_data(replace(small(), is_update=True, topics=changed_topics())),
                lambda: study.scores.save(MetricConfig("s", "m", "f", "m", ("m",)), block(ko.topic)).result(),
            ):
                with pytest.raises(InputError, match="ko is not allowed"):
                    refused()
        with open_study(researcher) as study:
            assert not study.read_only
            study.settings.save("guidelines", "Mark clauses.").result()
            study.scores.save(MetricConfig("s", "m", "f", "m", ("m",)), block(ko.topic)).result()
            study.scores.remove("s").result()
            with pytest.raises(InputError, match="li is not allowed"):
                study.ratings.add_dimension("fluency")


def changed_topics():
    """The topics of the small study with other titles."""
    return tuple(replace(topic, title="other") for topic in small().topics)


def block(topic):
    """Scores of a topic's summaries."""
    names = tuple(text.name for text in topic.summaries)
    return ScoreBlock(topic.id, names, ("A",), np.ones((len(names), 1)), None, "hash", 0.1)
