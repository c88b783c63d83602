"""Letters that are ignored after a refused command."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

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
    """Ignores letters typed after a command was refused, as for a text field that it did not open.

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
