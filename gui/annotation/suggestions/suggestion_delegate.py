"""Delegate of the suggestion list: cards with text in context, under headings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.annotation.suggestions.suggestion_model import ROW_ROLE, Index
from gui.annotation.suggestions.suggestion_values import SuggestionGroup, SuggestionRow, WordsInContext
from gui.style import theme
from gui.style.theme import MEDIUM, RADIUS_CONTROL, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.utf16_offsets import offsets_of

_BADGE_PX, _MIN_TEXT_PX, _UNLIMITED_PX = 20, 60, 10_000.0
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class SuggestionDelegate(QStyledItemDelegate):
    """Paints and measures rows.

    width: returns the width of the viewport, which a card fills.
    """

    def __init__(self, width: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._width = width

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, width = index.data(ROW_ROLE), self._width()
        if isinstance(row, SuggestionRow):
            return QSize(width, round(_Card(row, width).height) + SMALL)
        if isinstance(row, SuggestionGroup):
            height = _text_height(row.title, Type.CAPTION, width - 2 * MEDIUM)
            return QSize(width, round(height) + MEDIUM + SMALL)
        return QSize(width, round(_text_height(str(row), Type.BODY, width - 2 * MEDIUM)) + SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, room = index.data(ROW_ROLE), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, SuggestionRow):
            card = _Card(row, self._width())
            card.paint(painter, room.topLeft(), _state(option))
        else:
            is_head = isinstance(row, SuggestionGroup)
            painter.setFont(theme.font(Type.CAPTION if is_head else Type.BODY))
            painter.setPen(theme.colour("muted"))
            words = row.title if isinstance(row, SuggestionGroup) else str(row)
            top = MEDIUM if is_head else 0
            painter.drawText(room.adjusted(MEDIUM, top, -MEDIUM, 0), _WRAP, words)
        painter.restore()


class _Card:
    """One suggestion, laid out for a width."""

    def __init__(self, line: SuggestionRow, width: int) -> None:
        self._line = line
        self._width = max(width - 2 * MEDIUM, _MIN_TEXT_PX)
        badge = px(_BADGE_PX) + SMALL
        self._title_left = badge if line.weight else 0
        self._words_left = badge if any(place.letter for place in line.places) else 0
        self._layouts = [_text_layout(place, self._room - self._words_left) for place in line.places]

    @property
    def height(self) -> float:
        """Height of the card including its frame."""
        words = sum(self._place_height(layout) + TIGHT for layout in self._layouts)
        return self._title_height() + words + QFontMetricsF(theme.font(Type.SMALL)).height() + 2 * SMALL

    def paint(self, painter: QPainter, at: QPointF, state: QStyle.StateFlag) -> None:
        frame = QRectF(at.x() + MEDIUM, at.y(), self._width, self.height)
        self._paint_frame(painter, frame, state)
        left, top = frame.left() + SMALL, frame.top() + SMALL
        top += self._paint_title(painter, left, top)
        for place, layout in zip(self._line.places, self._layouts, strict=True):
            if place.letter:
                _paint_badge(painter, QPointF(left, top), place.letter, theme.colour("hover"))
            painter.setPen(theme.colour("text"))
            layout.draw(painter, QPointF(left + self._words_left, top))
            top += self._place_height(layout) + TIGHT
        painter.setFont(theme.font(Type.SMALL))
        painter.setPen(theme.colour("muted"))
        painter.drawText(QRectF(left, top, self._room, _UNLIMITED_PX), _WRAP, self._line.fact)

    @property
    def _room(self) -> int:
        return self._width - 2 * SMALL

    def _title_height(self) -> float:
        if not self._line.title:
            return 0.0
        height = _text_height(self._line.title, Type.STRONG, self._room - self._title_left)
        return max(height, float(px(_BADGE_PX) if self._line.weight else 0)) + TIGHT

    def _place_height(self, layout: QTextLayout) -> float:
        return max(layout.boundingRect().height(), float(px(_BADGE_PX) if self._words_left else 0))

    def _paint_title(self, painter: QPainter, left: float, top: float) -> float:
        line = self._line
        if line.title:
            if line.weight:
                tint = QColor(theme.tokens().weights[line.step - 1].tint)
                _paint_badge(painter, QPointF(left, top), str(line.weight), tint)
            painter.setFont(theme.font(Type.STRONG))
            painter.setPen(theme.colour("text"))
            room = QRectF(left + self._title_left, top, self._room - self._title_left, _UNLIMITED_PX)
            painter.drawText(room, _WRAP, line.title)
        return self._title_height()

    def _paint_frame(self, painter: QPainter, frame: QRectF, state: QStyle.StateFlag) -> None:
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        edge = 2.0 if is_current and state & QStyle.StateFlag.State_HasFocus else 1.0
        painter.setPen(QPen(theme.colour("accent" if is_current else "border"), edge))
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(theme.colour("selection" if is_current else "hover" if is_hovered else "raised"))
        inner = frame.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
        painter.drawRoundedRect(inner, RADIUS_CONTROL, RADIUS_CONTROL)


def _paint_badge(painter: QPainter, at: QPointF, text: str, background: QColor) -> None:
    """Paint a letter or weight on a background colour."""
    box = QRectF(at.x(), at.y(), px(_BADGE_PX), px(_BADGE_PX))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(background)
    painter.drawRoundedRect(box, RADIUS_SMALL, RADIUS_SMALL)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(Type.CAPTION))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _text_layout(place: WordsInContext, width: int) -> QTextLayout:
    """Lay out a text in lines of a width, its context muted."""
    text = f"{place.before}{place.words}{place.after}"
    layout = QTextLayout(text, theme.font(Type.BODY))
    offsets = offsets_of(text)
    context = (0, len(place.before)), (len(text) - len(place.after), len(text))
    layout.setFormats([_muted(*offsets.span_to_document(span)) for span in context])
    layout.beginLayout()
    top = 0.0
    while (row := layout.createLine()).isValid():
        row.setLineWidth(max(width, _MIN_TEXT_PX))
        row.setPosition(QPointF(0, top))
        top += row.height()
    layout.endLayout()
    return layout


def _muted(start: int, end: int) -> QTextLayout.FormatRange:
    char_format, muted = QTextCharFormat(), QTextLayout.FormatRange()
    char_format.setForeground(theme.colour("muted"))
    muted.start, muted.length, muted.format = start, end - start, char_format
    return muted


def _text_height(text: str, kind: Type, width: float) -> float:
    return (
        QFontMetricsF(theme.font(kind)).boundingRect(QRectF(0, 0, width, _UNLIMITED_PX), _WRAP, text).height()
    )


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    state: QStyle.StateFlag = option.state
    return state
