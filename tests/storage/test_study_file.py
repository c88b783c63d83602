"""The study as a file, and two programs on it at once."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from core.domain import pyramid
from core.errors import EditConflict, InputError, StudyDamaged
from core.ports import Study
from storage import user_folders
from storage.database import file_guard, file_session, study_database
from storage.database.engine import StudyDialect
from storage.repositories import texts
from storage.repositories.repository import read
from storage.study_file import StudyFile, backup, check, new_study, open_study
from tests.conftest import ROOT, small
from tests.storage.conftest import dump, open_editor


class TestMaking:
    def test_a_new_study_is_one_sound_file(self, tmp_path):
        path = tmp_path / "new.pyramidion"
        with new_study(path) as study:
            assert (study.name, study.path, study.texts.topics()) == ("new", path, [])
        assert [file.name for file in tmp_path.iterdir()] == ["new.pyramidion"]
        assert check(path) == []
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA application_id").fetchone() == (0x50595244,)

    def test_a_file_in_the_way_stays_unless_it_may_go(self, study):
        study.close()
        before = dump(study.path)
        with pytest.raises(InputError, match="exists already"):
            new_study(study.path)
        assert dump(study.path) == before
        with new_study(study.path, "Other", overwrite=True) as other:
            assert (other.name, other.texts.topics()) == ("Other", [])
        assert check(study.path) == []

    def test_a_study_that_is_open_is_not_overwritten(self, study):
        with pytest.raises(InputError, match="in use by another program"):
            new_study(study.path, overwrite=True)
        assert len(study.texts.topics()) == 2

    def test_a_missing_folder_is_named(self, tmp_path):
        with pytest.raises(InputError, match=r"nowhere does not exist"):
            new_study(tmp_path / "nowhere" / "a.pyramidion")

    def test_study_file_is_what_the_rest_of_the_program_asks_for(self, study):
        asked: Study = study
        assert asked.name == "Small"


class TestOpening:
    def test_a_missing_file_is_refused(self, tmp_path):
        with pytest.raises(InputError, match="There is no study at"):
            open_study(tmp_path / "none.pyramidion")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("content", [b"", b"Dear diary, " * 400, b"SQLite format 3\x00" + bytes(4080)])
    def test_what_is_no_study_is_refused_and_left_alone(self, content, tmp_path):
        path = tmp_path / "a.pyramidion"
        path.write_bytes(content)
        with pytest.raises((InputError, StudyDamaged), match=r"not a Pyramidion study|is damaged"):
            open_study(path)
        assert path.read_bytes() == content

    def test_another_programs_database_is_refused_and_left_alone(self, tmp_path):
        path = tmp_path / "a.pyramidion"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE t (a)")
        before = path.read_bytes()
        with pytest.raises(InputError, match="not a Pyramidion study"):
            open_study(path)
        assert path.read_bytes() == before

    def test_everything_is_there_after_closing(self, full_study):
        with open_study(full_study) as study:
            (annotation,) = study.pyramids.annotations()
            assert [len(c.parts) for c in annotation.pyramid.scus[0].contributors] == [2, 1]
            assert study.settings.get("guidelines") == "Mark whole clauses."
            assert study.settings.get("unknown", "nothing") == "nothing"
            assert len(study.edits.history()) == 10
            assert study.edits.undo_labels(study.annotators.get_or_create("Ann").id) == ("rate coherence", "")

    def test_closing_twice_is_harmless_and_writing_then_is_refused(self, study):
        study.close()
        study.close()
        assert not study.has_external_changes()
        with pytest.raises(InputError, match="study is closed"):
            study.settings.save("a", "b")

    def test_a_closed_study_cannot_be_read(self, study):
        study.texts.topics()
        study.close()
        with pytest.raises(InputError, match=r"small\.pyramidion is closed\. Open it again to read it"):
            study.texts.topics()

    def test_a_read_that_outlasts_closing_releases_the_file(self, study, monkeypatch):
        reading, closed, heads = threading.Event(), threading.Event(), texts.heads

        def slow(connection):
            reading.set()
            assert closed.wait(60)
            return heads(connection)

        monkeypatch.setattr(texts.Texts, "topics", read(slow))
        with ThreadPoolExecutor(1) as threads:
            topics = threads.submit(study.texts.topics)
            assert reading.wait(60)
            study.close()
            with file_guard.alone(study.path) as is_alone:
                assert not is_alone, "the read still has the file open"
            closed.set()
            assert len(topics.result()) == 2
        with file_guard.alone(study.path) as is_alone:
            assert is_alone

    def test_settings_are_listed_by_how_their_keys_begin(self, study):
        for key in ("model_b", "model_a", "modelx", "other"):
            study.settings.save(key, key).result()
        assert study.settings.keys("model_") == ["model_a", "model_b"]

    def test_settings_are_edits_but_of_nobodys_undo(self, study):
        ann = study.annotators.get_or_create("Ann")
        study.settings.save("guidelines", "one").result()
        study.settings.save("guidelines", "two").result()
        assert study.settings.save("guidelines", "two").result().edit_id == ""
        assert [record.verb for record in study.edits.history(limit=2)] == ["set guidelines"] * 2
        with pytest.raises(InputError, match="Nothing to undo"):
            study.edits.undo(ann.id).result()

    @pytest.mark.slow
    def test_many_threads_may_read_while_one_writes(self, study):
        editor = open_editor(study)

        def read(_):
            topics = list(study.texts.load())
            return len(topics), len(study.pyramids.annotation(editor.topic.id, editor.owner_id).pyramid.scus)

        with ThreadPoolExecutor(6) as pool:
            found = pool.map(read, range(60))
            for number in range(20):
                editor.apply(
                    lambda a, n=number: pyramid.add_scu(a, str(n), editor.topic.references[0].id, [(0, 3)])
                )
            counts = list(found)
        assert {topics for topics, _ in counts} == {2}
        assert max(scus for _, scus in counts) <= 20


class TestBackup:
    def test_an_open_study_is_copied_whole(self, study, tmp_path):
        target = tmp_path / "kept" / "copy.pyramidion"
        backup(study.path, target)
        assert dump(target) == dump(study.path)
        assert [file.name for file in target.parent.iterdir()] == ["copy.pyramidion"]
        with open_study(target) as copy:
            assert len(copy.texts.topics()) == 2

    def test_it_overwrites_nothing(self, study):
        with pytest.raises(InputError, match="exists already"):
            backup(study.path, study.path)


class TestChecking:
    def change(self, path, *statements):
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def test_a_sound_study_has_no_faults(self, full_study):
        assert check(full_study) == []

    @pytest.mark.parametrize(
        ("statement", "fault"),
        [
            (
                "UPDATE \"references\" SET content = content || '!' WHERE author = 'A'",
                "does not match its SHA-256",
            ),
            ('UPDATE match_parts SET "end" = 9999', "ends at 9999, but its text has"),
            ("UPDATE scus SET is_deleted = 1", "3 rows of contributors belong to removed rows of scus"),
            ("UPDATE scores SET block = x'00'", "The scores of m|version:1 are damaged"),
            ("DELETE FROM systems WHERE name = 'bad'", "of summaries has lost its row of systems"),
        ],
    )
    def test_each_fault_is_reported(self, statement, fault, full_study):
        self.change(full_study, statement)
        assert any(fault in problem for problem in check(full_study))

    def test_a_file_with_broken_pages_is_reported_and_not_opened_blindly(self, full_study):
        content = bytearray(full_study.read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        full_study.write_bytes(content)
        assert "is damaged" in check(full_study)[0]
        with pytest.raises(StudyDamaged, match=r"malformed.*pyramidion restore"):
            open_study(full_study)

    def test_a_page_that_breaks_is_reported_in_a_sentence_wherever_it_is_read(self, full_study):
        damage_table(full_study, "summaries")
        with open_study(full_study) as opened:
            with pytest.raises(StudyDamaged, match="Restore a backup"):
                list(opened.texts.load())
            assert opened.texts.topics()

    def test_a_page_that_breaks_under_a_write_is_reported_in_a_sentence(self, full_study):
        damage_table(full_study, "settings")
        with open_study(full_study) as opened, pytest.raises(StudyDamaged, match="was not saved"):
            opened.settings.save("a", "b").result()

    @pytest.mark.parametrize(
        ("statement", "fault"),
        [
            ("UPDATE summaries SET content = CAST(x'ff41' AS TEXT)", "is damaged"),
            ("UPDATE summaries SET sentence_spans = '[[0,'", "is damaged"),
        ],
    )
    def test_rows_that_cannot_be_read_are_a_fault(self, statement, fault, full_study):
        self.change(full_study, statement)
        assert fault in check(full_study)[0]
        with open_study(full_study) as opened, pytest.raises(StudyDamaged, match=fault):
            list(opened.texts.load())

    def test_scores_that_are_damaged_count_as_not_scored(self, full_study):
        self.change(full_study, "UPDATE scores SET block = x'00'")
        with open_study(full_study) as opened:
            (config,) = opened.scores.configs()
            assert opened.scores.input_hashes(config.signature) == {}
            with pytest.raises(StudyDamaged, match="Score again"):
                opened.scores.blocks(config.signature)


def damage_table(path, name):
    """Overwrite a table's root page with what is no page of a table."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xee" * size
    path.write_bytes(content)


OTHER = """
import sys
from pathlib import Path
from core.domain import pyramid
from core.errors import EditConflict
from storage.study_file import open_study
with open_study(Path(sys.argv[1])) as study:
    head = study.texts.topics()[0]
    ben, ann = study.annotators.get_or_create("Ben"), study.annotators.get_or_create("Ann")
    reference = study.texts.topic(head.id).references[0].id
    for line in sys.stdin:
        seen = study.pyramids.annotation(head.id, ann.id)
        verb, _, label = line.strip().partition(" ")
        if verb == "add":
            after = pyramid.add_scu(seen, label, reference, [(0, 3)])
        elif verb == "rename":
            after = pyramid.set_label(seen, seen.pyramid.scus[0].id, label)
        if verb != "list":
            study.pyramids.commit(seen, after, verb, ben.id).result()
        print([scu.label for scu in study.pyramids.annotation(head.id, ann.id).pyramid.scus], flush=True)
"""


@pytest.fixture
def other(study):
    """Another program with the study open; gives it a line, returns its answer."""
    command = [sys.executable, "-c", OTHER, str(study.path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:

        def ask(line):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield ask
        process.stdin.close()
        assert process.wait(600) == 0


class TestTwoPrograms:
    @pytest.mark.slow
    def test_each_sees_the_others_commits_and_knows_its_own(self, study, ann, other):
        ann.apply(lambda a: pyramid.add_scu(a, "mine", ann.topic.references[0].id, [(0, 3)]))
        assert not study.has_external_changes()
        assert other("list") == "['mine']"
        assert other("add theirs") == "['mine', 'theirs']"
        assert study.has_external_changes()
        assert not study.has_external_changes()
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["mine", "theirs"]
        ann.apply(lambda a: pyramid.set_label(a, a.pyramid.scus[0].id, "ours"))
        assert not study.has_external_changes()

    @pytest.mark.slow
    def test_an_edit_by_the_other_before_ones_own_is_noticed_still(self, study, ann, other):
        other("add theirs")
        ann.apply(lambda a: pyramid.add_scu(a, "mine", ann.topic.references[0].id, [(0, 3)]))
        assert study.has_external_changes()

    @pytest.mark.slow
    def test_their_edits_of_one_row_conflict(self, study, ann, other):
        ann.apply(lambda a: pyramid.add_scu(a, "mine", ann.topic.references[0].id, [(0, 3)]))
        other("rename theirs")
        with pytest.raises(EditConflict, match="Ben changed this SCU by “rename”"):
            ann.apply(lambda a: pyramid.set_label(a, a.pyramid.scus[0].id, "mine again"))


class TestPaths:
    def test_folders_are_the_programs_own(self, monkeypatch):
        for name in ("PYRAMIDION_CONFIG", "PYRAMIDION_CACHE"):
            monkeypatch.delenv(name, raising=False)
        for folder in (
            user_folders.config_folder(),
            user_folders.cache_folder(),
            user_folders.reports_folder(),
        ):
            assert "pyramidion" in folder.parts


def test_a_study_for_which_there_is_no_space_leaves_nothing_behind(tmp_path, monkeypatch):
    def run_out_of_space(path):
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).touch()
        raise OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(study_database, "_make_tables", run_out_of_space)
    with pytest.raises(InputError, match="Free some space"):
        new_study(tmp_path / "a.pyramidion")
    assert list(tmp_path.iterdir()) == []


def test_a_study_on_a_disk_that_became_read_only_closes_in_peace(study, monkeypatch):
    asked = []

    def refuse(watch, pragma):
        asked.append(pragma)
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(file_session._Watch, "_pragma", refuse)
    study.close()
    assert asked == ["wal_checkpoint(PASSIVE)"]


@pytest.mark.slow
def test_opening_a_study_imports_nothing_heavy(study):
    script = (
        "import sys; from pathlib import Path; from storage.study_file import open_study\n"
        f"open_study(Path({str(study.path)!r})).close()\n"
        "heavy = {'alembic', 'torch', 'transformers', 'matplotlib', 'scipy', 'numba', 'PySide6'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_a_study_keeps_its_texts_after_a_round_trip_through_the_file(study):
    with closing(sqlite3.connect(study.path)) as connection:
        found = dict(
            connection.execute("SELECT author, content FROM \"references\" WHERE content LIKE '%🌉%'")
        )
    assert found == {"B": small().topics[0].references["B"].content}
    assert isinstance(study, StudyFile)
    assert study_database.version_of(study.path) == study_database.versions()[-1]


def test_a_second_study_compiles_no_statement_again(small_file, tmp_path, monkeypatch):
    def compiler(*_, **__):
        raise AssertionError("a statement is compiled again")

    for number in range(2):
        path = Path(shutil.copyfile(small_file, tmp_path / f"{number}.pyramidion"))
        with open_study(path) as study:
            study.annotators.get_or_create("Ann", "expert")
            assert [topic.name for topic in study.texts.load()] == ["D1", "D2"]
        monkeypatch.setattr(StudyDialect, "statement_compiler", compiler)
