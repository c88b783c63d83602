"""Painting of a cell of the table of measures: value, interval, n, whisker."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.formatting.numbers import format_correlation, format_count, format_p
from gui.pages.compare.values import SIGNIFICANT, MeasureCell
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import RADIUS_SMALL, SMALL, Type, px
from gui.widgets.lists.grouped_tree import write

PILL, INTERVAL, COUNT, WHISKER = 46, 80, 40, 64
"""Widths at 100 % text size, in pixels."""

SHORTEST = 30
"""Width below which no whisker is painted."""

UNRANKED = tr("not ranked")
"""Text in place of p for a measure that is not compared with the best."""

COMING = "…"
"""Text in place of a value that is still being computed."""

_DEEPEST = 0.34
"""Share of the accent colour behind a correlation of 1."""


@dataclass(frozen=True, slots=True)
class Places:
    """Positions of the parts of a cell; None = no room."""

    pill: QRect
    interval: QRect | None
    count: QRect | None
    whisker: QRect | None


def places(inner: QRect) -> Places:
    """Lay out a cell: always the value; the interval as text or as a whisker, or both if they fit."""
    left, room = inner.left() + px(PILL) + SMALL, inner.width() - px(PILL) - SMALL
    words, whisker, count = px(INTERVAL), px(WHISKER), px(COUNT)
    has_words = room >= words
    has_whisker = room >= words + SMALL + whisker or (not has_words and room >= px(SHORTEST))
    has_count = room >= words + whisker + count + 2 * SMALL
    pill = QRect(inner.left(), inner.top(), px(PILL), inner.height())
    if not has_words:
        return Places(pill, None, None, _part(inner, left, room) if has_whisker else None)
    after = left + words + SMALL
    number = _part(inner, after, count) if has_count else None
    after += (count + SMALL) if has_count else 0
    last = _part(inner, after, min(inner.right() - after, 2 * whisker)) if has_whisker else None
    return Places(pill, _part(inner, left, words), number, last)


def paint_value(painter: QPainter, inner: QRect, cell: MeasureCell, lowest: float) -> None:
    """Paint one cell. lowest: the value at the whisker's left end; its right end is 1."""
    parts = places(inner)
    _paint_pill(painter, parts.pill, cell)
    if parts.interval is not None and cell.has_interval:
        write(painter, parts.interval, interval_text(cell), Type.SMALL, "muted")
    if parts.count is not None:
        write(painter, parts.count, format_count(cell.n), Type.SMALL, "muted", right=True)
    if parts.whisker is not None and math.isfinite(cell.value):
        _paint_whisker(painter, parts.whisker, cell, lowest)


def paint_p_value(painter: QPainter, inner: QRect, cell: MeasureCell) -> None:
    """Paint p against the best, with a dot if the difference is not significant."""
    if cell.is_best:
        write(painter, inner, "best, n.s." if cell.p >= SIGNIFICANT else "best", Type.STRONG, right=True)
        return
    if not cell.is_ranked:
        write(painter, inner, UNRANKED, Type.SMALL, "muted", right=True)
        return
    if not math.isfinite(cell.against_best):
        return
    tone = "muted" if cell.is_significant else "text"
    write(painter, inner, format_p(cell.against_best), Type.BODY, tone, right=True)
    if cell.is_like_best:
        paint_dot(painter, QPointF(inner.right() - px(52), inner.center().y()))


def paint_dot(painter: QPainter, centre: QPointF) -> None:
    """Paint the dot of a measure that is not significantly different from the best."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens().accent))
    painter.drawEllipse(centre, 2.6, 2.6)


def interval_text(cell: MeasureCell) -> str:
    """``.83 to 1.00``."""
    return tr("{low} to {high}", low=format_correlation(cell.low), high=format_correlation(cell.high))


def _paint_pill(painter: QPainter, area: QRect, cell: MeasureCell) -> None:
    is_known = math.isfinite(cell.value)
    if is_known:
        tokens = theme.tokens()
        painter.setPen(Qt.PenStyle.NoPen)
        ink = tokens.accent if cell.is_ranked else tokens.outline
        background = theme.mix(tokens.surface, ink, _DEEPEST * min(abs(cell.value), 1.0))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(QRectF(area.adjusted(0, 3, 0, -4)), RADIUS_SMALL, RADIUS_SMALL)
    words, kind = area.adjusted(0, 0, -SMALL, 0), Type.STRONG if cell.is_best else Type.BODY
    value = COMING if cell.is_coming else format_correlation(cell.value)
    tone = "text" if is_known and cell.is_ranked else "muted"
    write(painter, words, value, kind, tone, right=True)


def _paint_whisker(painter: QPainter, area: QRect, cell: MeasureCell, lowest: float) -> None:
    tokens, middle = theme.tokens(), area.center().y() + 0.5
    inner = area.adjusted(4, 0, -4, 0)

    def across(value: float) -> float:
        share = (min(max(value, lowest), 1.0) - lowest) / (1.0 - lowest)
        return inner.left() + share * inner.width()

    zero = across(0.0)
    painter.setPen(QPen(QColor(tokens.border), 1.0))
    painter.drawLine(QPointF(zero, area.top()), QPointF(zero, area.bottom()))
    ink = QColor(tokens.accent if cell.is_best else tokens.outline)
    if cell.has_interval:
        painter.setPen(QPen(ink, 1.6))
        painter.drawLine(QPointF(across(cell.low), middle), QPointF(across(cell.high), middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(QPointF(across(cell.value), middle), 3.4, 3.4)


def _part(inner: QRect, left: int, width: int) -> QRect:
    return QRect(left, inner.top(), width, inner.height())
