"""An open study whose locks are dropped, or whose files another program takes away."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, nullcontext

import pytest

from core.errors import InputError, StudyLost
from storage.formats import import_registry
from storage.study_file import backup, check, new_study, open_study
from tests.conftest import ROOT
from tests.storage.database.other_process import (
    another_tool,
    copy_file,
    drop_locks,
    edit_and_die,
    kill,
    score,
    writing_on,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform == "win32", reason="locks belong to handles on Windows, and open files cannot be moved"
    ),
]


def save(study, *keys):
    """Save settings and return the keys, which are then acknowledged."""
    for key in keys:
        study.settings.save(key, "saved").result()
    return keys


def missing(path, keys):
    """Acknowledged settings that are not in a study."""
    with open_study(path) as opened:
        return [key for key in keys if not opened.settings.get(key)]


def rescued(folder):
    (copy,) = folder.glob("*(rescued *).pyramidion")
    return copy


@pytest.fixture
def without_locks(monkeypatch):
    """A file system that does not know the locks of open files."""
    fcntl = pytest.importorskip("fcntl")
    real = fcntl.fcntl

    def refuse(handle, command, *arguments):
        if command in (36, 37, 90, 92):  # F_OFD_GETLK and F_OFD_SETLK of Linux and of macOS
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return real(handle, command, *arguments)

    monkeypatch.setattr(fcntl, "fcntl", refuse)


class TestDroppedLocks:
    @pytest.mark.slow
    def test_sixty_edits_survive_two_scoring_runs_of_another_process(self, study):
        saved = []
        for part in range(3):
            if part:
                drop_locks(study.path)
                score(study.path, f"rouge-n:n={part}")
            saved += save(study, *(f"{part}.{number}" for number in range(20)))
        assert study.has_external_changes()
        study.close()
        assert check(study.path) == []
        assert (len(saved), missing(study.path, saved)) == (60, [])
        with open_study(study.path) as opened:
            assert len(opened.scores.configs()) == 2
        assert [file.name for file in study.path.parent.iterdir()] == [study.path.name]

    @pytest.mark.slow
    def test_a_killed_process_loses_nothing_whichever_it_is(self, study):
        saved = []
        for number in range(2):
            drop_locks(study.path)
            with writing_on(study.path, f"other{number}.") as other:
                saved += [other.stdout.readline().strip() for _ in range(5)]
                saved += save(study, f"before{number}")
                drop_locks(study.path)
                saved += kill(other)
            saved += save(study, f"after{number}")
            drop_locks(study.path)
            edit_and_die(study.path, f"dead{number}")
            saved.append(f"dead{number}")
        study.close()
        assert check(study.path) == []
        assert missing(study.path, saved) == []

    @pytest.mark.slow
    def test_two_windows_on_one_study_keep_each_others_edits(self, study):
        saved = list(save(study, "first"))
        with open_study(study.path) as second:
            drop_locks(study.path)
            saved += save(second, "second")
            saved += save(study, "third")
            drop_locks(study.path)
        edit_and_die(study.path, "fourth")
        saved += ["fourth", *save(study, "fifth")]
        study.close()
        assert check(study.path) == []
        assert missing(study.path, saved) == []

    def test_no_other_program_with_sqlite_deletes_the_log(self, study):
        save(study, "first")
        log = study.path.with_name(study.path.name + "-wal")
        before = log.stat().st_ino
        drop_locks(study.path)
        with another_tool(study.path):
            drop_locks(study.path)
        assert log.stat().st_ino == before

    @pytest.mark.slow
    def test_a_study_that_is_open_is_not_replaced_by_a_new_one(self, study):
        drop_locks(study.path)
        code = (
            "import sys; from pathlib import Path; from storage.study_file import new_study\n"
            "new_study(Path(sys.argv[1]), overwrite=True)"
        )
        words = [sys.executable, "-c", code, study.path]
        ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert "in use by another program" in ended.stderr
        assert len(study.texts.topics()) == 2


class TestOpeningItsFiles:
    def test_python_code_cannot_open_them_while_the_study_is_open(self, study):
        for ending in ("", "-wal", "-shm"):
            file = study.path.with_name(study.path.name + ending)
            with pytest.raises(InputError, match="belongs to a study that is open"):
                file.read_bytes()
        study.close()
        assert study.path.read_bytes()

    @pytest.mark.parametrize("name", ["summeval", "sacrerouge", "table", "ducview", "rouge-settings"])
    def test_no_import_reads_them(self, study, name):
        same = study.path.with_name("D1.pyr")
        same.hardlink_to(study.path)
        with pytest.raises(InputError, match="belongs to a study that is open"):
            import_registry.read(same, name)

    def test_an_import_of_a_folder_with_the_study_in_it_leaves_the_log_alone(self, study):
        folder = study.path.with_name("references")
        folder.mkdir()
        (folder / "D1.A").hardlink_to(study.path)
        with pytest.raises(InputError, match="belongs to a study that is open"):
            import_registry.read(folder.parent, "folders")


class TestFilesThatAreGone:
    @pytest.mark.parametrize("endings", [["-wal"], ["-shm"], ["-wal", "-shm"]])
    def test_a_deleted_log_loses_nothing_and_is_reported(self, study, endings):
        saved = save(study, "first", "second")
        for ending in endings:
            study.path.with_name(study.path.name + ending).unlink()
        with pytest.raises(StudyLost, match="deleted or replaced") as caught:
            save(study, "third")
        assert caught.value.rescued == rescued(study.path.parent)
        with pytest.raises(StudyLost, match="deleted or replaced"):
            study.has_external_changes()
        study.close()
        assert missing(study.path, saved) == []
        assert missing(rescued(study.path.parent), saved) == []
        assert check(study.path) == []

    @pytest.mark.slow
    def test_a_deleted_log_stops_other_processes_until_the_study_is_closed(self, study):
        saved = list(save(study, "first"))
        study.path.with_name(study.path.name + "-wal").unlink()
        code = (
            "import sys; from pathlib import Path; from storage.study_file import open_study\n"
            "open_study(Path(sys.argv[1]))"
        )
        words = [sys.executable, "-c", code, study.path]
        ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert "was deleted while another program has" in ended.stderr
        with pytest.raises(StudyLost):
            save(study, "second")
        study.close()
        assert missing(study.path, saved) == []

    def test_a_study_with_a_log_of_others_is_not_overwritten_by_the_old_log(self, study):
        saved = save(study, "first")
        for ending in ("-wal", "-shm"):
            study.path.with_name(study.path.name + ending).unlink()
        with another_tool(study.path):  # makes another log
            with pytest.raises(StudyLost):
                save(study, "second")
            study.close()
        assert missing(rescued(study.path.parent), saved) == []
        assert check(study.path) == []

    def test_a_study_that_is_replaced_is_rescued_and_the_new_file_stays_as_it_is(self, study, tmp_path):
        other = tmp_path / "other" / study.path.name
        other.parent.mkdir()
        with new_study(other, "Other") as made:
            save(made, "theirs")
        saved = save(study, "first")
        other.replace(study.path)
        with pytest.raises(StudyLost, match="somebody replaced it") as caught:
            save(study, "second")
        assert "-wal-set-aside-" in str(caught.value)
        study.close()
        assert missing(rescued(study.path.parent), saved) == []
        assert check(study.path) == []
        with open_study(study.path) as opened:
            assert (opened.name, opened.settings.get("theirs"), opened.settings.get("first")) == (
                "Other",
                "saved",
                "",
            )

    @pytest.mark.slow
    def test_a_study_that_is_replaced_and_opened_elsewhere_at_once_is_not_mixed(self, study, tmp_path):
        saved = save(study, "first")
        copy = tmp_path / "copy.pyramidion"
        backup(study.path, copy)
        save(study, "second")
        copy.replace(study.path)
        edit_and_die(study.path, "elsewhere")
        with pytest.raises(StudyLost):
            save(study, "third")
        study.close()
        assert missing(rescued(study.path.parent), ["first", "second"]) == []
        assert check(study.path) == []
        assert missing(study.path, [*saved, "elsewhere"]) == []

    @pytest.mark.slow
    @pytest.mark.parametrize("how", ["a write", "a look", "closing"])
    def test_a_backup_copied_over_an_open_study_stays_as_it_is(self, study, tmp_path, how):
        save(study, "first")
        copy = tmp_path / "copy.pyramidion"
        backup(study.path, copy)
        save(study, *(f"{number}" for number in range(20)))
        copy_file(copy, study.path)
        if how == "a write":
            with pytest.raises(StudyLost, match="wrote other content"):
                save(study, "second")
        elif how == "a look":
            study.has_external_changes()
            with pytest.raises(StudyLost, match="wrote other content"):
                study.flush()
        with pytest.raises(StudyLost, match="wrote other content") if how == "closing" else nullcontext():
            study.close()
        assert check(study.path) == []
        assert missing(study.path, ["first", "0"]) == ["0"]

    @pytest.mark.slow
    @pytest.mark.parametrize("how", ["a write", "closing"])
    def test_a_study_copied_with_its_log_over_an_open_study_stays_as_it_is(self, study, tmp_path, how):
        log = study.path.with_name(f"{study.path.name}-wal")
        save(study, "first")
        for file in (study.path, log):
            copy_file(file, tmp_path / f"copy of {file.name}")
        save(study, *(f"{number}" for number in range(20)))
        for file in (study.path, log):
            copy_file(tmp_path / f"copy of {file.name}", file)
        if how == "a write":
            with pytest.raises(StudyLost, match=f"wrote other content into {log.name}"):
                save(study, "second")
        with pytest.raises(StudyLost, match="wrote other content") if how == "closing" else nullcontext():
            study.close()
        assert check(study.path) == []
        assert missing(study.path, ["first", "0"]) == ["0"]

    @pytest.mark.parametrize("how", ["a write", "a look", "closing"])
    def test_a_study_that_is_cut_off_behind_its_first_page_stops_writing_at_once(self, tmp_path, how):
        path = tmp_path / "a.pyramidion"
        with new_study(path) as opened:
            opened.settings.save("long", "word " * 20_000).result()
        opened = open_study(path)
        save(opened, "first")
        os.truncate(path, 4096)
        if how == "a look":
            opened.has_external_changes()
        act = {"a write": lambda: save(opened, "second"), "a look": opened.flush, "closing": opened.close}
        with pytest.raises(StudyLost, match=r"cut off the end of a\.pyramidion"):
            act[how]()
        opened.close()

    def test_a_study_that_another_tool_shrinks_is_not_taken_for_one_that_was_cut_off(self, study):
        study.settings.save("long", "word " * 200_000).result()
        study.settings.save("long", "").result()
        drop_locks(study.path)
        with closing(sqlite3.connect(study.path, isolation_level=None)) as tool:
            tool.execute("VACUUM")
            before = study.path.stat().st_size
            tool.execute("PRAGMA wal_checkpoint(PASSIVE)")
            assert study.path.stat().st_size < before
            saved = save(study, "first")
            saved = [*saved, *save(study, "second")]
        study.close()
        assert missing(study.path, saved) == []

    @pytest.mark.parametrize("left", [0.5, 0])
    def test_a_log_that_is_cut_off_stops_writing_and_leaves_the_study_sound(self, study, left):
        log = study.path.with_name(f"{study.path.name}-wal")
        save(study, *(f"{number}" for number in range(20)))
        os.truncate(log, int(left * log.stat().st_size))
        with pytest.raises(StudyLost, match=f"wrote other content into {log.name}"):
            save(study, "after")
        study.close()
        assert check(study.path) == []
        assert missing(study.path, ["after", *(["0"] if left else [])]) == ["after"]

    @pytest.mark.parametrize("how", ["deleted", "replaced", "log deleted"])
    def test_a_loss_that_only_closing_discovers_is_reported_once(self, study, tmp_path, how):
        saved = save(study, "first")
        if how == "replaced":
            copy = tmp_path / "copy.pyramidion"
            backup(study.path, copy)
            copy.replace(study.path)
        else:
            study.path.with_name(study.path.name + ("" if how == "deleted" else "-wal")).unlink()
        with pytest.raises(StudyLost) as caught:
            study.close()
        assert caught.value.rescued == rescued(study.path.parent)
        assert str(caught.value.rescued) in str(caught.value)
        assert missing(caught.value.rescued, saved) == []
        study.close()
        with pytest.raises(InputError, match="closed"):
            save(study, "second")

    def test_a_look_that_nobody_waited_for_does_not_hide_a_loss_from_closing(self, study):
        save(study, "first")
        study.path.unlink()
        study.has_external_changes()
        with pytest.raises(StudyLost):
            study.close()

    def test_a_loss_on_closing_does_not_hide_a_bug(self, tmp_path, caplog):
        def fail():
            with new_study(tmp_path / "a.pyramidion") as opened:
                save(opened, "first")
                opened.path.unlink()
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert str(rescued(tmp_path)) in caplog.text

    @pytest.mark.slow
    def test_moving_the_log_into_the_file_is_not_taken_for_another_program(self, study):
        for part in range(3):
            study.settings.save(f"long{part}", "word " * 500_000).result()
            assert not study.has_external_changes()
        saved = save(study, "first")
        edit_and_die(study.path, *(f"other{number}" for number in range(20)))
        assert study.has_external_changes()
        saved = [*saved, "other19", *save(study, "second")]
        study.close()
        assert missing(study.path, saved) == []

    def test_a_folder_that_is_gone_leaves_the_rescue_copy_with_the_user(self, tmp_path, monkeypatch):
        home, folder = tmp_path / "home", tmp_path / "folder"
        monkeypatch.setattr("storage.user_folders.rescue_folder", lambda: home)
        folder.mkdir()
        with new_study(folder / "a.pyramidion") as opened:
            saved = save(opened, "first")
            shutil.rmtree(folder)
            with pytest.raises(StudyLost, match="no longer in"):
                save(opened, "second")
        assert missing(rescued(home), saved) == []


class TestWithoutLocks:
    def test_a_study_opens_and_is_saved_all_the_same(self, tmp_path, without_locks, caplog):
        with new_study(tmp_path / "a.pyramidion") as study:
            saved = save(study, "first")
            assert ["in one program at a time" in notice for notice in study.notices] == [True]
        assert "in one program at a time" in caplog.text
        assert missing(study.path, saved) == []
        assert [file.name for file in tmp_path.iterdir()] == ["a.pyramidion"]

    @pytest.mark.slow
    def test_a_log_that_another_program_deleted_is_not_moved_into_its_file(self, tmp_path, without_locks):
        with new_study(tmp_path / "a.pyramidion") as study:
            saved = save(study, "first")
            drop_locks(study.path)
            with another_tool(study.path):
                pass
            edit_and_die(study.path, "elsewhere")
            with pytest.raises(StudyLost):
                save(study, "second")
        assert check(study.path) == []
        assert missing(study.path, [*saved, "elsewhere"]) == []
