"""The keyboard, lent to a part of a page and given back to where it was."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QWidget


class TemporaryFocus(QObject):
    """Remembers who had the keyboard before a command put it elsewhere."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._back_to: QWidget | None = None

    def borrow(self) -> None:
        """Remember who has it now."""
        self._back_to = QApplication.focusWidget()

    def lend(self, widget: QWidget) -> None:
        """Put it there, and remember who had it."""
        self.borrow()
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def give_back(self) -> None:
        """Put it where it was, if that is still to be seen."""
        if self._back_to is not None and self._back_to.isVisible():
            self._back_to.setFocus(Qt.FocusReason.OtherFocusReason)
        self._back_to = None
