"""Announcements for screen readers: messages, positions, pages, commands of the palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QTextCursor

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
