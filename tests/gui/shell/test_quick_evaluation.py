"""The quick evaluation from the start page: files and metrics in, tables out, kept as a study."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QPushButton

import gui
from core.manual.contents import manual_files
from core.operations import evaluate as operation
from core.operations.options import LEXICAL
from core.progress import Progress, raise_if_cancelled
from gui.shell import dialogs, window_controller
from gui.shell.evaluation.view import STOPPED, QuickEvaluationDialog

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that the dialog is given; those of the tutorial's table at first."""
    chosen = [tmp_path / "outputs.csv"]
    chosen[0].write_bytes(manual_files()["tutorial/outputs.csv"])
    monkeypatch.setattr(dialogs, "ask_evaluated_files", lambda parent: tuple(chosen))
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: tmp_path / suggested)
    monkeypatch.setattr(window_controller, "ask_where_to_save", lambda *asked: tmp_path / asked[2])
    return chosen


@pytest.fixture
def dialog(files, controller, qtbot):
    """The dialog, opened from the start page; its list of metrics is complete."""
    qtbot.mouseClick(controller.window.stack.currentWidget().evaluation_button, LEFT)
    assert isinstance(controller.dialog, QuickEvaluationDialog)
    qtbot.waitUntil(lambda: len(controller.dialog.metrics_box.list_menu.actions()) > len(LEXICAL))
    return controller.dialog


def run(dialog, qtbot):
    qtbot.mouseClick(dialog.choose_button, LEFT)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: not dialog.job.bar.isVisible(), timeout=60_000)


def test_a_table_is_evaluated_saved_and_kept_as_a_study(dialog, controller, qtbot, tmp_path):
    assert dialog.metrics_box.current == LEXICAL
    assert not dialog.accept_button.isEnabled()
    for action in dialog.metrics_box.list_menu.actions():
        if action.text() not in ("rouge-1", "chrf") and action.isChecked():
            action.trigger()
    run(dialog, qtbot)
    assert dialog.files_label.text() == "outputs.csv"
    model = dialog.table.model()
    assert [model.index(0, column).data() for column in range(3)] == [
        "rouge-1.f",
        "fuse",
        "0.559 [0.532, 0.617]",
    ]
    assert "Columns (guessed)" in dialog.notes_label.text()
    qtbot.mouseClick(dialog.parts_box.button("1"), LEFT)
    assert [model.index(0, column).data() for column in range(2)] == ["rating.quality", "rouge-1.f"]
    qtbot.mouseClick(dialog.save_button, LEFT)
    assert (tmp_path / "evaluation.csv").read_text().startswith("human,measure,value,low,high")
    qtbot.mouseClick(dialog.keep_button, LEFT)
    qtbot.waitUntil(lambda: controller.context is not None, timeout=60_000)
    assert controller.dialog is None
    study = controller.context.study
    assert study.path == tmp_path / "outputs.pyramidion"
    assert len(study.scores.configs()) == 2


def test_enter_presses_each_focused_button_of_a_dialog(dialog, qtbot, monkeypatch):
    """Also when the main button could be pressed instead."""
    qtbot.mouseClick(dialog.choose_button, LEFT)
    assert dialog.accept_button.isEnabled()
    pressed = []
    monkeypatch.setattr(QAbstractButton, "click", lambda button: pressed.append(button))
    buttons = [one for one in dialog.findChildren(QPushButton) if one.isVisible() and one.isEnabled()]
    for button in (others := [one for one in buttons if one is not dialog.accept_button]):
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert pressed == others
    assert {dialog.choose_button, dialog.metrics_box, dialog.cancel_button} <= set(pressed)


def test_all_dialogs_let_enter_press_the_focused_button():
    bases = re.compile(r"^class \w+\((?:.*, )?QDialog\):", re.MULTILINE)
    sources = Path(gui.__file__).parent.rglob("*.py")
    derived = [match[0] for file in sources for match in bases.finditer(file.read_text("utf-8"))]
    assert derived == ["class BareDialog(EnterPresses, ReadingOrder, QDialog):"], (
        "derive from BareDialog or Dialog"
    )


def test_text_files_have_no_table_of_correlations(dialog, files, qtbot, tmp_path):
    files.clear()
    for name, text in (("refs", "A dam broke.\n"), ("one", "A dam broke.\n"), ("two", "Rain.\n")):
        files.append(tmp_path / f"{name}.txt")
        files[-1].write_text(text * 6)
    run(dialog, qtbot)
    assert not dialog.parts_box.isVisible()
    assert {dialog.table.model().index(row, 1).data() for row in range(8)} == {"one", "two"}


def test_a_file_that_cannot_be_read_is_named_and_another_one_chosen(dialog, files, qtbot, tmp_path):
    good = files[0]
    files[0] = tmp_path / "empty.csv"
    files[0].write_text("")
    run(dialog, qtbot)
    assert "There are no columns" in dialog.notice.sentences[0]
    assert not dialog.keep_button.isEnabled()
    files[0] = good
    qtbot.mouseClick(dialog.choose_button, LEFT)
    assert not dialog.notice.isVisible()
    assert dialog.accept_button.isEnabled()


@pytest.mark.parametrize("closes", [False, True])
def test_stop_and_close_end_the_evaluation(dialog, controller, qtbot, monkeypatch, closes):
    begun = threading.Event()

    def slow(*_):
        begun.set()
        while True:
            raise_if_cancelled()
            yield Progress(0, 0, "scoring")
            time.sleep(0.01)

    monkeypatch.setattr(operation, "_scored", slow)
    qtbot.mouseClick(dialog.choose_button, LEFT)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(begun.is_set)
    if closes:
        dialog.reject()
    else:
        qtbot.mouseClick(dialog.job.stop_button, LEFT)
        qtbot.waitUntil(lambda: dialog.job.label.text() == STOPPED)
        assert dialog.accept_button.isEnabled()
    qtbot.waitUntil(lambda: not controller.jobs.running())
