"""Wrapping of labels into a few lines, with an ellipsis at the end if needed."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextLayout

from gui.widgets.utf16_offsets import offsets_of

_MAX_CACHED = 4000


class LabelLines:
    """Wraps labels in one font and caches the result, since lists ask for every row at each layout."""

    def __init__(self, font: QFont, max_lines: int = 2) -> None:
        self.font = font
        self._metrics = QFontMetrics(font)
        self._max_lines = max_lines
        self._cache: dict[tuple[str, int], tuple[str, ...]] = {}

    @property
    def line_px(self) -> int:
        """Line height in pixels."""
        return self._metrics.lineSpacing()

    def lines(self, text: str, width: int) -> tuple[str, ...]:
        """Return the lines of a text for a width; the last one ends in an ellipsis if it doesn't fit."""
        key = text, width
        if key not in self._cache:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[key] = self._wrap(text, width)
        return self._cache[key]

    def is_cut(self, text: str, width: int) -> bool:
        """Return whether the lines don't show the whole text."""
        return len("".join("".join(self.lines(text, width)).split())) != len("".join(text.split()))

    def _wrap(self, text: str, width: int) -> tuple[str, ...]:
        if self._metrics.horizontalAdvance(text) <= width:
            return (text,)
        layout = QTextLayout(text, self.font)
        layout.beginLayout()
        starts: list[int] = []
        while len(starts) < self._max_lines and (row := layout.createLine()).isValid():
            row.setLineWidth(max(width, 1))
            starts.append(row.textStart())
        layout.endLayout()
        cuts = [offsets_of(text).to_text(start) for start in starts]
        whole = (text[start:end].rstrip() for start, end in pairwise(cuts))
        return (*whole, self._metrics.elidedText(text[cuts[-1] :], Qt.TextElideMode.ElideRight, width))
