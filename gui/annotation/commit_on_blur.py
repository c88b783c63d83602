"""Free text of something, kept when the keyboard leaves it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from gui.style import theme

_S = QKeySequence.StandardKey


class CommitOnBlurField(QPlainTextEdit):
    """Keeps its text on leaving it or on Enter, if it is to; Escape drops what was typed.

    Signals:
        kept: whose text it is, and the text, where it is another one than was shown.
        left: Escape, or Enter that keeps it, was pressed.
    """

    kept = Signal(str, str)
    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of, self._shown = "", ""
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._fit)

    def text(self) -> str:
        """What stands in the field."""
        return self.toPlainText()

    def show_text(self, text: str, of: str) -> None:
        """Show the text of something; what is being typed stays, or is kept if this is of something else."""
        if of != self._of:
            self._keep()
        if of != self._of or not self._is_being_typed():
            self._of, self._shown = of, text
            if text != self.toPlainText():
                self.setPlainText(text)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the page while nothing is typed here: they are for the last edit then."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            is_history = any(event.matches(key) for key in (_S.Undo, _S.Redo))
            if is_history and not self.document().isUndoAvailable() and not self.document().isRedoAvailable():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._ends(event):
            self._keep()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setPlainText(self._shown)
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._is_left(event.reason()):
            self._keep()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_height()  # the style sheet has set another one meanwhile

    def _is_being_typed(self) -> bool:
        return self.hasFocus()

    def _is_left(self, reason: Qt.FocusReason) -> bool:
        """Whether who had the keyboard is done here."""
        return True

    def _ends(self, enter: QKeyEvent) -> bool:
        """Whether this Enter keeps the text; else it begins another line."""
        raise NotImplementedError

    def _keep(self) -> None:
        if (typed := self.text()) != self._shown:
            self._shown = typed
            self.kept.emit(self._of, typed)

    @Slot()
    def _fit(self) -> None:
        self._keep_height()  # no slot itself: one that a subclass overrides is called after its field is gone

    def _keep_height(self) -> None:
        raise NotImplementedError
