"""Text field whose text is stored in pauses of typing and when it is left."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from gui.style import theme
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, Type
from gui.widgets.buttons import edits
from gui.widgets.typed_text import TypedText

_ENTER = Qt.Key.Key_Return, Qt.Key.Key_Enter
_S = QKeySequence.StandardKey


class StoredTextField(QPlainTextEdit):
    """Stores its text in pauses, on focus loss and by Enter; Escape restores the text of before.

    Signals:
        committed: id of the edited object and the new text; `typed.show` has to follow if it was accepted.
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
        return self.toPlainText()

    def commit(self) -> None:
        """Store the text; `committed` is emitted even if it was refused before."""
        self.typed.store(again=True)

    def event(self, event: QEvent) -> bool:
        """Take the key that commits; leave undo and redo to the page unless there is typing to undo here."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            if event.key() in _ENTER and self._is_commit_key(event):
                event.accept()
                return True
            is_history = any(event.matches(key) for key in (_S.Undo, _S.Redo))
            if is_history and not self.document().isUndoAvailable() and not self.document().isRedoAvailable():
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and self._is_commit_key(event):
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


LINES = 3


class NoteField(StoredTextField):
    """A few lines; Ctrl+Enter stores them, Enter starts a new one."""

    def __init__(self, name: str, placeholder: str, lines: int = LINES) -> None:
        super().__init__(name)
        self._lines = lines
        if lines == 1:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would hide the line
        self.setPlaceholderText(placeholder)
        self._update_height()
        edits(self)

    def _is_commit_key(self, enter: QKeyEvent) -> bool:
        return bool(enter.modifiers() & Qt.KeyboardModifier.ControlModifier)

    def _update_height(self) -> None:
        self.setFixedHeight(self._lines * theme.metrics(Type.BODY).lineSpacing() + LARGE + HAIR)


MAX_LINES = 6


class LabelField(StoredTextField):
    """One line of text that Enter stores; an empty one is refused."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._min_height = 0
        super().__init__(tr("Label"), parent)
        edits(self)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def set_least_height(self, height: int) -> None:
        """Set the minimum height, for example that of the row below the field."""
        self._min_height = height
        self._update_height()

    def text(self) -> str:
        return " ".join(self.toPlainText().split())

    def commit(self) -> None:
        if self.text():
            super().commit()
        else:
            self.committed.emit(self.typed.object_id, "")  # refused with a message
            self.typed.restore()

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(" ".join(source.text().split()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def _commits_on_focus_loss(self, reason: Qt.FocusReason) -> bool:
        return reason is not Qt.FocusReason.PopupFocusReason

    def _is_commit_key(self, enter: QKeyEvent) -> bool:
        return True

    def _is_storable(self, text: str) -> bool:
        return bool(text)

    def _update_height(self) -> None:
        lines = max(ceil(self.document().size().height()), 1)
        is_long = lines > MAX_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_long else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        text_height = min(lines, MAX_LINES) * theme.metrics(Type.BODY).lineSpacing()
        frame = self.height() - self.viewport().height() + 2 * ceil(self.document().documentMargin())
        self.setFixedHeight(max(text_height + max(frame, LARGE), self._min_height))
