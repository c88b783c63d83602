"""All dialogs in the real window: names, keyboard, visible focus, clipped text, their end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QDialog, QWidget

from gui.widgets.reading_order import reading_order
from tests.gui.every_dialog import OPENERS, all_dialogs, open_dialog
from tests.gui.test_every_page import (
    clipping,
    is_control,
    is_part,
    name_of,
    nameless_headings,
    spoken_problems,
    step_back,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def controller(shared_window) -> Any:
    return shared_window[0]


@pytest.fixture
def window(shared_window) -> Any:
    """The shared window, whose annotator is known: some dialogs ask for them first."""
    controller, window = shared_window
    window.activateWindow()
    QApplication.processEvents()
    controller.ask_annotator()
    controller.dialog.accept()
    QApplication.processEvents()
    return window


def dialogs() -> list[QDialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog)]


def finish_deleting() -> None:
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def spoken_windows() -> list[Any]:
    """Return the windows that assistive technology finds."""
    program = QAccessible.queryAccessibleInterface(QApplication.instance())
    return [program.child(place).object() for place in range(program.childCount())]


def test_the_registry_names_every_dialog() -> None:
    assert {kind.__name__ for kind in all_dialogs()} == OPENERS.keys()


class TestOneWindow:
    """Tests that share one window and do not change its state."""

    @pytest.mark.parametrize("name", OPENERS)
    def test_a_closed_dialog_is_gone(self, name, controller, window, qtbot) -> None:
        for _ in range(2):
            dialog = open_dialog(name, controller, window, qtbot)
            is_kept = dialog.is_kept
            dialog.close()
            finish_deleting()
            assert not [one for one in spoken_windows() if isinstance(one, QDialog)]
            assert [type(one).__name__ for one in dialogs() if not one.is_kept] == []
            assert len([one for one in dialogs() if type(one).__name__ == name]) == is_kept

    @pytest.mark.parametrize("name", OPENERS)
    def test_a_dialog_is_spoken_seen_and_worked_by_keys(self, name, controller, window, qtbot) -> None:
        dialog = open_dialog(name, controller, window, qtbot)
        room = dialog.screen().availableGeometry().size()
        least = dialog.minimumSizeHint()
        problems = [] if dialog.size() == dialog.size().boundedTo(room.expandedTo(least)) else ["too large"]
        for widget in dialog.findChildren(QWidget):
            if is_control(widget):
                problems += spoken_problems(widget)
                problems += nameless_headings(widget) if isinstance(widget, QAbstractItemView) else ()
            is_button = isinstance(widget, QAbstractButton) and widget.isVisible() and not is_part(widget)
            if is_button and not widget.text() and not widget.toolTip():
                problems.append(f"{name_of(widget)} has no tooltip")
            if least.width() <= room.width() and (text := clipping(widget)):
                problems.append(text)
        order = reading_order(dialog)
        reached: list[QWidget] = [order[0]]
        order[0].setFocus(Qt.FocusReason.TabFocusReason)
        for _ in order[1:]:
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
            reached.append(dialog.focusWidget())
        assert reached == order
        problems += [problem for pair in pairwise(order) if (problem := step_back(*pair))]
        for widget in order:
            (dialog.focusWidget() or dialog).clearFocus()
            before = widget.grab().toImage()
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            if widget.grab().toImage() == before:
                problems.append(f"{type(widget).__name__} {name_of(widget)} does not show its focus")
        dialog.close()
        assert not problems, "\n".join(problems)

    @pytest.mark.parametrize("name", OPENERS)
    def test_jobs_of_a_dialog_that_is_closed_at_once_end_quietly(
        self, name, controller, window, qtbot
    ) -> None:
        OPENERS[name](controller, window, qtbot)
        qtbot.waitUntil(lambda: any(type(one).__name__ == name and one.isVisible() for one in dialogs()))
        for dialog in dialogs():
            dialog.close()
        qtbot.waitUntil(lambda: not controller.jobs.running())
        finish_deleting()
        assert [one for one in dialogs() if one.isVisible()] == []
