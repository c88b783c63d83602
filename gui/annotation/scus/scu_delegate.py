"""Delegate of the SCU list: rows of one height and fixed columns, with labels that are edited in place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.match_values import ExpressionRow
from gui.annotation.scus.scu_model import ScuModel
from gui.annotation.scus.scu_values import ScuRow, Tier
from gui.annotation.scus.unit_rows import LINE_ROLE, UnitDelegate, paint_dots, paint_tick_box
from gui.annotation.stored_text_field import LabelField
from gui.item_models.table_model import Index
from gui.style import icons, theme
from gui.style.language import direction, in_terms_of, tr
from gui.style.theme import LEFT, MEDIUM, RADIUS_SMALL, RIGHT, SMALL, TIGHT, Type, px
from gui.widgets.lists.grouped_tree import draw_ring

MARGIN_PX, ROW_HEIGHT = 40, 30
_BOX_PX = 16
_LONG_NOTES = {UnitKind.SCU: ("99 of 99", "no span", "2× · 2 parts"), UnitKind.NUGGET: ("+12 · vital",)}
"""The longest notes that are common; the column of notes has room for them."""
_LETTER_PX, _MIN_LETTER_PX, _DOT_CELL_PX = 13, 11, 8
_LEAST_CHARS = 14  # of a label: where there is less room, dots are left away and notes as wide as they are
_LETTERS_SHARE = 5  # of the width for the letters of references; dots replace them if they need more
_MAX_TIP_REFERENCES, _MAX_TIP_CHARS = 12, 100  # references in a tooltip and characters per reference

_CENTRE = Qt.AlignmentFlag.AlignCenter


class ScuDelegate(UnitDelegate):
    """Paints SCUs, collapsed weights and the details of SCUs, right of the margin with the pyramid.

    hovered: the SCU to highlight.
    target: the SCU under a dragged item.
    scus: the model. width: returns the width of the rows in pixels.
    """

    def __init__(self, scus: ScuModel, width: Callable[[], int], parent: QObject) -> None:
        self._scus, self._width = scus, width
        super().__init__(parent)
        self.hovered = self.target = ""
        self.under_pointer: frozenset[str] = frozenset()  # overlapping SCUs under the pointer in a text

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if index.parent().isValid():
            return super().sizeHint(option, index)
        return QSize(px(120), self._row_px)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(LINE_ROLE)
        box = self.row_box(QRect(option.rect))
        if index.parent().isValid():
            super().paint(painter, option, index)
            view, scu = option.widget, index.parent()
            current = view.currentIndex() if isinstance(view, QAbstractItemView) else scu
            bar = "accent" if scu in (current, current.parent()) else "border"  # a tick opens no details
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.colour(bar))
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(item, Tier):
            self._paint_collapsed(painter, box, option, item)
        elif isinstance(item, ScuRow):
            self._paint_row(painter, box, option, index, item)
        painter.restore()

    def row_box(self, whole: QRect) -> QRect:
        """Return the part right of the margin, which has one width, whatever weights there are."""
        return whole.adjusted(px(MARGIN_PX), 0, 0, 0)

    def check_box(self, whole: QRect, index: Index) -> QRect:
        """Return the rectangle of a row's check box; empty = none."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, ScuRow) or item.is_matched is None:
            return QRect()
        box, size = self.row_box(whole), px(_BOX_PX)
        return QRect(box.left() + MEDIUM, box.center().y() - size // 2, size, size)

    def indent(self, index: Index) -> int:
        return px(MARGIN_PX) + MEDIUM + px(_BOX_PX) + TIGHT

    def label_room(self, whole: QRect, index: Index) -> QRect:
        """Return the rectangle of a row's label, between check box and columns."""
        item, box = index.data(LINE_ROLE), self.row_box(whole)
        if not isinstance(item, ScuRow):
            return QRect()
        check = px(_BOX_PX) + SMALL if item.is_matched is not None else 0
        return box.adjusted(MEDIUM + check, 0, -self._columns_px(item) - MEDIUM - SMALL, 0)

    def hidden_text(self, whole: QRect, index: Index) -> str:
        """Return the texts that don't fit in a row, for its tooltip: label, references and their words."""
        item = index.data(LINE_ROLE)
        if not isinstance(item, ScuRow):
            return ""
        room = self.label_room(whole, index).width()
        label = item.label if QFontMetrics(self._body).horizontalAdvance(item.label) > room else ""
        references = [row for row in item.details if isinstance(row, ExpressionRow)]
        pairs = zip(self._scus.letters, item.in_reference, strict=False)
        is_listed = self._letter_px(item) < px(_MIN_LETTER_PX) and not references
        letters = ", ".join(letter for letter, expresses in pairs if expresses) if is_listed else ""
        listed = (f"{row.letter}: {_elide(row.words)}" for row in references[:_MAX_TIP_REFERENCES])
        rest = len(references) - _MAX_TIP_REFERENCES
        more = tr("and {rest} more", rest=rest) if rest > 0 else ""
        return "\n".join(
            words
            for words in (label, letters and tr("In {letters}", letters=letters), *listed, more)
            if words
        )

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        if index.parent().isValid():
            return super().createEditor(parent, option, index)
        field = LabelField(parent)
        field.committed.connect(self._scus.label_typed)
        self._scus.hold_rows(True)
        field.left.connect(lambda: self.closeEditor.emit(field, self.EndEditHint.NoHint))
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if not isinstance(editor, LabelField):
            super().setEditorData(editor, index)
            return
        line = index.data(LINE_ROLE)
        is_new = editor.typed.object_id != line.scu_id
        editor.typed.show(line.label, line.scu_id)
        if is_new:
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        if not isinstance(editor, LabelField):
            super().updateEditorGeometry(editor, option, index)
            return
        box = self.row_box(QRect(option.rect)).adjusted(TIGHT, 1, -TIGHT, -1)
        editor.setFixedWidth(box.width())
        editor.set_least_height(box.height())
        editor.move(box.topLeft())

    @Slot()
    def _apply_theme(self) -> None:
        super()._apply_theme()
        self._row_px = px(ROW_HEIGHT)
        self._body, self._small, self._caption = map(theme.font, (Type.BODY, Type.SMALL, Type.CAPTION))
        self._measured: dict[tuple[object, ...], int] = {}  # widths of cells, which all rows of a list share
        small = QFontMetrics(self._small)
        self._note_px = max(small.horizontalAdvance(note) for note in _LONG_NOTES[self._scus.kind])

    def _paint_collapsed(
        self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, tier: Tier
    ) -> None:
        painter.fillRect(box, QColor(theme.tokens().weights[tier.step - 1].tint))
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_ring(painter, box, radius=RADIUS_SMALL)
        room = icons.lead(painter, box.adjusted(MEDIUM, 0, -MEDIUM, 0), "chevron-right", "text")
        painter.setPen(theme.colour("text"))
        painter.setFont(self._body)
        title = (
            in_terms_of(self._scus.kind, tr("Weight")) + f" {tier.weight} · {tier.facts(self._scus.kind)[0]}"
        )
        painter.drawText(room, LEFT, title)

    def _paint_row(
        self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, index: Index, line: ScuRow
    ) -> None:
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ground = theme.colour("selection") if is_selected else QColor(theme.tokens().row_tint(line.step))
        painter.fillRect(box, ground)
        above = index.sibling(index.row() - 1, 0)
        if above.isValid() and above.data(LINE_ROLE).weight != line.weight:
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), theme.colour("border"))
        if is_selected:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.colour("accent"))
            if option.state & QStyle.StateFlag.State_HasFocus:
                draw_ring(painter, box, radius=RADIUS_SMALL)
        if line.scu_id == self.hovered or line.scu_id in self.under_pointer:
            draw_ring(painter, box, 1.0, radius=RADIUS_SMALL)
        if line.scu_id == self.target:
            draw_ring(painter, box, radius=RADIUS_SMALL)
        if line.is_matched is not None:
            check = self.check_box(QRect(option.rect), index)
            paint_tick_box(painter, QRectF(check), "check" if line.is_matched else "")
        painter.setFont(self._body)
        painter.setPen(theme.colour("text"))
        room = self.label_room(QRect(option.rect), index)
        label = line.label or tr("(no label)")
        painter.drawText(room, LEFT | direction(label), _elided(painter, label, room.width()))
        self._paint_columns(painter, box, line)

    def _paint_columns(self, painter: QPainter, box: QRect, line: ScuRow) -> None:
        """Paint the letters of the references that express an SCU, and its note right of them."""
        painter.setFont(self._small)
        painter.setPen(theme.colour("text"))
        if line.note:
            room = self._columns_px(line) if self._is_narrow(line) else self._note_px
            note = QRect(box.right() - MEDIUM - room, box.top(), room, box.height())
            painter.drawText(note, RIGHT, _elided(painter, line.note, room))
        width = self._letter_px(line)
        if not width:
            return
        left = box.right() - MEDIUM - self._columns_px(line)
        if width < px(_MIN_LETTER_PX):
            paint_dots(painter, QRect(left, box.top(), width, box.height()), width, line.in_reference)
            return
        painter.setFont(self._caption)
        for place, (letter, expresses) in enumerate(zip(self._scus.letters, line.in_reference, strict=False)):
            cell = QRect(left + place * width, box.top(), width, box.height())
            painter.drawText(cell, _CENTRE, letter if expresses else "·")

    def _columns_px(self, line: ScuRow) -> int:
        """Return the width right of the label: references, and the notes of nuggets and of matches."""
        if self._is_narrow(line):
            return QFontMetrics(self._small).horizontalAdvance(line.note)
        has_notes = line.is_matched is not None or self._scus.kind is UnitKind.NUGGET
        return len(line.in_reference) * self._letter_px(line) + (self._note_px + MEDIUM if has_notes else 0)

    def _is_narrow(self, line: ScuRow) -> bool:
        """Return whether only the note has room at the right."""
        return not self._letter_px(line)

    def _letter_px(self, line: ScuRow) -> int:
        """Return the width of a reference's cell: where space is short that of a dot, or none."""
        key = self._width(), self._scus.letters, len(line.in_reference), line.is_matched is not None
        if key not in self._measured:
            self._measured[key] = self._measured_letter_px(line)
        return self._measured[key]

    def _measured_letter_px(self, line: ScuRow) -> int:
        has_notes = line.is_matched is not None or self._scus.kind is UnitKind.NUGGET
        columns = len(line.in_reference) * px(_DOT_CELL_PX) + (self._note_px + MEDIUM if has_notes else 0)
        around = px(MARGIN_PX) + (px(_BOX_PX) if line.is_matched is not None else 0) + 2 * MEDIUM + 2 * SMALL
        least_label = _LEAST_CHARS * QFontMetrics(self._body).averageCharWidth()
        if self._width() - around - columns < least_label:
            return 0
        letters = map(QFontMetrics(self._caption).horizontalAdvance, self._scus.letters)
        fair = self._width() // (_LETTERS_SHARE * max(1, len(line.in_reference)))
        least = max(max(letters, default=0) + TIGHT, px(_MIN_LETTER_PX))
        return max(px(_LETTER_PX), least) if fair >= least else px(_DOT_CELL_PX)


def _elided(painter: QPainter, text: str, width: int) -> str:
    return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)


def _elide(words: str) -> str:
    return words if len(words) <= _MAX_TIP_CHARS else f"{words[: _MAX_TIP_CHARS - 1].rstrip()}…"
