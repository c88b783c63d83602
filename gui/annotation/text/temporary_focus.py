"""Keyboard focus that is moved for typing."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget


class TemporaryFocus(QObject):
    """Remembers the focused widget of a page's window before a command moves the focus.

    Another window may be active, such as a dialog that a command has just closed.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._previous: QWidget | None = None

    def remember(self) -> None:
        """Remember the focused widget."""
        self._previous = self._page.window().focusWidget()

    def move_to(self, widget: QWidget) -> None:
        """Focus a widget and remember the previous one."""
        self.remember()
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def restore(self) -> None:
        """Focus the remembered widget if it is still visible."""
        if self._previous is not None and self._previous.isVisible():
            self._previous.setFocus(Qt.FocusReason.OtherFocusReason)
        self._previous = None
