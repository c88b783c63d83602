"""Keys of one letter, which text fields take for themselves."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from gui.commands.registry import Commands

Field = QLineEdit | QPlainTextEdit | QTextEdit


def press_in_both(
    commands: Commands, qtbot: Any, key: Qt.Key, field: Field, rest: QWidget
) -> tuple[str, int, int]:
    """Press the key of New SCU in a field, then in a widget that takes no text.

    What the field then says, and how often the command had been done after each press.
    """
    window = QWidget()
    box = QVBoxLayout(window)
    for widget in (field, rest):
        box.addWidget(widget)
    qtbot.addWidget(window)
    done: list[None] = []
    commands.bind("pyramid.new_scu", lambda: done.append(None), "pyramids")
    commands.set_page("pyramids")
    window.addAction(commands.action("pyramid.new_scu"))
    window.show()
    window.activateWindow()
    qtbot.waitExposed(window)
    counts = []
    for widget in (field, rest):
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        qtbot.keyClick(widget, key)
        counts.append(len(done))
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText(), counts[0], counts[1]
