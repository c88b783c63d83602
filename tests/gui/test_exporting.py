"""Pyramids go out for DUCView from the Study menu, wherever the user is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from gui import desk as desk_module


def export(desk: Any, monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    monkeypatch.setattr(desk_module, "ask_folder", lambda parent, question: folder)
    desk._commands.action("study.export_pyramids").trigger()


def test_the_study_menu_writes_pyramids_into_a_folder(
    desk, qtbot, tmp_path, monkeypatch, sample_file
) -> None:
    path = Path(shutil.copy(sample_file, tmp_path))
    assert not desk._commands.action("study.export_pyramids").isEnabled(), "without a study there is none"
    desk.start(path)
    qtbot.waitUntil(lambda: desk.context is not None, timeout=20_000)
    export(desk, monkeypatch, None)
    export(desk, monkeypatch, tmp_path / "out")
    told = desk._window.status.sentence_label
    qtbot.waitUntil(lambda: told.text() == "out holds 54 files for DUCView.", timeout=30_000)
    assert len(list((tmp_path / "out").iterdir())) == 54


def test_a_study_without_a_pyramid_says_so(desk, qtbot, study, tmp_path, monkeypatch) -> None:
    study.close()
    desk.start(study.path)
    qtbot.waitUntil(lambda: desk.context is not None, timeout=20_000)
    export(desk, monkeypatch, tmp_path / "out")
    told = desk._window.status.sentence_label
    qtbot.waitUntil(lambda: "no pyramid with an SCU yet" in told.text(), timeout=20_000)
    assert not (tmp_path / "out").exists()
