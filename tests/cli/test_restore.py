"""`pyramidion restore`, and backups as other commands report them."""

from __future__ import annotations

import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE
from core.files.backups import BackupKind
from core.progress import run_to_completion as run_steps
from storage.database import backups
from storage.study_file import open_study


@pytest.fixture
def backed_up(sample_file, tmp_path):
    """A study with one backup, changed after it was made."""
    path = tmp_path / "s.pyramidion"
    shutil.copy(sample_file, path)
    run_steps(backups.back_up(path))
    with open_study(path) as study:
        study.settings.save("guidelines", "newer than the backup").result()
    return path


def guidelines(path):
    with open_study(path) as study:
        return study.settings.get("guidelines")


def test_backups_are_listed_with_what_they_hold(run, backed_up):
    code, out, _ = run("restore", backed_up, "--json")
    (row,) = json.loads(out)["backups"]
    assert code == DONE
    assert (row["kind"], row["topics"], row["problem"]) == ("auto", 8, "")
    assert row["edits"] > 0
    assert row["annotations"] > 100
    assert "verified" in run("restore", backed_up, "--list")[1]


@pytest.mark.parametrize("name", ["1", "latest"])
def test_a_backup_is_restored_and_the_present_file_saved(run, backed_up, name):
    before = guidelines(backed_up)
    code, out, _ = run("restore", backed_up, name, "--json")
    assert code == DONE
    assert guidelines(backed_up) != before
    assert run("restore", backed_up, json.loads(out)["saved"])[0] == DONE
    assert guidelines(backed_up) == before


def test_latest_after_a_restore_is_not_the_copy_that_the_restore_made(run, backed_up):
    before = guidelines(backed_up)
    for _ in range(2):
        assert run("restore", backed_up, "latest")[0] == DONE
        assert guidelines(backed_up) != before


def test_latest_without_an_automatic_backup_names_the_list(run, backed_up):
    assert run("restore", backed_up, "1")[0] == DONE
    for backup in backups.list_backups(backed_up):
        if backup.kind is BackupKind.AUTOMATIC:
            backup.path.unlink()
    code, _, err = run("restore", backed_up, "latest")
    assert code == BAD_INPUT
    assert "There is no automatic backup" in err


def test_a_damaged_study_names_the_command_that_restores_it(run, backed_up):
    with backed_up.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40960)
    code, _, err = run("report", backed_up, "-o", backed_up.parent / "r.html")
    assert code == BAD_INPUT
    assert f"pyramidion restore {backed_up}" in err
    assert run("restore", backed_up, "latest")[0] == DONE
    assert run("validate", backed_up)[0] == DONE


def test_a_name_that_is_no_backup_gives_a_sentence(run, backed_up):
    code, _, err = run("restore", backed_up, "7")
    assert code == BAD_INPUT
    assert "number from 1 to 1" in err


def test_a_study_without_backups_lists_where_they_would_be(run, tmp_path):
    code, _, err = run("restore", tmp_path / "none.pyramidion")
    assert code == DONE
    assert str(tmp_path / "backups") in err


def test_validate_shows_the_last_backup(run, backed_up):
    assert "Last backup: 20" in run("validate", backed_up)[2]


def test_an_import_backs_the_study_up_first(run, backed_up, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("topic,system,text\nnew,s1,A short text.\n")
    assert run("import", backed_up, table)[0] == DONE
    assert run("restore", backed_up, "1")[0] == DONE
    with open_study(backed_up) as study:
        assert "new" not in {head.name for head in study.texts.topics()}


def test_settings_of_the_window_hold_for_commands(run, backed_up, tmp_path, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "config" / "settings.json").write_text(json.dumps({"backup_folder": str(elsewhere)}))
    table = tmp_path / "t.csv"
    table.write_text("topic,system,text\nnew,s1,A short text.\n")
    assert run("import", backed_up, table)[0] == DONE
    assert len(list(elsewhere.iterdir())) == 1
