"""Label field of an SCU that grows with its text."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.annotation.stored_text_field import StoredTextField
from gui.style import theme
from gui.style.theme import LARGE, Type
from gui.widgets.edit_lock import edits

MAX_LINES = 6


class LabelField(StoredTextField):
    """One line of text that Enter stores; an empty one is refused."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._min_height = 0
        super().__init__("Label", parent)
        edits(self)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def set_least_height(self, height: int) -> None:
        """Set the minimum height, for example that of the row below the field."""
        self._min_height = height
        self._update_height()

    def text(self) -> str:
        """Return the field's text as one line."""
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
        text_height = min(lines, MAX_LINES) * QFontMetrics(theme.font(Type.BODY)).lineSpacing()
        frame = self.height() - self.viewport().height() + 2 * ceil(self.document().documentMargin())
        self.setFixedHeight(max(text_height + max(frame, LARGE), self._min_height))
