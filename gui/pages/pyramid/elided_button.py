"""A button of plain words that may be longer than there is room for."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from gui.style.theme import LARGE
from gui.style.tooltips import plain_tip


class ElidedButton(QPushButton):
    """Words to press, cut short with an ellipsis; the tooltip then has the whole."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = ""

    def show_words(self, words: str, name: str) -> None:
        """Show words; `name` is what screen readers say."""
        self._words = words
        self.setAccessibleName(name)
        self._cut()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        room = self.width() - LARGE
        shown = QFontMetrics(self.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.setText(shown.replace("&", "&&"))
        self.setToolTip(plain_tip(self._words if shown != self._words else ""))
