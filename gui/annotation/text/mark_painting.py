"""Painting of marks behind the text of a document, for visible lines only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextBlock, QTextDocument, QTextLine

from core.domain.study import Span
from gui.annotation.text.marks import MarkLayout, stretches_in
from gui.annotation.text.weight_lines import LANE_PX, draw_dots, draw_weight_line
from gui.style import theme
from gui.style.text_direction import has_right_to_left
from gui.style.theme import RADIUS_SMALL

_RADIUS = RADIUS_SMALL - 1
_RING_PX = 2.0
_TOUCH = 0.5
"""Distance in pixels up to which parts of a span are one stretch."""

HANDLE_PX = 4.0
"""Radius of a drag handle."""
_DASHES = {
    Qt.PenStyle.CustomDashLine: [2.0, 1.5],
    Qt.PenStyle.DashLine: [5.0, 3.0],
    Qt.PenStyle.DotLine: [4.0, 3.0],
}
"""Dash patterns of the outlines of pending, proposed and automatic spans, in pen widths."""


@dataclass(frozen=True, slots=True)
class Rings:
    """Outlined spans, in document positions and order.

    selected: parts of the selected unit.
    hovered: parts of the unit under the pointer.
    pending: spans collected for the next edit.
    proposed: spans of a suggestion.
    gaps: gaps between the parts of the selected expression.
    """

    selected: tuple[Span, ...] = ()
    hovered: tuple[Span, ...] = ()
    pending: tuple[Span, ...] = ()
    proposed: tuple[Span, ...] = ()
    gaps: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """A visible line of text.

    start, end: document positions.
    baseline: y in viewport coordinates.
    is_turned: whether it contains words that are written from the right.
    """

    line: QTextLine
    block: int
    start: int
    end: int
    left: float
    baseline: float
    is_turned: bool

    def reach(self, start: int, end: int) -> list[tuple[float, float]]:
        """Return the left and right edges of a span in this line, without trailing spaces.

        A span is one stretch, or several where words of both directions are in the line.
        """
        start, end = max(start, self.start), min(end, self.end)
        if not self.is_turned:
            return [self._between(self._x(start), self._x(end))]
        glyphs = (run.boundingRect() for run in self.line.glyphRuns(start - self.block, end - start))
        edges = sorted(self._between(self.left + box.left(), self.left + box.right()) for box in glyphs)
        stretches: list[tuple[float, float]] = []
        for left, right in edges:
            if stretches and left <= stretches[-1][1] + _TOUCH:
                left, right = stretches[-1][0], max(right, stretches.pop()[1])
            stretches.append((left, right))
        return stretches

    def _between(self, one: float, other: float) -> tuple[float, float]:
        text = self.line.naturalTextRect().translated(self.left, 0)
        one, other = (min(max(x, text.left()), text.right()) for x in (one, other))
        return min(one, other), max(one, other)

    def _x(self, position: int) -> float:
        x, _ = cast(tuple[float, int], self.line.cursorToX(position - self.block))
        return self.left + x


class MarkPainter:
    """Paints the marks of one document into a viewport.

    offset: position of the document's origin in the viewport.
    clip: the area to repaint.
    """

    def __init__(self, painter: QPainter, document: QTextDocument, offset: QPointF, clip: QRectF) -> None:
        self._painter, self._document = painter, document
        self._offset, self._clip = offset, clip
        metrics = QFontMetricsF(document.defaultFont())
        self._above, self._below = metrics.ascent(), metrics.descent()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, layout: MarkLayout, rings: Rings) -> None:
        """Paint tints, rails and outlines of the visible lines.

        layout, rings: in document positions.
        """
        for line in self._visible_lines():
            self._paint_tints(line, layout)
            for lane, rails in enumerate(layout.lanes):
                for rail in stretches_in(rails, line.start, line.end):
                    for left, right in line.reach(rail.start, rail.end):
                        draw_weight_line(self._painter, left, right, self._rail_y(line, lane), rail.step)
            self._paint_dots(line, layout.outside, 0, "muted")
            self._paint_ring(line, layout.automatic, 1.0, Qt.PenStyle.DotLine, "muted")
            self._paint_dots(line, rings.gaps, len(layout.lanes), "accent")
            self._paint_ring(line, rings.hovered, 1.0, Qt.PenStyle.SolidLine)
            self._paint_ring(line, rings.selected, _RING_PX, Qt.PenStyle.SolidLine)
            self._paint_ring(line, rings.pending, _RING_PX, Qt.PenStyle.CustomDashLine)
            self._paint_ring(line, rings.proposed, _RING_PX, Qt.PenStyle.DashLine)

    def paint_handles(self, points: Sequence[QPointF]) -> None:
        """Paint the drag handles at the ends of parts."""
        self._painter.setPen(QPen(theme.colour("surface"), 1.0))
        self._painter.setBrush(theme.colour("accent"))
        for point in points:
            self._painter.drawEllipse(point, HANDLE_PX, HANDLE_PX)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _visible_lines(self) -> Iterator[_Line]:
        top = self._clip.top() - self._offset.y()
        block = self._document.findBlock(
            max(0, self._document.documentLayout().hitTest(QPointF(0, top), Qt.HitTestAccuracy.FuzzyHit))
        )
        while block.isValid():
            layout = block.layout()
            if layout.position().y() + self._offset.y() > self._clip.bottom():
                return
            yield from self._lines_of(block)
            block = block.next()

    def _lines_of(self, block: QTextBlock) -> Iterator[_Line]:
        layout, position = block.layout(), block.position()
        origin, is_turned = layout.position() + self._offset, has_right_to_left(block.text())
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            baseline = origin.y() + line.y() + line.ascent()
            if baseline + 3 * self._above < self._clip.top():
                continue
            if baseline - 2 * self._above > self._clip.bottom():
                return
            start = position + line.textStart()
            yield _Line(line, position, start, start + line.textLength(), origin.x(), baseline, is_turned)

    def _paint_tints(self, line: _Line, layout: MarkLayout) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        for tint in stretches_in(layout.tints, line.start, line.end):
            self._painter.setBrush(QColor(theme.tokens().weights[tint.step - 1].tint))
            for box in self._boxes(line, tint.start, tint.end):
                self._painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_ring(
        self, line: _Line, spans: Sequence[Span], width: float, style: Qt.PenStyle, token: str = "accent"
    ) -> None:
        pen = QPen(theme.colour(token), width)
        if style is not Qt.PenStyle.SolidLine:
            pen.setDashPattern(_DASHES[style])
        self._painter.setPen(pen)
        for start, end in spans:
            if start < line.end and line.start < end:
                for box in self._boxes(line, start, end):
                    self._painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), RADIUS_SMALL, RADIUS_SMALL)

    def _paint_dots(self, line: _Line, spans: Sequence[Span], lane: int, token: str) -> None:
        for start, end in spans:
            if start < line.end and line.start < end:
                for left, right in line.reach(start, end):
                    draw_dots(self._painter, left, right, self._rail_y(line, lane), token)

    def _rail_y(self, line: _Line, lane: int) -> float:
        return round(line.baseline + self._below) + LANE_PX * lane

    def _boxes(self, line: _Line, start: int, end: int) -> list[QRectF]:
        top, high = line.baseline - self._above, self._above + self._below
        return [QRectF(left, top, right - left, high) for left, right in line.reach(start, end)]


def gaps_between(parts: Sequence[Span]) -> tuple[Span, ...]:
    """Return the gaps between parts in text order; none where parts touch or overlap."""
    gaps: list[Span] = []
    reached: int | None = None
    for start, end in sorted(parts):
        if reached is not None and start > reached:
            gaps.append((reached, start))
        reached = end if reached is None else max(reached, end)
    return tuple(gaps)
