"""Enter presses the button that had the focus, and only that one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget

from gui.widgets.buttons import EnterPresses
from gui.widgets.dialog import BareDialog


class Window(EnterPresses, QMainWindow):
    """A window like the main one."""


@pytest.fixture(params=[Window, BareDialog])
def parts(request, shown, qtbot):
    window = request.param()
    inner = QWidget()
    field, button = QLineEdit(inner), QPushButton("Done", inner)
    column = QVBoxLayout(inner)
    column.addWidget(field)
    column.addWidget(button)
    if isinstance(window, QDialog):
        QVBoxLayout(window).addWidget(inner)
    else:
        window.setCentralWidget(inner)
    button.setAutoDefault(False)
    shown(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    pressed = []
    button.clicked.connect(lambda: pressed.append("Done"))
    yield field, button, pressed
    window.close()


def test_enter_presses_the_focused_button(parts, qtbot) -> None:
    _, button, pressed = parts
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["Done"]


def test_enter_in_a_field_that_moves_the_focus_to_a_button_does_not_press_it(parts, qtbot) -> None:
    field, button, pressed = parts
    field.returnPressed.connect(button.setFocus)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert button.hasFocus()
    assert pressed == []
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["Done"]


def test_a_dialog_over_the_window_sends_nothing_to_what_is_in_it(shown) -> None:
    class Inner(QWidget):
        def event(self, event: QEvent) -> bool:
            seen.append(event.type())
            return super().event(event)

    window, seen = Window(), []
    window.setCentralWidget(Inner())
    shown(window)
    dialog = BareDialog(window)
    seen.clear()
    dialog.open()
    assert QApplication.activeModalWidget() is dialog
    dialog.close()
    assert QEvent.Type.WindowBlocked not in seen
    assert QEvent.Type.WindowUnblocked not in seen
    window.close()
