"""Text field that commits its text when it loses focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from gui.style import theme

_S = QKeySequence.StandardKey


class CommitOnBlurField(QPlainTextEdit):
    """Commits its text on focus loss or Enter; Escape restores the previous text.

    Signals:
        committed: id of the edited object and the new text, if it changed.
        left: Escape, or Enter that commits the text, was pressed.
    """

    committed = Signal(str, str)
    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._object_id, self._committed = "", ""
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._fit)

    def text(self) -> str:
        """Return the field's text."""
        return self.toPlainText()

    def show_text(self, text: str, object_id: str) -> None:
        """Show the text of an object; unsaved typing is kept, or committed if the object is another one."""
        if object_id != self._object_id:
            self._commit()
        if object_id != self._object_id or not self._has_unsaved_typing():
            self._object_id, self._committed = object_id, text
            if text != self.toPlainText():
                self.setPlainText(text)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the page unless there is typing to undo in the field."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            is_history = any(event.matches(key) for key in (_S.Undo, _S.Redo))
            if is_history and not self.document().isUndoAvailable() and not self.document().isRedoAvailable():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._is_commit_key(event):
            self._commit()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.setPlainText(self._committed)
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._commits_on_focus_loss(event.reason()):
            self._commit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_height()  # the style sheet has changed it

    def _has_unsaved_typing(self) -> bool:
        return self.hasFocus()

    def _commits_on_focus_loss(self, reason: Qt.FocusReason) -> bool:
        """Return whether losing focus for this reason commits the text."""
        return True

    def _is_commit_key(self, enter: QKeyEvent) -> bool:
        """Return whether this Enter commits the text; otherwise it starts a new line."""
        raise NotImplementedError

    def _commit(self) -> None:
        if (typed := self.text()) != self._committed:
            self._committed = typed
            self.committed.emit(self._object_id, typed)

    @Slot()
    def _fit(self) -> None:
        self._update_height()  # not a slot: overridden slots may run after the field was deleted

    def _update_height(self) -> None:
        raise NotImplementedError
