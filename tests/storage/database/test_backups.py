"""Backups: made while the study is open, verified, rotated, restored."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from core.errors import InputError, StudyDamaged
from core.files.backups import BackupKind
from core.progress import run_to_completion
from storage.database import backups, study_database
from storage.study_file import check, new_study, open_study
from tests.conftest import ROOT
from tests.storage.conftest import dump
from tests.storage.database.other_process import copy_file

pytestmark = pytest.mark.slow


def make_backup(path, number=10, folder=None):
    return run_to_completion(backups.back_up(path, number, folder))


def change(path, value):
    with open_study(path) as study:
        study.settings.save("guidelines", value).result()


def guidelines(path):
    with open_study(path) as study:
        return study.settings.get("guidelines")


def page_damage(path):
    """Overwrite every page after the first, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


def abandoned(folder):
    """Files that look like what a killed backup leaves: one of this program, one of another, both old."""
    folder.mkdir(exist_ok=True)
    own, foreign = folder / f".{'0a' * 16}.partial", folder / ".film.partial"
    for file in (own, foreign):
        file.write_text("half")
        os.utime(file, (0, 0))
    return own, foreign


class TestMaking:
    def test_a_backup_of_an_open_study_holds_every_row(self, study):
        made = make_backup(study.path)
        assert made.parent == study.path.parent / study_database.BACKUPS
        assert dump(made) == dump(study.path)
        assert check(made) == []

    def test_a_backup_is_one_file(self, full_study):
        make_backup(full_study)
        assert len(list((full_study.parent / study_database.BACKUPS).iterdir())) == 1

    def test_edits_are_written_while_a_backup_is_copied(self, study):
        study.settings.save("guidelines", "before").result()
        steps = backups.back_up(study.path)
        next(steps)
        study.settings.save("guidelines", "during").result(timeout=10)
        made = run_to_completion(steps)
        assert made is not None
        assert study.settings.get("guidelines") == "during"

    def test_the_copy_is_one_snapshot_whatever_is_written_meanwhile(self, study, monkeypatch):
        """Each step of the copy is followed by an edit; a copy that began again each time would never end."""
        monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 5)
        written = []

        def edit():
            if len(written) < 30:
                written.append(study.settings.save("guidelines", f"edit {len(written)}").result(timeout=10))

        monkeypatch.setattr(backups, "raise_if_cancelled", edit)
        made = make_backup(study.path)
        assert len(written) > 3
        assert check(made) == []

    def test_identical_content_is_not_backed_up_twice(self, full_study):
        assert make_backup(full_study) is not None
        assert make_backup(full_study) is None
        change(full_study, "something new")
        assert make_backup(full_study) is not None
        assert len(backups.list_backups(full_study)) == 2

    def test_no_backups_are_made_where_their_number_is_0(self, full_study):
        assert make_backup(full_study, number=0) is None
        assert backups.list_backups(full_study) == []

    def test_a_damaged_study_is_not_backed_up_and_no_good_backup_is_lost(self, full_study):
        good = make_backup(full_study, number=1)
        page_damage(full_study)
        with pytest.raises(StudyDamaged, match="damaged"):
            make_backup(full_study, number=1)
        assert [backup.path for backup in backups.list_backups(full_study)] == [good]
        assert [path.name for path in good.parent.iterdir()] == [good.name]

    def test_a_row_without_its_parent_is_no_good_backup(self, full_study):
        with closing(sqlite3.connect(full_study)) as connection, connection:
            connection.execute("DELETE FROM topics")
        with pytest.raises(StudyDamaged, match="has lost its row"):
            make_backup(full_study)

    def test_a_folder_that_cannot_be_written_gives_a_sentence(self, full_study, tmp_path):
        (tmp_path / "taken").write_text("a file")
        with pytest.raises(InputError, match="taken"):
            make_backup(full_study, folder=tmp_path / "taken")

    def test_a_backup_that_is_stopped_leaves_nothing(self, full_study):
        steps = backups.back_up(full_study)
        next(steps)
        next(steps)
        steps.close()
        assert list((full_study.parent / study_database.BACKUPS).iterdir()) == []

    def test_a_backup_that_does_not_fit_on_the_disk_leaves_nothing(self, full_study):
        program = (
            "import resource, sys; from pathlib import Path; from storage.database import backups\n"
            "from core.errors import InputError; from core.progress import run_to_completion\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))\n"
            "try: run_to_completion(backups.back_up(Path(sys.argv[1])))\n"
            "except InputError as error: print(error)\n"
        )
        ended = subprocess.run(
            [sys.executable, "-c", program, str(full_study)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
        )
        assert "cannot be written" in ended.stdout
        assert list((full_study.parent / study_database.BACKUPS).iterdir()) == []

    def test_only_own_files_of_killed_backups_are_deleted(self, full_study, tmp_path):
        own, foreign = abandoned(tmp_path / "user's own")
        make_backup(full_study, folder=own.parent)
        assert (own.exists(), foreign.exists()) == (False, True)


class TestRotation:
    def test_the_oldest_automatic_backups_go(self, full_study):
        made = []
        for number in range(4):
            change(full_study, f"version {number}")
            made.append(make_backup(full_study, number=2))
        assert [backup.path for backup in backups.list_backups(full_study)] == [made[3], made[2]]

    def test_a_clock_that_was_ahead_costs_no_later_backup(self, full_study):
        for number in range(2):
            change(full_study, f"ahead {number}")
            made = make_backup(full_study)
            made.rename(made.with_name(re.sub(r"-\d{4}(\d{4}-\d{6}-\d{6})", r"-2999\1", made.name)))
        change(full_study, "now")
        latest = make_backup(full_study, number=2)
        assert len(backups.list_backups(full_study)) == 2
        assert backups.newest_good(full_study).path == latest

    def test_backups_before_upgrades_stay(self, full_study):
        before_upgrade = (
            full_study.parent
            / study_database.BACKUPS
            / f"{full_study.stem}-0002-20260101-120000-000000.pyramidion"
        )
        study_database.backup(full_study, before_upgrade)
        for number in range(3):
            change(full_study, f"version {number}")
            make_backup(full_study, number=1)
        assert [backup.kind for backup in backups.list_backups(full_study)] == [
            BackupKind.AUTOMATIC,
            BackupKind.MIGRATION,
        ]

    def test_studies_of_one_name_share_a_folder_without_deleting_each_others_backups(
        self, full_study, tmp_path
    ):
        shared, other = tmp_path / "shared", tmp_path / "elsewhere" / full_study.name
        other.parent.mkdir()
        shutil.copy(full_study, other)
        change(other, "another study")
        first, second = make_backup(full_study, 1, shared), make_backup(other, 1, shared)
        assert first.exists()
        assert second.exists()
        assert [backup.path for backup in backups.list_backups(other, shared)] == [second]

    def test_backups_move_with_the_folder_of_their_study(self, full_study, tmp_path):
        make_backup(full_study)
        moved = tmp_path / "moved"
        moved.mkdir()
        shutil.move(full_study, moved / full_study.name)
        shutil.move(full_study.parent / study_database.BACKUPS, moved / study_database.BACKUPS)
        assert len(backups.list_backups(moved / full_study.name)) == 1

    def test_a_study_whose_name_begins_like_another_has_its_own_backups(self, full_study):
        longer = full_study.with_name(f"{full_study.stem}-auto.pyramidion")
        shutil.copy(full_study, longer)
        make_backup(longer)
        assert backups.list_backups(full_study) == []
        assert len(backups.list_backups(longer)) == 1

    def test_a_name_of_the_greatest_length_can_be_backed_up(self, tmp_path):
        path = tmp_path / ("ü" * 95 + ".pyramidion")
        new_study(path).close()
        made = make_backup(path)
        assert [backup.path for backup in backups.list_backups(path)] == [made]


class TestRestoring:
    def test_a_restore_can_be_undone(self, full_study):
        change(full_study, "first")
        first = make_backup(full_study)
        change(full_study, "second")
        done = run_to_completion(backups.restore(full_study, first))
        assert guidelines(full_study) == "first"
        run_to_completion(backups.restore(full_study, done.saved))
        assert guidelines(full_study) == "second"

    def test_what_a_killed_restore_left_next_to_the_study_is_deleted(self, full_study):
        own, foreign = abandoned(full_study.parent)
        run_to_completion(backups.restore(full_study, make_backup(full_study)))
        assert (own.exists(), foreign.exists()) == (False, True)

    def test_edits_that_are_still_in_the_log_are_saved_too(self, study):
        first = make_backup(study.path)
        study.settings.save("guidelines", "in the log").result()
        copy = study.path.parent / "killed" / study.path.name
        copy.parent.mkdir()
        for suffix in ("", "-wal", "-shm"):
            copy_file(f"{study.path}{suffix}", f"{copy}{suffix}")
        done = run_to_completion(backups.restore(copy, first))
        assert guidelines(copy) == ""
        assert guidelines(done.saved) == "in the log"

    @pytest.mark.parametrize("how", ["pages", "header", "empty", "missing"])
    def test_a_damaged_or_missing_study_is_restored(self, full_study, how):
        before = dump(full_study)
        good = make_backup(full_study)
        if how == "pages":
            page_damage(full_study)
        elif how == "header":
            full_study.write_bytes(b"nothing of a database" * 100)
        elif how == "empty":
            full_study.write_bytes(b"")
        else:
            full_study.unlink()
        left = full_study.read_bytes() if full_study.exists() else None
        done = run_to_completion(backups.restore(full_study, good))
        assert dump(full_study) == before
        assert check(full_study) == []
        assert (done.saved.read_bytes() if done.saved else None) == left

    def test_a_log_that_was_left_is_not_applied_to_the_restored_study(self, study):
        good = make_backup(study.path)
        place = study.path.parent / "killed"
        place.mkdir()
        for number in range(20):
            study.settings.save("guidelines", f"edit {number}").result()
        copy_file(f"{study.path}-wal", place / f"{study.path.name}-wal")
        done = run_to_completion(backups.restore(place / study.path.name, good))
        assert check(place / study.path.name) == []
        assert guidelines(place / study.path.name) == ""
        assert done.saved.name.endswith("-wal")

    def test_a_damaged_backup_replaces_nothing(self, full_study):
        bad = make_backup(full_study)
        page_damage(bad)
        before = full_study.read_bytes()
        names = f"{bad.name} cannot be restored to {full_study.name}"
        with pytest.raises(StudyDamaged, match=names) as caught:
            run_to_completion(backups.restore(full_study, bad))
        assert "Restore an older backup: `pyramidion restore" in str(caught.value)
        assert full_study.read_bytes() == before

    def test_a_changed_letter_in_a_backup_is_damage(self, full_study):
        change(full_study, "GUIDELINES OF THIS STUDY")
        bad, before = make_backup(full_study), full_study.read_bytes()
        content = bad.read_bytes()
        bad.write_bytes(content.replace(b"GUIDELINES OF THIS STUDY", b"GUIDELINES OF THAT STUDY"))
        assert bad.read_bytes() != content
        assert "differs from the backup that was written" in backups.content_of(bad).problem
        assert backups.newest_good(full_study) is None
        with pytest.raises(StudyDamaged, match="differs from the backup that was written"):
            run_to_completion(backups.restore(full_study, bad))
        assert full_study.read_bytes() == before

    def test_a_backup_that_was_only_opened_can_still_be_restored(self, full_study):
        made = make_backup(full_study)
        with open_study(made) as opened:
            assert opened.texts.topics()
        assert backups.content_of(made).problem == ""
        run_to_completion(backups.restore(full_study, made))
        assert check(full_study) == []

    def test_a_backup_without_a_digest_in_its_name_is_listed_and_restored(self, full_study):
        made = make_backup(full_study)
        older = made.rename(made.with_name(re.sub(r"-[0-9a-f]{16}(?=\.)", "", made.name)))
        assert older.name != made.name
        (listed,) = backups.list_backups(full_study)
        assert (listed.path, backups.content_of(older).problem) == (older, "")
        assert backups.study_of(older) == full_study
        change(full_study, "later")
        run_to_completion(backups.restore(full_study, older))
        assert guidelines(full_study) != "later"

    def test_no_edit_is_saved_between_the_copy_and_the_replacement(self, full_study, monkeypatch):
        first, rotate = make_backup(full_study), backups._rotate
        refused = []

        def edit_meanwhile(*arguments):
            program = (
                "import storage.database.engine; storage.database.engine.BUSY_SECONDS = 0\n"
                "import sys; from pathlib import Path; from storage.study_file import open_study\n"
                "open_study(Path(sys.argv[1])).settings.save('guidelines', 'lost').result()"
            )
            words = [sys.executable, "-c", program, str(full_study)]
            refused.append(subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode)
            rotate(*arguments)

        monkeypatch.setattr(backups, "_rotate", edit_meanwhile)
        run_to_completion(backups.restore(full_study, first))
        assert refused == [1]

    def test_a_file_that_is_no_study_replaces_nothing(self, full_study, tmp_path):
        (tmp_path / "notes.txt").write_text("some text")
        with pytest.raises(InputError, match="not a Pyramidion study"):
            run_to_completion(backups.restore(full_study, tmp_path / "notes.txt"))

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX locks")
    def test_a_study_that_this_process_has_open_is_not_replaced_and_keeps_its_locks(self, full_study):
        good = make_backup(full_study)
        is_locked = (
            "import fcntl, sys\n"
            "with open(sys.argv[1], 'r+b') as file:\n"
            "    try:\n"
            "        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 512, 0x40000000)\n"
            "    except BlockingIOError:\n"
            "        print('locked')\n"
        )
        with open_study(full_study) as study:
            study.settings.save("guidelines", "open").result()
            with pytest.raises(InputError, match="is open in another program or window"):
                run_to_completion(backups.restore(full_study, good))
            command = [sys.executable, "-c", is_locked, str(full_study)]
            assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "locked\n"
            assert study.settings.get("guidelines") == "open"

    def test_a_study_that_another_process_has_open_is_not_replaced(self, full_study):
        good = make_backup(full_study)
        change(full_study, "newer")
        program = (
            "import sys; from pathlib import Path; from storage.study_file import open_study\n"
            "study = open_study(Path(sys.argv[1])); study.texts.topics()\n"
            "print('open', flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program, str(full_study)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout.readline() == "open\n"
            with pytest.raises(InputError, match="open in another program"):
                run_to_completion(backups.restore(full_study, good))
            other.stdin.close()
        assert guidelines(full_study) == "newer"


def test_a_backup_is_described_by_what_it_holds(full_study):
    content = backups.content_of(make_backup(full_study))
    assert (content.topics, content.annotations, content.problem) == (2, 5, "")
    assert content.edits > 3
