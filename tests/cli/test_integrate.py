"""Entries of the program in the menus of desktops, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

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
