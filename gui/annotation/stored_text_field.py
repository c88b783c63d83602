"""Text field whose text is stored in pauses of typing and when it is left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from gui.style import theme
from gui.widgets.typed_text import TypedText

_S = QKeySequence.StandardKey


class StoredTextField(QPlainTextEdit):
    """Stores its text in pauses, on focus loss and by Enter; Escape restores the text of before.

    Signals:
        committed: id of the edited object and the new text; `show_text` has to follow if it was accepted.
        left: Escape, or Enter that commits the text, was pressed.
    """

    committed = Signal(str, str)
    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.typed = TypedText(
            self, lambda *stored: self.committed.emit(*stored), read=self.text, is_storable=self._is_storable
        )
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._fit)

    def text(self) -> str:
        """Return the field's text."""
        return self.toPlainText()

    def show_text(self, text: str, object_id: str) -> None:
        """Show the text of an object; unsaved typing is kept, or stored if the object is another one."""
        self.typed.show(text, object_id)

    def commit(self) -> None:
        """Store the text; `committed` is emitted even if it was refused before."""
        self.typed.store(again=True)

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
            self.commit()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.typed.restore()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._commits_on_focus_loss(event.reason()):
            self.commit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_height()  # the style sheet has changed it

    def _commits_on_focus_loss(self, reason: Qt.FocusReason) -> bool:
        """Return whether losing focus for this reason commits the text."""
        return True

    def _is_commit_key(self, enter: QKeyEvent) -> bool:
        """Return whether this Enter commits the text; otherwise it starts a new line."""
        raise NotImplementedError

    def _is_storable(self, text: str) -> bool:
        """Return whether a text is complete enough to be stored in a pause."""
        return True

    @Slot()
    def _fit(self) -> None:
        self._update_height()  # not a slot: overridden slots may run after the field was deleted

    def _update_height(self) -> None:
        raise NotImplementedError
