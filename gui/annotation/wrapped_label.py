"""Labels broken into few lines, the last one cut short where there is no room."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextLayout

from gui.widgets.utf16_offsets import offsets_of

_MOST_REMEMBERED = 4000


class LabelLines:
    """Breaks labels in one font, and remembers how: a list asks for every row at each layout."""

    def __init__(self, font: QFont, most: int = 2) -> None:
        self.font = font
        self._metrics = QFontMetrics(font)
        self._most = most
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}

    @property
    def line_px(self) -> int:
        """From one line to the next."""
        return self._metrics.lineSpacing()

    def lines(self, text: str, width: int) -> tuple[str, ...]:
        """The lines of a text in this room; the last one ends in an ellipsis if there would be more."""
        key = text, width
        if key not in self._known:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = self._broken(text, width)
        return self._known[key]

    def is_cut(self, text: str, width: int) -> bool:
        """Whether the lines show less than the text."""
        return len("".join("".join(self.lines(text, width)).split())) != len("".join(text.split()))

    def _broken(self, text: str, width: int) -> tuple[str, ...]:
        if self._metrics.horizontalAdvance(text) <= width:
            return (text,)
        layout = QTextLayout(text, self.font)
        layout.beginLayout()
        starts: list[int] = []
        while len(starts) < self._most and (row := layout.createLine()).isValid():
            row.setLineWidth(max(width, 1))
            starts.append(row.textStart())
        layout.endLayout()
        cuts = [offsets_of(text).to_text(start) for start in starts]
        whole = (text[start:end].rstrip() for start, end in pairwise(cuts))
        return (*whole, self._metrics.elidedText(text[cuts[-1] :], Qt.TextElideMode.ElideRight, width))
