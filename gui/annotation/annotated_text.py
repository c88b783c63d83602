"""A text that is read and marked, never changed: grounds, rails and rings below its letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.annotation.word_coverage import covered_spans, uncovered_spans
from core.domain.study import Span
from gui.annotation.mark_painting import HANDLE_PX, MarkPainter, Rings, gaps_between
from gui.annotation.marks import Mark, MarkLayout, layout_marks, units_at
from gui.annotation.weight_lines import LANE_PX
from gui.annotation.word_caret import with_end_at
from gui.annotation.word_selection_text import WordSelectionText
from gui.style import reading_preferences, theme

LINE_HEIGHT = 1.6
_LANES_IN_A_LINE = 3  # more of them need taller lines
_LEAST_LINES = 4
_ANY_PX = 16_777_215  # Qt's QWIDGETSIZE_MAX
_REACH_PX = 8  # round the middle of a handle
_LEAST_DRAG_PX = 3
_FAR_PX = 100_000.0


@dataclass(frozen=True, slots=True)
class Handle:
    """One end of a part of the selected unit, to drag. unit_id: the SCU, or its match where it has one."""

    unit_id: str
    span: Span
    at_end: bool


class AnnotatedText(WordSelectionText):
    """Shows one stored text with its marks; all places are code points of that text.

    Signals:
        unit_hovered: the unit under the pointer, the heaviest of several, empty = none.
        units_hovered: all units under the pointer, a tuple of them.
        unit_clicked: a unit; clicking again where units overlap gives the next one.
        part_resized: a unit (its match where it has one), the span of its part, and the one that a handle was
        dragged to.
    """

    unit_hovered = Signal(str)
    units_hovered = Signal(object)
    unit_clicked = Signal(str)
    part_resized = Signal(str, object, object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._given: tuple[Mark, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._layout = MarkLayout()
        self._selected, self._hovered = "", ""
        self._proposed: tuple[Span, ...] = ()
        self._under_pointer: tuple[str, ...] = ()
        self._hides_covered = False
        self._can_resize = False
        self._held: Handle | None = None
        self._dragged_to: Span = (0, 0)
        self._line_px = 0.0
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self.dress()

    def show_text(self, text: str) -> None:
        """Show a text without marks, from its beginning; the one that is shown stays as it is."""
        if text == self._text and self._words:
            return
        self._given, self._marks, self._layout, self._proposed = (), (), MarkLayout(), ()
        self._write(text, ())
        self._write_outside()
        self._space_lines(force=True)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Mark these units; what is selected, in sight and under the caret stays."""
        if self._given == (given := tuple(marks)):
            return
        self._given, self._marks = given, tuple(mark.within(len(self._text)) for mark in given)
        if not self._fold():
            self._place_marks()

    def show_covered(self, is_shown: bool) -> None:
        """Show covered words, or a sign in place of each stretch of them."""
        self._hides_covered = not is_shown
        self._fold()

    def show_selected(self, unit_id: str) -> None:
        """Ring a unit's parts; empty = none."""
        if unit_id != self._selected:
            self._selected = unit_id
            self.viewport().update()

    def show_hovered(self, unit_id: str) -> None:
        """Ring a unit's parts lightly; empty = none."""
        if unit_id != self._hovered:
            self._hovered = unit_id
            self.viewport().update()

    def allow_resizing(self) -> None:
        """Give the selected unit's parts a handle at each end, to drag."""
        self._can_resize = True

    def handle_point(self, span: Span, *, at_end: bool) -> QPoint:
        """Where the handle at one end of a part is, in the viewport."""
        return self._handle_at(span, at_end).toPoint()

    def show_proposed(self, spans: Sequence[Span]) -> None:
        """Ring words that are only proposed, in dashes, and scroll to them; none = nothing is."""
        if self._proposed != (found := tuple(sorted(spans))):
            self._proposed = found
            self.viewport().update()
            if found:
                self.reveal_places([start for start, _ in found])

    @property
    def selected_unit(self) -> str:
        """Return the id of the outlined SCU or unit; empty for none."""
        return self._selected

    @property
    def proposed(self) -> tuple[Span, ...]:
        """The words that are ringed as a proposal."""
        return self._proposed

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked."""
        return self._marks

    def uncovered(self) -> tuple[Span, ...]:
        """The stretches of words that no unit holds."""
        return uncovered_spans(self._words, (span for mark in self._marks for span in mark.spans))

    def units_under(self, point: QPoint) -> tuple[str, ...]:
        """The units at a point of the viewport, heaviest first; of a folded stretch all that it holds."""
        place = QPointF(point) - self._origin()
        position = self.document().documentLayout().hitTest(place, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return ()
        offset = self._offsets.to_text(position)
        return units_at(self._marks, *next((f for f in self._folds if f[0] == offset), (offset, offset + 1)))

    def reveal(self, unit_id: str) -> bool:
        """Scroll to a unit's first part unless some of it is in sight; whether the text has one."""
        starts = [start for mark in self._marks if mark.belongs_to(unit_id) for start, _ in mark.spans]
        if not starts:
            return False
        self.reveal_places(sorted(starts))
        return True

    def reveal_places(self, places: Sequence[int]) -> None:
        """Scroll to the first of these places unless one of them is in sight."""
        boxes = [self._box_at(place) for place in places]
        seen = self.viewport().rect()
        if not any(seen.contains(box) for box in boxes):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + round(boxes[0].top() - seen.height() / 3))

    def fit_height(self) -> None:
        """Take the height of the whole text at the present width."""
        frame = max(self.height() - self.viewport().height(), 0)
        self.setFixedHeight(ceil(self.document().size().height()) + frame)

    def free_height(self) -> None:
        """Take any height again."""
        self.setMinimumHeight(0)
        self.setMaximumHeight(_ANY_PX)

    def box_of(self, place: int) -> QRect:
        """The box of a place of the text in the viewport."""
        return self._box_at(place)

    def first_place(self, unit_id: str) -> int | None:
        """Where a unit begins, None = this text does not express it."""
        starts = (start for mark in self._marks if mark.belongs_to(unit_id) for start, _ in mark.spans)
        return min(starts, default=None)

    def sizeHint(self) -> QSize:
        frame = self.height() - self.viewport().height()
        return QSize(320, round(self.document().size().height()) + max(frame, 2 * theme.px(8)))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, min(self.sizeHint().height(), round(_LEAST_LINES * self._line_px) + theme.px(16)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        marks = MarkPainter(painter, self.document(), self._origin(), QRectF(event.rect()))
        marks.paint(self._layout, self._rings())
        if self.underMouse() or self.hasFocus():
            marks.paint_handles([self._handle_at(self._seen(h.span), h.at_end) for h in self._handles()])
        painter.end()
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._held = self._handle_under(event.position())
        if self._held is not None:
            self._pressed_at, self._dragged_to = event.position().toPoint(), self._held.span
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._drag_handle(self._held, event)
            return
        super().mouseMoveEvent(event)
        if not event.buttons():
            is_on_handle = self._handle_under(event.position()) is not None
            shape = Qt.CursorShape.SizeHorCursor if is_on_handle else Qt.CursorShape.IBeamCursor
            self.viewport().setCursor(shape)
            self._hover(self.units_under(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is None:
            super().mouseReleaseEvent(event)
            return
        self._drag_handle(self._held, event)
        held, span = self._held, self._dragged_to
        self._drop_handle()
        if span != held.span:
            self.part_resized.emit(held.unit_id, held.span, span)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._held is not None:
            self._drop_handle()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.viewport().update()  # for the handles

    def leaveEvent(self, event: object) -> None:
        self._hover(())
        self.viewport().update()

    def click_at(self, point: QPoint) -> None:
        if units := self.units_under(point):
            at = units.index(self._selected) + 1 if self._selected in units else 0
            self.unit_clicked.emit(units[at % len(units)])

    def _hover(self, units: tuple[str, ...]) -> None:
        if (first := next(iter(units), "")) != self._hovered:
            self.unit_hovered.emit(first)
        if units != self._under_pointer:
            self._under_pointer = units
            self.units_hovered.emit(units)

    def _handles(self) -> Iterator[Handle]:
        """The handles of the selected unit's parts; none while words are folded away."""
        if not self._can_resize or self._folds:
            return
        for mark in self._marks_of(self._selected):
            for span in mark.spans:
                for at_end in (False, True):
                    yield Handle(mark.match_id or mark.unit_id, span, at_end)

    def _seen(self, span: Span) -> Span:
        """A part's span as it is painted: where its handle was dragged to."""
        return self._dragged_to if self._held is not None and span == self._held.span else span

    def _handle_at(self, span: Span, at_end: bool) -> QPointF:
        """The middle of a handle: above the first letter of a part, below its last."""
        position = self._offsets.to_document(span[1] if at_end else span[0])
        block = self.document().findBlock(position - (1 if at_end and position else 0))
        layout, within = block.layout(), position - block.position()
        line = layout.lineForTextPosition(max(within - 1, 0) if at_end else within)
        if not line.isValid():
            return QPointF(-_FAR_PX, -_FAR_PX)
        x, _ = cast(tuple[float, int], line.cursorToX(within))
        metrics = QFontMetricsF(self.document().defaultFont())
        baseline = layout.position().y() + line.y() + line.ascent()
        y = (
            baseline + metrics.descent() + HANDLE_PX
            if at_end
            else baseline - metrics.ascent() - HANDLE_PX / 2
        )
        return QPointF(layout.position().x() + x, y) + self._origin()

    def _handle_under(self, point: QPointF) -> Handle | None:
        """The handle under the pointer, the nearest of several."""
        reach = theme.px(_REACH_PX)
        near = [
            ((self._handle_at(handle.span, handle.at_end) - point).manhattanLength(), place, handle)
            for place, handle in enumerate(self._handles())
        ]
        return next((handle for far, _, handle in sorted(near, key=lambda n: n[:2]) if far <= reach), None)

    def _drag_handle(self, handle: Handle, event: QMouseEvent) -> None:
        """Move an end of a part to the pointer: by whole words, by characters where selecting does."""
        moved = event.position().toPoint() - self._pressed_at
        if moved.manhattanLength() < _LEAST_DRAG_PX and self._dragged_to == handle.span:
            return
        # the knob of an end is below its line, and the pointer is where the knob was taken
        point = event.position() - QPointF(0, HANDLE_PX + 2 if handle.at_end else 0)
        place = self._offsets.to_text(self.cursorForPosition(point.toPoint()).position())
        start, end = handle.span
        if event.modifiers() & Qt.KeyboardModifier.AltModifier or reading_preferences.selects_characters():
            span = (start, max(place, start + 1)) if handle.at_end else (min(place, end - 1), end)
        else:
            span = with_end_at(self._words, handle.span, place, at_end=handle.at_end)
        if span != self._dragged_to:
            self._dragged_to = span
            self.viewport().update()

    def _drop_handle(self) -> None:
        self._held = None
        self.viewport().update()

    def _origin(self) -> QPointF:
        return QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())

    def _box_at(self, offset: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_document(offset))
        return self.cursorRect(cursor)

    def _rings(self) -> Rings:
        return Rings(
            self._parts_of(self._selected),
            self._parts_of(self._hovered) if self._hovered != self._selected else (),
            tuple(self._span_shown(span) for span in self._pending),
            tuple(self._span_shown(span) for span in self._proposed),
            tuple(
                gap
                for mark in self._marks_of(self._selected)
                for gap in gaps_between(self._placed(mark).spans)
            ),
        )

    def _parts_of(self, unit_id: str) -> tuple[Span, ...]:
        spans = [span for mark in self._marks_of(unit_id) for span in mark.spans]
        return tuple(self._span_shown(span) for span in sorted(map(self._seen, spans)))

    def _marks_of(self, unit_id: str) -> list[Mark]:
        return [mark for mark in self._marks if mark.belongs_to(unit_id)]

    def _placed(self, mark: Mark) -> Mark:
        return replace(mark, spans=tuple(self._span_shown(span) for span in mark.spans))

    def dress(self) -> None:
        super().dress()
        self._space_lines(force=True)
        self._write_outside()
        self.updateGeometry()

    def _fold(self) -> bool:
        """Fold away what is to be hidden; whether the document was written anew for it."""
        spans = (span for mark in self._marks for span in mark.spans)
        folds = covered_spans(self._words, spans) if self._hides_covered else ()
        if folds == self._folds:
            return False
        caret, scrolled = self._caret(), self.verticalScrollBar().value()
        self._write(self._text, folds)
        self._layout = MarkLayout()
        self._space_lines(force=True)
        self._place_marks()
        self._put(caret)
        self.verticalScrollBar().setValue(scrolled)
        return True

    def _place_marks(self) -> None:
        before = self._layout
        self._layout = layout_marks([self._placed(mark) for mark in self._marks])
        if (before.outside, before.quiet) != (self._layout.outside, self._layout.quiet):
            self._write_outside()
        self._space_lines()
        self.viewport().update()

    def _space_lines(self, *, force: bool = False) -> None:
        """Give lines their height; where many units overlap, all lines of the text get room for the rails."""
        extra = max(0, len(self._layout.lanes) - _LANES_IN_A_LINE) * LANE_PX
        wanted = LINE_HEIGHT * self.font().pixelSize() + extra
        if wanted == self._line_px and not force:
            return
        self._line_px = wanted
        spacing = QTextBlockFormat()
        spacing.setLineHeight(wanted, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._everything().mergeBlockFormat(spacing)

    def _write_outside(self) -> None:
        """Write units outside the pyramid in italics, muted where no tint lies below."""
        outside, quiet = QTextCharFormat(), QTextCharFormat()
        outside.setFontItalic(True)
        quiet.setForeground(theme.colour("muted"))
        cursor = self._everything()
        cursor.setCharFormat(QTextCharFormat())
        for spans, written in ((self._layout.outside, outside), (self._layout.quiet, quiet)):
            for start, end in spans:
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(written)

    def _everything(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        return cursor
