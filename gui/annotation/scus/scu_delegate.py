"""Delegate of the SCU list: paints tiers as the steps of a pyramid, and edits labels in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.domain.pyramid import UnitKind
from core.formatting.unit_terms import in_terms_of
from gui.annotation.scus.row_painting import paint_dots, paint_ring, paint_tick_box, paint_weight
from gui.annotation.scus.scu_model import LINE_ROLE, ScuModel
from gui.annotation.scus.scu_values import ScuRow, Tier
from gui.annotation.stored_text_field import LabelField
from gui.annotation.text.weight_lines import draw_weight_line
from gui.annotation.text.wrapped_label import LabelLines
from gui.style import icons, theme
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px

STEP_PX, MARGIN_PX = 8, 40
ROW_HEIGHT, HEAD_HEIGHT = 34, 28
_TOP_PX = 16  # width of the pyramid's top step in the margin
_LONG_NOTES = {UnitKind.SCU: ("99 of 99", "no span", "12 parts"), UnitKind.NUGGET: ("+12 · vital",)}
"""The longest notes that are common; the column of notes has room for them."""
_SAMPLE_PX = 24
_BOX_PX = 16
_CHIP_PX, _MIN_PX = 20, 120
_LETTER_PX, _MIN_LETTER_PX, _DOT_CELL_PX = 17, 11, 8
_LETTERS_SHARE = 5  # so do the reference letters of a row; dots replace them if they need more
_MAX_LINES = 3
_MAX_TIP_REFERENCES, _MAX_TIP_CHARS = 12, 100  # references in a tooltip and characters per reference

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


class ScuDelegate(QStyledItemDelegate):
    """Paints tier headings and SCU rows, and edits labels in place.

    letters: letters of the topic's references.
    hovered: the SCU to highlight.
    target: the SCU under a dragged item.
    is_open: returns whether a heading's tier is expanded.
    width: returns the width of the rows in pixels.
    """

    def __init__(
        self,
        is_open: Callable[[Index], bool],
        width: Callable[[], int],
        parent: QObject | None = None,
        kind: UnitKind = UnitKind.SCU,
    ) -> None:
        super().__init__(parent)
        self.kind = kind
        self.letters: Sequence[str] = ()
        self.hovered = self.target = ""
        self.under_pointer: frozenset[str] = frozenset()  # overlapping SCUs under the pointer in a text
        self._has_chips = False
        self._is_open, self._width = is_open, width
        self._apply_theme()
        theme.signal().changed.connect(self._apply_theme)

    @property
    def has_chips(self) -> bool:
        """Whether rows show their weights."""
        return self._has_chips

    def show_chips(self, are_shown: bool) -> None:
        """Show weights in the rows, for orders without tier headings."""
        self._has_chips = are_shown
        self._heights.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        line = model.line(index) if isinstance(model, ScuModel) else None
        if line is None:
            return QSize(_MIN_PX, self._head_px)
        width = self.step_box(QRect(0, 0, self._width(), 0), index).width()
        key = line.label, line.is_matched is None, len(line.in_reference), width
        if key not in self._heights:
            self._heights[key] = self._height(line, width)
        return QSize(_MIN_PX, self._heights[key])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(LINE_ROLE)
        box = self.step_box(QRect(option.rect), index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(item, Tier | ScuRow):
            self._paint_margin(painter, QRect(option.rect), box, index, item.step)
        if isinstance(item, Tier):
            self._paint_heading(painter, box, option, item, self._is_open(index))
        elif isinstance(item, ScuRow):
            self._paint_row(painter, box, option, item)
        painter.restore()

    def step_box(self, whole: QRect, index: Index) -> QRect:
        """Return the part of a row right of the margin, in which the steps of the pyramid are drawn.

        The margin has one width, so that a new tier moves no row sideways.
        """
        model = index.model()
        has_margin = isinstance(model, ScuModel) and model.has_heads
        return whole.adjusted(self._margin_px if has_margin else 0, 0, 0, 0)

    def check_box(self, whole: QRect, index: Index) -> QRect:
        """Return the rectangle of a row's check box; empty = none."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, ScuRow) or item.is_matched is None:
            return QRect()
        return self._check_rect(self.step_box(whole, index))

    def is_elided(self, whole: QRect, index: Index) -> bool:
        """Return whether a row's label is elided."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, ScuRow):
            return False
        room = self._label_room(self.step_box(whole, index), item)
        return self._plain.is_cut(item.label, room.width())

    def hidden_text(self, whole: QRect, index: Index) -> str:
        """Return the texts that don't fit in a row, for its tooltip: label, references and expressions."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, ScuRow):
            return ""
        label = item.label if self.is_elided(whole, index) else ""
        are_dots = self._letter_px(item) < px(_MIN_LETTER_PX)
        pairs = zip(self.letters, item.in_reference, strict=False)
        is_listed = are_dots and not item.expressions
        letters = ", ".join(letter for letter, expresses in pairs if expresses) if is_listed else ""
        listed = (f"{letter}: {_elide(words)}" for letter, words in item.expressions[:_MAX_TIP_REFERENCES])
        rest = len(item.expressions) - _MAX_TIP_REFERENCES
        more = f"and {rest} more" if rest > 0 else ""
        return "\n".join(words for words in (label, letters and f"In {letters}", *listed, more) if words)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = LabelField(parent)
        model = index.model()
        if isinstance(model, ScuModel):
            field.committed.connect(model.label_typed)
            model.hold_rows(True)
        field.left.connect(lambda: self.closeEditor.emit(field, QStyledItemDelegate.EndEditHint.NoHint))
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, LabelField):
            line = index.data(LINE_ROLE)
            is_new = editor.typed.object_id != line.scu_id
            editor.show_text(line.label, line.scu_id)
            if is_new:
                editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, LabelField):
            editor.commit()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box = self.step_box(QRect(option.rect), index).adjusted(TIGHT, 1, -TIGHT, -1)
        if isinstance(editor, LabelField):
            editor.setFixedWidth(box.width())
            editor.set_least_height(box.height())
        editor.move(box.topLeft())

    def _apply_theme(self) -> None:
        self._plain = LabelLines(theme.font(Type.BODY), _MAX_LINES)
        self._strong = LabelLines(theme.font(Type.STRONG), _MAX_LINES)
        self._small, self._caption = QFont(theme.font(Type.SMALL)), QFont(theme.font(Type.CAPTION))
        self._row_px, self._head_px, self._margin_px = px(ROW_HEIGHT), px(HEAD_HEIGHT), px(MARGIN_PX)
        small = QFontMetrics(self._small)
        self._note_px = max(small.horizontalAdvance(note) for note in _LONG_NOTES[self.kind])
        self._heights: dict[tuple[str, bool, int, int], int] = {}

    def _paint_margin(self, painter: QPainter, whole: QRect, box: QRect, index: Index, step: int) -> None:
        """Draw a tier's step of the pyramid into the margin, wider for each tier below the top."""
        if box.left() == whole.left():
            return
        heading = index.parent() if index.parent().isValid() else index
        tiers, least = index.model().rowCount(), px(_TOP_PX)
        more = min(px(STEP_PX), (self._margin_px - least) // max(1, tiers - 1))
        width = least + more * heading.row()
        tint = QColor(theme.tokens().weights[step - 1].tint)
        painter.fillRect(QRect(box.left() - width, box.top(), width, box.height()), tint)

    def _height(self, line: ScuRow, width: int) -> int:
        """Return the height of a row for a step of this width, in pixels."""
        room = self._label_room(QRect(0, 0, width, 0), line)
        return self._row_px + (len(self._plain.lines(line.label, room.width())) - 1) * self._plain.line_px

    def _paint_heading(
        self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, tier: Tier, is_open: bool
    ) -> None:
        colours = theme.tokens()
        painter.fillRect(box, QColor(colours.weights[tier.step - 1].tint))
        if _is_current(option):
            paint_ring(painter, box)
        glyph = icons.pixmap("chevron-down" if is_open else "chevron-right", "text", icons.ROW_PX)
        at = QPointF(box.left() + SMALL, box.center().y() - icons.ROW_PX / 2 + 1)
        painter.drawPixmap(at, glyph)
        painter.setPen(theme.colour("text"))
        painter.setFont(self._strong.font)
        title = f"{in_terms_of(self.kind, 'Weight')} {tier.weight}"
        left = box.left() + SMALL + icons.ROW_PX + SMALL
        painter.drawText(QRect(left, box.top(), box.width(), box.height()), _LEFT, title)
        sample = left + QFontMetrics(self._strong.font).horizontalAdvance(title) + MEDIUM
        painter.setFont(self._small)
        painter.setPen(theme.colour("text"))
        metrics, room = QFontMetrics(self._small), box.right() - sample - SMALL
        fact = next(
            (words for words in tier.facts(self.kind) if metrics.horizontalAdvance(words) <= room), ""
        )
        painter.drawText(box.adjusted(0, 0, -MEDIUM, 0), _RIGHT, fact)
        fact_width = metrics.horizontalAdvance(fact)
        if sample + px(_SAMPLE_PX) + SMALL < box.right() - MEDIUM - fact_width:
            draw_weight_line(painter, sample, sample + px(_SAMPLE_PX), box.center().y(), tier.step)

    def _paint_row(self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, line: ScuRow) -> None:
        painter.fillRect(box, QColor(theme.tokens().row_tint(line.step)))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.colour("border"))
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected:
            self._paint_selection(painter, box, is_current=_is_current(option))
        elif line.scu_id == self.hovered or line.scu_id in self.under_pointer:
            paint_ring(painter, box, 1.0)
        if line.scu_id == self.target:
            paint_ring(painter, box)
        if line.is_matched is not None:
            sign = "check" if line.is_matched else ""
            paint_tick_box(painter, QRectF(self._check_rect(box)), sign)
        if self.has_chips:
            paint_weight(painter, self._chip_box(box, line), line.weight, line.step)
        self._paint_label(painter, box, line, is_selected)
        self._paint_right(painter, box, line)

    def _paint_selection(self, painter: QPainter, box: QRect, *, is_current: bool) -> None:
        painter.fillRect(box, theme.colour("selection"))
        if is_current:
            paint_ring(painter, box)
        else:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.colour("accent"))

    def _paint_label(self, painter: QPainter, box: QRect, line: ScuRow, is_selected: bool) -> None:
        label, room = line.label or "(no label)", self._label_room(box, line)
        letters = self._plain
        painter.setFont(letters.font)
        painter.setPen(theme.colour("muted" if line.is_matched is False and not is_selected else "text"))
        lines = letters.lines(label, room.width())
        top = room.center().y() + 1 - len(lines) * letters.line_px // 2
        for place, words in enumerate(lines):
            row = QRect(room.left(), top + place * letters.line_px, room.width() + SMALL, letters.line_px)
            painter.drawText(row, _LEFT, words)

    def _check_rect(self, box: QRect) -> QRect:
        size = px(_BOX_PX)
        return QRect(box.left() + MEDIUM, box.center().y() - size // 2, size, size)

    def _chip_box(self, box: QRect, line: ScuRow) -> QRect:
        size = px(_CHIP_PX)
        return QRect(
            box.left() + self._left_width(line) - size - SMALL, box.center().y() - size // 2, size, size
        )

    def _label_room(self, box: QRect, line: ScuRow) -> QRect:
        return box.adjusted(self._left_width(line), 0, -self.right_width(line) - MEDIUM - SMALL, 0)

    def _left_width(self, line: ScuRow) -> int:
        """Return the width left of the label: check box and weight."""
        check = px(_BOX_PX) + SMALL if line.is_matched is not None else 0
        return MEDIUM + check + (px(_CHIP_PX) + SMALL if self.has_chips else 0)

    def right_width(self, line: ScuRow) -> int:
        """Return the width right of the label: references, and a column for notes, with or without one."""
        if line.is_matched is not None:
            return self._note_px
        note = self._note_px + SMALL if self.kind is UnitKind.NUGGET else 0
        return note + len(line.in_reference) * self._letter_px(line)

    def _letter_px(self, line: ScuRow) -> int:
        """Return the width of a reference's cell: narrower if space is short, then that of a dot."""
        fair = self._width() // (_LETTERS_SHARE * max(1, len(line.in_reference)))
        return min(px(_LETTER_PX), fair) if fair >= px(_MIN_LETTER_PX) else px(_DOT_CELL_PX)

    def _paint_right(self, painter: QPainter, box: QRect, line: ScuRow) -> None:
        if line.is_matched is not None:
            painter.setFont(self._small)
            painter.setPen(theme.colour("text"))
            painter.drawText(box.adjusted(0, 0, -MEDIUM, 0), _RIGHT, line.note)
            return
        width = self._letter_px(line)
        left = box.right() - TIGHT - SMALL - len(line.in_reference) * width
        if line.note:
            painter.setFont(self._small)
            painter.setPen(theme.colour("muted"))
            painter.drawText(
                QRect(box.left(), box.top(), left - SMALL - box.left(), box.height()), _RIGHT, line.note
            )
        if width < px(_MIN_LETTER_PX):
            paint_dots(painter, QRect(left, box.top(), width, box.height()), width, line.in_reference)
            return
        painter.setFont(self._caption)
        painter.setPen(theme.colour("text"))
        for place, expresses in enumerate(line.in_reference):
            cell = QRect(left + place * width, box.top(), width, box.height())
            painter.drawText(cell, _CENTRE, self.letters[place] if expresses else "·")


def _elide(words: str) -> str:
    return words if len(words) <= _MAX_TIP_CHARS else f"{words[: _MAX_TIP_CHARS - 1].rstrip()}…"


def _is_current(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_HasFocus)
