"""Keyboard focus that is moved for typing, and letters typed where it could not be moved."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget


class TemporaryFocus(QObject):
    """Remembers the focused widget before a command moves the focus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._previous: QWidget | None = None

    def remember(self) -> None:
        """Remember the focused widget."""
        self._previous = QApplication.focusWidget()

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


_IGNORED_MS = 1500
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_MODIFIERS = frozenset(
    (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta)
)
_KEYS = frozenset((QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress))
_ENDS = frozenset((QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress))


class IgnoredLetters(QObject):
    """Ignores letters that were meant for a text field which a command refused to open.

    They would act as commands. It ends with another key, a click, another focus or a pause.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pause = QTimer(self, singleShot=True, interval=_IGNORED_MS)
        self._pause.timeout.connect(self._stop)

    @property
    def are_ignored(self) -> bool:
        """Whether letters are ignored now."""
        return self._pause.isActive()

    @Slot()
    def start(self) -> None:
        """Ignore letters from now on."""
        if (app := QApplication.instance()) is not None and not self.are_ignored:
            app.installEventFilter(self)
        self._pause.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() in _KEYS:
            is_letter = (
                event.text().isprintable() and bool(event.text()) and not event.modifiers() & _COMMANDS
            )
            if is_letter:
                self._pause.start()
                event.accept()
                return True
            if event.key() not in _MODIFIERS:
                self._stop()
        elif event.type() in _ENDS:
            self._stop()
        return False

    @Slot()
    def _stop(self) -> None:
        self._pause.stop()
        if (app := QApplication.instance()) is not None:
            app.removeEventFilter(self)
