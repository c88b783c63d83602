"""The focus returns to where it was before a command moved it."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from gui.widgets.page import TemporaryFocus


def test_the_focus_returns_also_while_another_window_is_active(shown, qtbot):
    page, text, label = QWidget(), QLineEdit(), QLineEdit()
    column = QVBoxLayout(page)
    column.addWidget(text)
    column.addWidget(label)
    shown(page)
    keyboard = TemporaryFocus(page)
    text.setFocus()
    dialog = QDialog(page)
    dialog.show()
    qtbot.waitActive(dialog)
    keyboard.move_to(label)
    dialog.close()
    page.activateWindow()
    qtbot.waitUntil(label.hasFocus)
    keyboard.restore()
    assert text.hasFocus()
