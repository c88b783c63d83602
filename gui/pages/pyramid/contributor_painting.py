"""How a contributor's card looks and where things stand on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from gui.annotation.row_painting import paint_tick_box
from gui.pages.pyramid.contributor_text import laid_out
from gui.pages.pyramid.values import ContributorRow
from gui.style import theme
from gui.style.theme import RADIUS_CONTROL, RADIUS_SMALL, SMALL, TIGHT, Type, px

_BADGE_PX, _TICK_PX = 22, 16
_LEAST_TEXT_PX = 40
_FAR = 10_000.0
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True, slots=True)
class CardState:
    """What there is to see of a card beside its content.

    chosen: ids of its chosen parts. part: place of the current part. has_box: whether it can be ticked now.
    """

    is_current: bool = False
    chosen: Collection[str] = ()
    part: int | None = None
    has_box: bool = False


def text_left() -> int:
    """Where a card's words begin."""
    return SMALL + px(_BADGE_PX) + SMALL


def text_width(card_width: int) -> int:
    """How wide a card's words may run."""
    return max(_LEAST_TEXT_PX, card_width - text_left() - px(_TICK_PX) - 2 * SMALL)


def tick_box(card: QRectF) -> QRectF:
    """Where a card's box to tick is."""
    size = px(_TICK_PX)
    return QRectF(card.right() - size - SMALL, card.top() + SMALL, size, size)


def card_height(line: ContributorRow, width: int) -> float:
    """How high a card of this width is."""
    words = laid_out(line, text_width(width)).boundingRect().height()
    small = QFontMetricsF(theme.font(Type.SMALL))
    comment = TIGHT + _comment_height(line, text_width(width)) if line.comment else 0.0
    return max(words + TIGHT + small.height() + comment, float(px(_BADGE_PX))) + 2 * SMALL


def paint_card(painter: QPainter, card: QRectF, line: ContributorRow, state: CardState) -> None:
    """Paint a card."""
    _paint_frame(painter, card, state)
    _paint_badge(painter, card, line.letter)
    if state.has_box or state.chosen:
        part_of_it = "check" if len(state.chosen) == len(line.parts) else "minus"
        paint_tick_box(painter, tick_box(card), part_of_it if state.chosen else "")
    width = text_width(round(card.width()))
    layout = laid_out(line, width, state.part, state.chosen)
    painter.setPen(theme.colour("text"))
    at = QPointF(text_left(), card.top() + SMALL)
    layout.draw(painter, at)
    below = at.y() + layout.boundingRect().height() + TIGHT
    painter.setFont(theme.font(Type.SMALL))
    painter.setPen(theme.colour("muted"))
    painter.drawText(QRectF(at.x(), below, width, card.bottom() - below), _WRAP, line.fact)
    if line.comment:
        below += QFontMetricsF(painter.font()).height() + TIGHT
        painter.setPen(theme.colour("text"))
        painter.drawText(QRectF(at.x(), below, width, card.bottom() - below), _WRAP, f"“{line.comment}”")


def _paint_frame(painter: QPainter, card: QRectF, state: CardState) -> None:
    edge = 2.0 if state.is_current else 1.0
    is_loud = state.is_current or bool(state.chosen)
    painter.setPen(QPen(theme.colour("accent" if is_loud else "border"), edge))
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


def _comment_height(line: ContributorRow, width: int) -> float:
    metrics = QFontMetricsF(theme.font(Type.SMALL))
    return metrics.boundingRect(QRectF(0, 0, width, _FAR), _WRAP, f"“{line.comment}”").height()
