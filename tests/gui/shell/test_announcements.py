"""Announcements for screen readers: messages, positions, pages, commands of the palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import QApplication

from core.progress import Progress
from gui.shell import status_line
from gui.shell.status_line import StatusLine
from gui.widgets import accessible
from tests.gui.program import Program


@pytest.fixture
def spoken(monkeypatch) -> list[str]:
    """Return the list to which announcements are added."""
    sentences: list[str] = []

    class Recorder(QAccessible):
        @staticmethod
        def updateAccessibility(event) -> None:
            sentences.append(event.message())

    monkeypatch.setattr(accessible, "QAccessible", Recorder)
    return sentences


def test_messages_pages_positions_and_commands_are_announced(qapp, qtbot, tmp_path, study, spoken) -> None:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    program.show("matches")
    assert "Pyramids: Match" in spoken
    spoken.clear()
    program.context.commands.action("match.next_summary").trigger()
    assert any(sentence.startswith("Summary 2 of ") for sentence in spoken)
    program.context.commands.action("topic.next").trigger()
    assert any(sentence.startswith("Topic 2 of ") for sentence in spoken)
    program.context.show_message("Nothing was matched.")
    assert spoken[-1] == "Nothing was matched."
    program.context.commands.action("view.palette").trigger()
    spoken.clear()
    program.press(Qt.Key.Key_Down)
    assert len(spoken) == 1
    assert "›" in spoken[0]
    spoken.clear()
    program.qtbot.keyClicks(QApplication.focusWidget(), "nex")
    program.wait(lambda: bool(spoken))
    assert len(spoken) <= 3, "one for each letter"
    assert "ex" in spoken[-1].lower()


def test_units_at_the_caret_and_the_selected_scu_are_announced(qapp, qtbot, tmp_path, study, spoken) -> None:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    program.make_scu(4, 9)
    (label,) = program.labels()
    text = program.page.references.sections[0].text
    text.setFocus()
    text.moveCursor(QTextCursor.MoveOperation.Start)
    spoken.clear()
    for _ in range(5):
        program.press(Qt.Key.Key_Right)
    unit = f"{label}, weight 1"
    assert spoken == [unit]
    program.press(Qt.Key.Key_F12)
    assert spoken[-1] == unit
    for _ in range(6):
        program.press(Qt.Key.Key_Right)
    assert spoken[-1] == f"End of {unit}"
    spoken.clear()
    program.context.selection.select(scu_id="")
    program.press(Qt.Key.Key_J)
    assert spoken == [f"{unit}, in A"]
    spoken.clear()
    text.setFocus()
    text.select_spans([(18, 24)])
    spoken.clear()
    program.press(Qt.Key.Key_P)
    program.settle()
    assert any(sentence.startswith(f"{label}: ") for sentence in spoken), "the words of the other part"


def test_metrics_are_chosen_and_searched_audibly(qapp, qtbot, tmp_path, study, spoken) -> None:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    program.show("score")
    metrics = program.page.metrics
    program.wait(lambda: bool(metrics.metrics.rows()))
    metrics.setFocus()
    metrics.choose(metrics.metrics.rows()[0].key)
    name = metrics.metrics.rows()[0].name
    assert metrics.currentIndex().flags() & Qt.ItemFlag.ItemIsUserCheckable
    spoken.clear()
    program.press(Qt.Key.Key_Space)
    program.press(Qt.Key.Key_Space)
    said = [sentence.split(":")[0] for sentence in spoken if sentence.startswith(name)]
    assert said == [f"{name}, chosen", f"{name}, not chosen"]
    program.press(Qt.Key.Key_Slash)
    qtbot.keyClicks(QApplication.focusWidget(), "rouge-1")
    assert "No results." not in spoken
    program.press(Qt.Key.Key_Down)
    assert QApplication.focusWidget() is metrics
    assert metrics.current_key is not None
    program.press(Qt.Key.Key_Slash)
    qtbot.keyClicks(QApplication.focusWidget(), "no such metric")
    assert spoken[-1] == "No results."
    program.controller.close()


def test_the_begin_and_the_end_of_a_job_that_lasts_are_announced_once(shown, spoken, monkeypatch) -> None:
    monkeypatch.setattr(status_line, "ANNOUNCED_AFTER_MS", 0)
    line = shown(StatusLine())
    for done in range(4):
        line.show_job("Reading scores", Progress(0, 0))  # two jobs by turns
        line.show_job("Scoring", Progress(done, 4))
    line.show_no_job()
    line.show_no_job()
    assert spoken == ["Reading scores", "Scoring", "Scoring: ended."]


def test_every_page_is_announced_once_when_it_is_shown(qapp, qtbot, tmp_path, study, spoken) -> None:
    study.flush()
    program = Program(qapp, qtbot, tmp_path)
    program.open(study.path)
    keys = program.window.page_keys
    for key in (*keys[1:], keys[0]):
        spoken.clear()
        program.show(key)
        assert spoken.count(program.page.accessibleName()) == 1, key
    program.controller.close()
