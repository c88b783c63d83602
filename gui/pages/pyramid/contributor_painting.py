"""Layout and painting of contributor cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout

from gui.annotation.scus.row_painting import paint_tick_box
from gui.pages.pyramid.values import ContributorRow
from gui.style import theme
from gui.style.text_direction import direction
from gui.style.theme import RADIUS_CONTROL, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.utf16_offsets import offsets_of

GAP = " … "
"""Text between two parts."""
_BADGE_PX, _CHECK_BOX_PX = 22, 16
_MIN_TEXT_PX = 40
_UNLIMITED = 10_000.0
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True, slots=True)
class CardState:
    """State of a card that affects its painting.

    selected: ids of its selected parts.
    part: index of the current part.
    has_check_box: paint an empty check box if nothing is selected.
    """

    is_current: bool = False
    selected: Collection[str] = ()
    part: int | None = None
    has_check_box: bool = False


def text_left() -> int:
    """Return the left edge of the text of a card."""
    return SMALL + px(_BADGE_PX) + SMALL


def text_width(card_width: int) -> int:
    """Return the width of the text of a card."""
    return max(_MIN_TEXT_PX, card_width - text_left() - px(_CHECK_BOX_PX) - 2 * SMALL)


def check_box_rect(card: QRectF) -> QRectF:
    """Return the rectangle of the check box of a card."""
    size = px(_CHECK_BOX_PX)
    return QRectF(card.right() - size - SMALL, card.top() + SMALL, size, size)


def card_height(row: ContributorRow, width: int) -> float:
    """Return the height of a card of this width."""
    text_height = text_layout(row, text_width(width)).boundingRect().height()
    small = QFontMetricsF(theme.font(Type.SMALL))
    comment = TIGHT + _comment_height(row, text_width(width)) if row.comment else 0.0
    return max(text_height + TIGHT + small.height() + comment, float(px(_BADGE_PX))) + 2 * SMALL


def paint_card(painter: QPainter, card: QRectF, row: ContributorRow, state: CardState) -> None:
    """Paint a card: frame, letter, check box, text, counts and comment."""
    _paint_frame(painter, card, state, is_dashed=not row.is_confirmed)
    _paint_badge(painter, card, row.letter)
    if state.has_check_box or state.selected:
        sign = "check" if len(state.selected) == len(row.parts) else "minus"
        paint_tick_box(painter, check_box_rect(card), sign if state.selected else "")
    width = text_width(round(card.width()))
    layout = text_layout(row, width, state.part, state.selected)
    painter.setPen(theme.colour("text"))
    at = QPointF(text_left(), card.top() + SMALL)
    layout.draw(painter, at)
    below = at.y() + layout.boundingRect().height() + TIGHT
    painter.setFont(theme.font(Type.SMALL))
    painter.setPen(theme.colour("muted"))
    painter.drawText(QRectF(at.x(), below, width, card.bottom() - below), _WRAP, row.fact)
    if row.comment:
        below += QFontMetricsF(painter.font()).height() + TIGHT
        painter.setPen(theme.colour("text"))
        room = QRectF(at.x(), below, width, card.bottom() - below)
        painter.drawText(room, _WRAP | direction(row.comment), f"“{row.comment}”")


def text_layout(
    row: ContributorRow, width: float, current: int | None = None, selected: Collection[str] = ()
) -> QTextLayout:
    """Return the parts of a contributor, laid out in lines of this width.

    current: index of the current part.
    selected: ids of the selected parts.
    """
    layout = QTextLayout(GAP.join(part.text for part in row.parts), theme.font(Type.BODY))
    layout.setFormats(list(_formats(row, current, selected)))
    layout.beginLayout()
    top = 0.0
    while (text_line := layout.createLine()).isValid():
        text_line.setLineWidth(width)
        text_line.setPosition(QPointF(0, top))
        top += text_line.height()
    layout.endLayout()
    return layout


def part_at(row: ContributorRow, width: float, point: QPointF) -> int:
    """Return the index of the part at a point of the text; 0 if there is none."""
    layout = text_layout(row, width)
    for index in range(layout.lineCount()):
        text_line = layout.lineAt(index)
        if text_line.y() <= point.y() < text_line.y() + text_line.height():
            position = text_line.xToCursor(point.x())
            starts = [start for start, _ in _part_spans(row)]
            return max((i for i, start in enumerate(starts) if start <= position), default=0)
    return 0


def _paint_frame(painter: QPainter, card: QRectF, state: CardState, *, is_dashed: bool) -> None:
    edge = 2.0 if state.is_current else 1.0
    is_highlighted = state.is_current or bool(state.selected)
    style = Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine
    colour = "accent" if is_highlighted else "muted" if is_dashed else "border"
    painter.setPen(QPen(theme.colour(colour), edge, style))
    painter.setBrush(theme.colour("raised"))
    frame = card.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
    painter.drawRoundedRect(frame, RADIUS_CONTROL, RADIUS_CONTROL)


def _paint_badge(painter: QPainter, card: QRectF, letter: str) -> None:
    badge = QRectF(SMALL, card.top() + SMALL, px(_BADGE_PX), px(_BADGE_PX))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("hover"))
    painter.drawRoundedRect(badge, RADIUS_SMALL, RADIUS_SMALL)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(Type.CAPTION))
    painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, letter)


def _comment_height(row: ContributorRow, width: int) -> float:
    metrics = QFontMetricsF(theme.font(Type.SMALL))
    return metrics.boundingRect(QRectF(0, 0, width, _UNLIMITED), _WRAP, f"“{row.comment}”").height()


def _formats(
    row: ContributorRow, current: int | None, selected: Collection[str]
) -> Iterator[QTextLayout.FormatRange]:
    spans = _part_spans(row)
    for _, end in spans[:-1]:
        gap = QTextCharFormat()
        gap.setForeground(theme.colour("accent"))
        yield _range(end, end + len(GAP), gap)
    for index, (start, end) in enumerate(spans):
        is_selected = row.parts[index].part_id in selected
        if is_selected or index == current:
            text_format = QTextCharFormat()
            text_format.setBackground(theme.colour("selection"))
            text_format.setFontUnderline(is_selected)
            yield _range(start, end, text_format)


def _range(start: int, end: int, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    format_range = QTextLayout.FormatRange()
    format_range.start, format_range.length = start, end - start
    format_range.format = text_format
    return format_range


def _part_spans(row: ContributorRow) -> list[tuple[int, int]]:
    """Return the span of each part in the laid-out text, in UTF-16 units."""
    offsets = offsets_of(GAP.join(part.text for part in row.parts))
    spans, at = [], 0
    for part in row.parts:
        spans.append(offsets.span_to_document((at, at + len(part.text))))
        at += len(part.text) + len(GAP)
    return spans
