"""Rows of units and references with what they paint: below their SCU, and units outside the pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.annotation.match_values import ExpressionRow, UnitRow
from gui.annotation.stored_text_field import NoteField, StoredTextField
from gui.item_models.table_model import Index
from gui.style import icons, theme
from gui.style.language import direction, tr
from gui.style.theme import LEFT, MEDIUM, RADIUS_SMALL, RIGHT, SMALL, TIGHT, Type, px
from gui.widgets.lists.grouped_tree import draw_ring
from gui.widgets.utf16_offsets import offsets_of

_DOT_PX, _SPECK_PX = 4, 2.0


def paint_tick_box(painter: QPainter, box: QRectF, sign: str) -> None:
    """Paint a check box.

    sign: name of the icon in it, for example ``check``; empty = unchecked.
    """
    painter.setPen(QPen(theme.colour("accent" if sign else "outline"), 1))
    painter.setBrush(theme.colour("accent" if sign else "surface"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL, RADIUS_SMALL)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if sign:
        drawing = icons.pixmap(sign, "on_accent", round(box.width()) - 2)
        painter.drawPixmap(box.topLeft() + QPointF(1, 1), drawing)


def paint_dots(painter: QPainter, row: QRect, cell_px: int, are_full: Sequence[bool]) -> None:
    """Paint large and small dots from the left of a row, one per cell."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("text"))
    middle, full = row.center().y(), float(px(_DOT_PX) + 1)
    for place, is_full in enumerate(are_full):
        size = full if is_full else _SPECK_PX
        x = row.left() + (place + 0.5) * cell_px
        painter.drawEllipse(QRectF(x - size / 2, middle - size / 2, size, size))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def laid_out(text: str, kind: Type, width: float, formats: Sequence[QTextLayout.FormatRange]) -> QTextLayout:
    """Return a text in lines of this width, with formats of its parts."""
    layout = QTextLayout(text, theme.font(kind))
    layout.setFormats(formats)
    layout.beginLayout()
    top = 0.0
    while (row := layout.createLine()).isValid():
        row.setLineWidth(width)
        row.setPosition(QPointF(0, top))
        top += row.height()
    layout.endLayout()
    return layout


def format_range(start: int, end: int, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, end - start, text_format
    return made


_MAX_CACHED = 4000


class LabelLines:
    """Wraps labels in one font and caches the result, since lists ask for every row at each layout."""

    def __init__(self, font: QFont, max_lines: int = 2) -> None:
        self.font = font
        self._metrics = QFontMetrics(font)
        self.line_px = self._metrics.lineSpacing()
        self._max_lines = max_lines
        self._cache: dict[tuple[str, int], tuple[str, ...]] = {}

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


LINE_ROLE = Qt.ItemDataRole.UserRole
"""What a row shows: a ScuRow, Tier, UnitRow or ExpressionRow."""
REPETITION = "repetition"
_SIGN_PX = 18
_MAX_LINES = 200
_CENTRE = Qt.AlignmentFlag.AlignCenter


class UnitDelegate(QStyledItemDelegate):
    """Paints units with a button that removes them, and references; edits comments below their unit.

    hovered_unit: the unit to paint the button for, besides the selected one.
    selected_unit: the unit that is selected on the page.

    Signals:
        comment_typed: match id, new comment.
    """

    comment_typed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hovered_unit = self.selected_unit = ""
        self._commented = ""  # the unit whose comment is open
        self._apply_theme()
        theme.signal().changed.connect(self._apply_theme)

    def indent(self, index: Index) -> int:
        """Return the width left of the row's text in pixels."""
        return MEDIUM

    def row_box(self, whole: QRect) -> QRect:
        """Return the part of a row that its ground and its focus ring fill."""
        return whole

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        item, high = index.data(LINE_ROLE), self.line_px
        if isinstance(item, ExpressionRow):
            view = option.widget
            width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
            lines = len(self._wrapper.lines(item.words, self._text_width(width, index)))
            high = max(high, lines * self._wrapper.line_px + TIGHT)
        elif isinstance(item, UnitRow) and item.match_id and item.match_id == self._commented:
            high += self._field_px + TIGHT
        elif isinstance(item, UnitRow) and item.comment:
            high += self._wrapper.line_px
        return QSize(px(120), high)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item, whole = index.data(LINE_ROLE), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(item, UnitRow):
            self._paint_unit(painter, whole, option, index, item)
        elif isinstance(item, ExpressionRow):
            self._paint_reference(painter, whole, option, index, item)
        painter.restore()

    def remove_rect(self, whole: QRect, index: Index) -> QRect:
        """Return the rectangle of the button that removes a unit; empty for other rows."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, UnitRow) or not item.match_id:
            return QRect()
        size = px(icons.ROW_PX) + TIGHT
        return QRect(whole.right() - size - SMALL, whole.top() + (self.line_px - size) // 2, size, size)

    def comment_on(self, match_id: str) -> None:
        """Make room for a comment field below a unit; empty = for none."""
        self._commented = match_id

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = NoteField(tr("Comment on the unit"), tr("Comment on this unit"), lines=1)
        field.setParent(parent)
        field.ensurePolished()
        self._field_px = field.minimumHeight()
        self.sizeHintChanged.emit(index)
        field.committed.connect(self.comment_typed)
        field.left.connect(lambda: self.closeEditor.emit(field, QStyledItemDelegate.EndEditHint.NoHint))
        return field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave Escape to a field, which restores its text; Qt would close it, which stores the text."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() is QEvent.Type.KeyPress and isinstance(watched, StoredTextField):
            return False
        return super().eventFilter(watched, event)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        item = index.data(LINE_ROLE)
        if isinstance(editor, StoredTextField) and isinstance(item, UnitRow):
            editor.typed.show(item.comment, item.match_id)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, StoredTextField):
            editor.commit()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        left = self._text_left(index)
        width = option.rect.width() - left - MEDIUM
        editor.setGeometry(
            option.rect.left() + left, option.rect.top() + self.line_px, width, editor.height()
        )

    @Slot()
    def _apply_theme(self) -> None:
        self._wrapper = LabelLines(theme.font(Type.SMALL), _MAX_LINES)
        self.line_px = self._wrapper.line_px + TIGHT + 1
        self._field_px = NoteField("", "", lines=1).height()

    def _text_left(self, index: Index) -> int:
        return self.indent(index) + px(_SIGN_PX) + TIGHT

    def _text_width(self, width: int, index: Index) -> int:
        return max(px(_SIGN_PX), width - self._text_left(index) - MEDIUM)

    def _paint_ground(
        self, painter: QPainter, whole: QRect, option: QStyleOptionViewItem, *, is_chosen: bool
    ) -> None:
        box = self.row_box(whole)
        if is_chosen or option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.colour("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.colour("hover"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_ring(painter, box, radius=RADIUS_SMALL)

    def _paint_unit(
        self, painter: QPainter, whole: QRect, option: QStyleOptionViewItem, index: Index, row: UnitRow
    ) -> None:
        is_chosen = bool(row.match_id) and row.match_id == self.selected_unit
        self._paint_ground(painter, whole, option, is_chosen=is_chosen)
        if is_chosen:
            left = self.row_box(whole).left()
            painter.fillRect(QRect(left, whole.top(), 3, whole.height()), theme.colour("accent"))
        upper = QRect(whole.left() + self.indent(index), whole.top(), whole.width(), self.line_px)
        sign = QRect(upper.left(), upper.top(), px(_SIGN_PX), upper.height())
        painter.setPen(theme.colour("muted"))
        painter.setFont(theme.font(Type.CAPTION))
        is_gone = not row.match_id
        if row.number or is_gone:
            painter.drawText(sign, _CENTRE, str(row.number or "–"))
        else:
            icons.draw(painter, sign, "check", "accent")
        right = whole.right() - MEDIUM
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if not is_gone and (is_chosen or row.match_id == self.hovered_unit or is_current):
            icons.draw(painter, self.remove_rect(whole, index), "close", "text")
        if not is_gone:
            right = self.remove_rect(whole, index).left() - SMALL
        room = QRect(whole.left() + self._text_left(index), upper.top(), 0, upper.height())
        room.setRight(right)
        font = QFont(self._wrapper.font)
        metrics = QFontMetrics(font)
        if row.is_repeat:
            painter.setFont(font)
            painter.drawText(room, RIGHT, REPETITION)
            room.setRight(room.right() - metrics.horizontalAdvance(REPETITION) - SMALL)
        font.setItalic(not row.words or not row.scu_id)
        painter.setFont(font)
        painter.setPen(theme.colour("text" if row.words else "muted"))
        shown = QFontMetrics(font).elidedText(row.shown, _ELIDE, room.width())
        painter.drawText(room, LEFT | direction(shown), shown)
        if row.comment and row.match_id != self._commented:
            font.setItalic(False)
            painter.setFont(font)
            painter.setPen(theme.colour("muted"))
            below = room.translated(0, self._wrapper.line_px)
            words = " ".join(row.comment.split())
            painter.drawText(below, LEFT | direction(words), metrics.elidedText(words, _ELIDE, below.width()))

    def _paint_reference(
        self, painter: QPainter, whole: QRect, option: QStyleOptionViewItem, index: Index, row: ExpressionRow
    ) -> None:
        self._paint_ground(painter, whole, option, is_chosen=False)
        left = whole.left() + self.indent(index)
        painter.setPen(theme.colour("muted"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(QRect(left, whole.top(), px(_SIGN_PX), self.line_px), _CENTRE, row.letter)
        painter.setPen(theme.colour("text"))
        painter.setFont(self._wrapper.font)
        width, high = self._text_width(whole.width(), index), self._wrapper.line_px
        left = whole.left() + self._text_left(index)
        for place, words in enumerate(self._wrapper.lines(row.words, width)):
            room = QRect(left, whole.top() + TIGHT // 2 + place * high, width, high)
            painter.drawText(room, LEFT | direction(row.words) | Qt.TextFlag.TextDontClip, words)


_ELIDE = Qt.TextElideMode.ElideRight


def accessible_detail(row: UnitRow | ExpressionRow) -> str:
    """Return the description of a unit or reference for screen readers."""
    if isinstance(row, ExpressionRow):
        return tr("Reference {letter}: {words}", letter=row.letter, words=row.words)
    if not row.match_id:
        return row.shown
    expressed = (
        tr("{label}, weight {weight}", label=row.label, weight=row.weight)
        if row.scu_id
        else tr("not in the pyramid")
    )
    facts = (
        expressed,
        REPETITION if row.is_repeat else "",
        row.comment and tr("comment: {comment}", comment=row.comment),
    )
    return f"{row.shown}: {', '.join(filter(None, facts))}"
