"""An SCU's label as a field that grows with it: one paragraph in as many lines as it takes."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.annotation.commit_on_blur import CommitOnBlurField
from gui.style import theme
from gui.style.theme import LARGE, Type
from gui.widgets.edit_lock import edits

MOST_LINES = 6


class LabelField(CommitOnBlurField):
    """Keeps its text on Enter or on leaving it; Escape drops what was typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._least_px = 0
        super().__init__("Label", parent)
        edits(self)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def keep_at_least(self, height: int) -> None:
        """Never be lower than this, as the row that the field lies over."""
        self._least_px = height
        self._keep_height()

    def text(self) -> str:
        """What stands in the field, as one line."""
        return " ".join(self.toPlainText().split())

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(" ".join(source.text().split()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def _is_being_typed(self) -> bool:
        return super()._is_being_typed() and self.text() != self._shown

    def _is_left(self, reason: Qt.FocusReason) -> bool:
        return reason is not Qt.FocusReason.PopupFocusReason

    def _ends(self, enter: QKeyEvent) -> bool:
        return True

    def _keep_height(self) -> None:
        lines = max(ceil(self.document().size().height()), 1)
        is_long = lines > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_long else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        letters = min(lines, MOST_LINES) * QFontMetrics(theme.font(Type.BODY)).lineSpacing()
        around = self.height() - self.viewport().height() + 2 * ceil(self.document().documentMargin())
        self.setFixedHeight(max(letters + max(around, LARGE), self._least_px))
