"""Logs of killed processes: recovered where they belong, set aside where they do not."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing

import pytest

from storage.study_file import backup, check, new_study, open_study
from tests.conftest import small
from tests.storage.database.other_process import copy_file, edit_and_die

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills processes as POSIX systems do"),
]

KEYS = [f"key{number}" for number in range(30)]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A study whose last process was killed, so that its log is still there; for copies."""
    path = tmp_path_factory.mktemp("killed") / "small.pyramidion"
    with new_study(path, name="Small") as study:
        study.import_data(small())
    edit_and_die(path, *KEYS)
    assert log_of(path).stat().st_size
    return path


@pytest.fixture
def killed(template, tmp_path):
    """The path of a study whose last process was killed."""
    for path in (template, log_of(template)):
        shutil.copy(path, tmp_path)
    return tmp_path / template.name


def log_of(path):
    return path.with_name(path.name + "-wal")


def aside(path):
    return list(path.parent.glob(f"{path.name}-wal-set-aside-*"))


def log_without_stamps(path, folder, *, has_stamp=False):
    """A copy of a study with a log, as a version before stamps or another tool leaves them when killed.

    has_stamp: this program wrote the study before that.
    """
    copy = folder / "old.pyramidion"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if not has_stamp:
            connection.execute("PRAGMA user_version=0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("UPDATE topics SET title='tool', query=hex(randomblob(30000))")
        shutil.copy(path, copy)
        shutil.copy(log_of(path), log_of(copy))
    return copy


def saved_in(path):
    with open_study(path) as opened:
        return [key for key in KEYS if opened.settings.get(key)]


class TestALogThatBelongs:
    def test_it_is_recovered(self, killed):
        assert saved_in(killed) == KEYS
        assert aside(killed) == []

    def test_it_is_recovered_where_both_were_copied_elsewhere(self, killed, tmp_path):
        other = tmp_path / "elsewhere" / "renamed.pyramidion"
        other.parent.mkdir()
        shutil.copy(killed, other)
        shutil.copy(log_of(killed), log_of(other))
        assert saved_in(other) == KEYS

    def test_it_is_recovered_where_part_of_it_is_in_the_file_already(self, killed):
        log = log_of(killed).read_bytes()
        with closing(sqlite3.connect(killed)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        log_of(killed).write_bytes(log)
        assert saved_in(killed) == KEYS
        assert check(killed) == []

    @pytest.mark.parametrize("has_stamp", [False, True])
    def test_it_is_recovered_where_an_older_version_or_another_tool_wrote_it(
        self, study, tmp_path, has_stamp
    ):
        study.close()
        copy = log_without_stamps(study.path, tmp_path, has_stamp=has_stamp)
        with open_study(copy) as opened:
            assert {topic.title for topic in opened.texts.topics()} == {"tool"}
        assert aside(copy) == []


class TestALogThatDoesNot:
    def test_a_new_study_in_the_place_of_a_deleted_one_does_not_get_it(self, killed):
        killed.unlink()
        with new_study(killed, "New") as made:
            made.settings.save("mine", "yes").result()
        assert check(killed) == []
        assert saved_in(killed) == []
        assert len(aside(killed)) == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("put", [shutil.copy, lambda source, target: source.replace(target)])
    def test_a_backup_that_was_copied_back_does_not_get_it(self, killed, tmp_path, put, caplog):
        copy = tmp_path / "backup.pyramidion"
        backup(killed, copy)
        with open_study(killed) as opened:
            opened.settings.save("later", "yes").result()
        edit_and_die(killed, "last")
        put(copy, killed)
        with open_study(killed) as opened:
            assert (opened.settings.get("later"), opened.settings.get("last")) == ("", "")
            assert [aside(killed)[0].name in notice for notice in opened.notices] == [True]
        assert saved_in(killed) == KEYS
        assert check(killed) == []
        assert len(aside(killed)) == 1
        assert "does not belong to this file" in caplog.text

    @pytest.mark.parametrize("is_opened", [False, True])
    def test_a_backup_of_a_state_that_the_log_led_through_does_not_get_it(self, study, tmp_path, is_opened):
        copy = tmp_path / "backup.pyramidion"
        study.settings.save("earlier", "yes").result()
        backup(study.path, copy)
        if is_opened:
            open_study(copy).close()
        log, whole = tmp_path / "log", tmp_path / "whole"
        study.settings.save("later", "yes").result()
        copy_file(log_of(study.path), log)
        study.close()
        shutil.copy(study.path, whole)
        shutil.copy(copy, study.path)
        shutil.copy(log, log_of(study.path))
        with open_study(study.path) as opened:
            assert (opened.settings.get("earlier"), opened.settings.get("later")) == ("yes", "")
        shutil.copy(whole, study.path)
        with open_study(study.path) as opened:
            assert opened.settings.get("later") == "yes"

    def test_a_later_state_of_the_same_study_does_not_get_it(self, killed, tmp_path):
        elsewhere = tmp_path / "elsewhere.pyramidion"
        shutil.copy(killed, elsewhere)  # without its log, as a synchronisation program does
        with open_study(elsewhere) as opened:
            opened.settings.save("later", "yes").result()
        shutil.copy(elsewhere, killed)
        with open_study(killed) as opened:
            assert opened.settings.get("later") == "yes"
        assert saved_in(killed) == []
        assert check(killed) == []

    def test_where_neither_has_a_stamp_it_is_tried_on_the_file(self, study, tmp_path):
        study.close()
        copy = log_without_stamps(study.path, tmp_path)
        other = tmp_path / "other.pyramidion"
        with new_study(other) as made:
            made.settings.save("mine", "yes").result()
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("PRAGMA user_version=0")
        shutil.copy(other, copy)
        with open_study(copy) as opened:
            assert opened.settings.get("mine") == "yes"
        assert check(copy) == []
        assert len(aside(copy)) == 1

    def test_a_journal_of_another_file_is_not_rolled_back_into_a_study(self, study):
        study.close()
        kept = study.path.with_name("kept")
        with closing(sqlite3.connect(study.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("PRAGMA cache_size=1")
            connection.execute("BEGIN")
            connection.execute("UPDATE edits SET details=hex(randomblob(9000))")
            connection.execute("UPDATE summaries SET content=content || hex(randomblob(90000))")
            shutil.copy(study.path.with_name(study.path.name + "-journal"), kept)
            connection.execute("ROLLBACK")
        with new_study(study.path, "New", overwrite=True) as made:
            made.settings.save("mine", "yes").result()
        shutil.copy(kept, study.path.with_name(study.path.name + "-journal"))
        with open_study(study.path) as opened:
            assert (opened.name, opened.settings.get("mine")) == ("New", "yes")
        assert check(study.path) == []
