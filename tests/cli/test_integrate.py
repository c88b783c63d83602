"""Entries of the program in the menus of desktops, on the command line."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.app import command_line
from cli.command_pages import man_page
from storage.desktop_entries import data_folder


@pytest.mark.parametrize("options", [(), ("--remove",)])
def test_a_folder_that_cannot_be_changed_is_reported(run, tmp_path, monkeypatch, options):
    monkeypatch.setattr("sys.platform", "linux")
    if options:
        (tmp_path / "applications" / "pyramidion.desktop").mkdir(parents=True)
    else:
        (tmp_path / "applications").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, _, said = run("integrate", *options)
    assert code == 1
    assert str(tmp_path) in said
    assert "bug" not in said


def test_a_relative_folder_of_data_is_not_used(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    assert data_folder() == Path.home() / ".local" / "share"


@pytest.mark.parametrize(
    ("mounted", "is_own"), [(Path(sys.executable).resolve().parents[1], True), ("/tmp/.mount_x", False)]
)
def test_a_program_in_one_file_is_started_by_that_file(run, tmp_path, monkeypatch, mounted, is_own):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("APPIMAGE", "/opt/pyramidion.AppImage")  # or a terminal's
    monkeypatch.setenv("APPDIR", str(mounted))
    assert run("integrate")[0] == 0
    entry = (tmp_path / "applications" / "pyramidion.desktop").read_text("utf-8").splitlines()
    assert ('Exec="/opt/pyramidion.AppImage" %f' in entry) == is_own


def test_a_study_is_opened_without_importing_anything_from_its_folder(run, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("APPIMAGE", raising=False)
    assert run("integrate")[0] == 0
    entry = (tmp_path / "applications" / "pyramidion.desktop").read_text("utf-8")
    (line,) = (one for one in entry.splitlines() if one.startswith("Exec="))
    words = shlex.split(line.removeprefix("Exec=").removesuffix(" %f"))
    study = tmp_path / "unpacked"
    study.mkdir()
    for name in ("pyramidion", "core", "cli", "re", "json"):
        (study / f"{name}.py").write_text("open('ran', 'w')")
    shown = subprocess.run([*words, "--version"], cwd=study, capture_output=True, text=True, check=True)
    assert shown.stdout
    assert not (study / "ran").exists()


def test_the_page_for_man_comes_and_goes_with_the_entries(run, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")  # the desktop's own programs keep caches
    page = tmp_path / "man" / "man1" / "pyramidion.1"
    assert run("integrate")[0] == 0
    assert page.read_text("utf-8") == man_page()
    run("integrate", "--remove")
    assert not page.exists()


def test_the_page_for_man_has_every_command_with_its_options():
    text = man_page()
    sections = re.split(r"^\.SS ", text, flags=re.MULTILINE)[1:]
    found: dict[str, str] = {}
    for part in sections:  # the first is the command, those that follow are its own commands
        found.setdefault(part.partition(" ")[0].strip('"'), part)
    for name, command in command_line().commands.items():
        for one in command.params:
            for flag in one.opts if one.param_type_name == "option" else ():
                assert flag.replace("-", r"\-") in found[name], f"{name} {flag}"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed: apt install groff")
def test_the_page_for_man_is_read_without_a_warning(tmp_path):
    (tmp_path / "pyramidion.1").write_text(man_page(), encoding="utf-8")
    command = ["groff", "-man", "-ww", "-K", "utf8", "-T", "utf8", str(tmp_path / "pyramidion.1")]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    words = re.sub("\x1b\\[[0-9;]*m|.\b", "", shown.stdout).split()
    assert "pyramidion - annotate, score, compare and report" in " ".join(words)
