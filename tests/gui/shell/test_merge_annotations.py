"""Study › Merge annotations…, through the real window."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from core.domain.import_batch import ImportContent, NewText, NewTopic
from gui.shell import exchange
from gui.shell.exchange import MergeDialog
from gui.widgets.dialog import MessageDialog
from storage.study_file import new_study
from tests.cli.test_merge import annotate, labels


@pytest.fixture
def opened(controller, qtbot, small_file, tmp_path) -> tuple[Path, Path]:
    """An open study, and the path of a copy in which Ko annotated."""
    main, copy = tmp_path / "main.pyramidion", tmp_path / "ko.pyramidion"
    for path in (main, copy):
        shutil.copyfile(small_file, path)
    annotate(copy, "Ko", "verdict")
    controller.start(main)
    qtbot.waitUntil(lambda: controller.context is not None)
    return main, copy


def ask_to_merge(controller, qtbot, monkeypatch, *paths: Path):
    """Choose files to merge; returns the dialog that follows."""
    monkeypatch.setattr(exchange, "ask_files", lambda *_: list(paths))
    before = controller.dialog
    controller.commands.action("study.merge").trigger()
    qtbot.waitUntil(lambda: controller.dialog is not before and controller.dialog is not None)
    return controller.dialog


def texts(dialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_annotations_are_merged_after_their_effect_was_shown(controller, qtbot, opened, monkeypatch) -> None:
    main, copy = opened
    dialog = ask_to_merge(controller, qtbot, monkeypatch, copy)
    assert isinstance(dialog, MergeDialog)
    assert "Ko: 1 topic added" in texts(dialog)
    with qtbot.waitSignal(controller.context.changes.changed) as changed:
        qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert changed.args[0].is_external, "open pages read again"
    sentence = controller.window.status.sentence_label
    qtbot.waitUntil(lambda: sentence.text() == "Merged the annotations of Ko: 1 topic added.")
    assert labels(main) == {"Ko": ["verdict"]}
    dialog = ask_to_merge(controller, qtbot, monkeypatch, copy)
    assert isinstance(dialog, MessageDialog)
    assert "already has these annotations" in texts(dialog)


def test_a_cancelled_merge_changes_nothing(controller, qtbot, opened, monkeypatch) -> None:
    main, copy = opened
    dialog = ask_to_merge(controller, qtbot, monkeypatch, copy)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert labels(main) == {}


def test_conflicts_are_announced(controller, qtbot, opened, monkeypatch, tmp_path, small_file) -> None:
    _, copy = opened
    other = tmp_path / "other.pyramidion"
    shutil.copyfile(small_file, other)
    annotate(other, "Ko", "appeal")
    dialog = ask_to_merge(controller, qtbot, monkeypatch, copy, other)
    assert "1 topic in conflict" in texts(dialog)
    assert "the other as Ko (conflict " in texts(dialog)


def test_other_texts_are_refused_with_the_differences(
    controller, qtbot, opened, monkeypatch, tmp_path
) -> None:
    main, _ = opened
    other = tmp_path / "other.pyramidion"
    with new_study(other) as study:
        topic = NewTopic("D1", references={"A": NewText("Another text.")}, summaries={})
        study.import_data(ImportContent("other", topics=[topic]))
    annotate(other, "Ko", "verdict")
    dialog = ask_to_merge(controller, qtbot, monkeypatch, other)
    assert "cannot be merged" in texts(dialog)
    assert "topic D1, reference A: The text is another one here." in texts(dialog)
    assert labels(main) == {}


def test_annotations_are_exported_from_the_menu(controller, qtbot, opened, monkeypatch, tmp_path) -> None:
    from gui.shell import window_controller

    _, copy = opened
    controller.open_path(copy)
    qtbot.waitUntil(lambda: controller.context is not None and controller.context.study.path == copy)
    monkeypatch.setattr(window_controller, "ask_where_to_save", lambda *_: tmp_path / "ko.pack")
    controller.commands.action("study.export_annotations").trigger()
    sentence = controller.window.status.sentence_label
    qtbot.waitUntil(lambda: sentence.text() == "ko.pack holds all annotations of this study.")
    assert "verdict" in (tmp_path / "ko.pack").read_text("utf-8")
