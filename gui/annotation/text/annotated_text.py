"""Read-only text view with marks painted behind and below the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
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
from gui.annotation.text.mark_painting import HANDLE_PX, MarkPainter, Rings, gaps_between
from gui.annotation.text.marks import Mark, MarkLayout, layout_marks, parts_at, units_at
from gui.annotation.text.weight_lines import LANE_PX
from gui.annotation.text.word_caret import with_end_at
from gui.annotation.text.word_selection_text import WordSelectionText
from gui.style import reading_preferences, theme
from gui.style.language import tr
from gui.widgets.accessible import announce

LINE_HEIGHT = 1.6
_LANES_IN_A_LINE = 3  # more lanes need taller lines
_MIN_LINES = 4
_MAX_PX = 16_777_215  # Qt's QWIDGETSIZE_MAX
_REACH_PX = 8  # around the centre of a handle
_MIN_DRAG_PX = 3
_FAR_PX = 100_000.0


@dataclass(frozen=True, slots=True)
class Handle:
    """A drag handle at one end of a part of the selected unit.

    unit_id: the match if there is one, else the SCU.
    """

    unit_id: str
    span: Span
    at_end: bool


class AnnotatedText(WordSelectionText):
    """Shows a stored text with its marks; all positions are code points of that text.

    Signals:
        unit_hovered: the unit under the pointer, the heaviest of several; empty = none.
        units_hovered: tuple of all units under the pointer.
        unit_clicked: a unit; clicking overlapping units again goes to the next one.
        part_resized: unit (its match if there is one), old and new span of a part after dragging a handle.
    """

    unit_hovered = Signal(str)
    units_hovered = Signal(object)
    unit_clicked = Signal(str)
    part_resized = Signal(str, object, object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._requested: tuple[Mark, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._layout = MarkLayout()
        self._selected, self._hovered = "", ""
        self._proposed: tuple[Span, ...] = ()
        self._under_pointer: tuple[str, ...] = ()
        self._at_caret: tuple[str, ...] = ()
        self._hides_covered = False
        self._can_resize = False
        self._dragged: Handle | None = None
        self._dragged_to: Span = (0, 0)
        self._line_px = 0.0
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self.cursorPositionChanged.connect(self._announce_parts)
        self.dress()

    def show_text(self, text: str, language: str = "") -> None:
        """Show a text without marks, scrolled to its start; does nothing if it is shown already.

        language: code of the language whose rules split the text into sentences, empty = English.
        """
        self._set_language(language)
        if text == self._text and self._words:
            return
        self._requested, self._marks, self._layout, self._proposed = (), (), MarkLayout(), ()
        self._at_caret = ()
        self._write(text, ())
        self._format_outside()
        self._space_lines(force=True)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks; selection, caret and scroll position are preserved."""
        if self._requested == (requested := tuple(marks)):
            return
        self._requested, self._marks = requested, tuple(mark.within(len(self._text)) for mark in requested)
        if not self._fold():
            self._place_marks()

    def show_covered(self, is_visible: bool) -> None:
        """Show covered words, or collapse each run of them into a placeholder character."""
        self._hides_covered = not is_visible
        self._fold()

    def show_selected(self, unit_id: str) -> None:
        """Outline a unit's parts as selected; empty = none."""
        if unit_id != self._selected:
            self._selected = unit_id
            self.viewport().update()

    def show_hovered(self, unit_id: str) -> None:
        """Outline a unit's parts as hovered; empty = none."""
        if unit_id != self._hovered:
            self._hovered = unit_id
            self.viewport().update()

    def allow_resizing(self) -> None:
        """Show a drag handle at each end of the selected unit's parts."""
        self._can_resize = True

    def handle_point(self, span: Span, *, at_end: bool) -> QPoint:
        """Return the position of the handle at one end of a part, in viewport coordinates."""
        return self._handle_at(span, at_end).toPoint()

    def show_proposed(self, spans: Sequence[Span]) -> None:
        """Outline proposed spans with dashes and scroll to them; none = remove the outlines."""
        if self._proposed != (ordered := tuple(sorted(spans))):
            self._proposed = ordered
            self.viewport().update()
            if ordered:
                self.reveal_positions([start for start, _ in ordered])

    @property
    def selected_unit(self) -> str:
        """Return the id of the outlined SCU or unit; empty for none."""
        return self._selected

    @property
    def hovered_unit(self) -> str:
        """Return the id of the highlighted SCU or unit; empty for none."""
        return self._hovered

    @property
    def proposed(self) -> tuple[Span, ...]:
        """The spans outlined as proposed."""
        return self._proposed

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks."""
        return self._marks

    def uncovered(self) -> tuple[Span, ...]:
        """Return the spans of words that are in no unit."""
        return uncovered_spans(self._words, (span for mark in self._marks for span in mark.spans))

    def units_under(self, point: QPoint) -> tuple[str, ...]:
        """Return the units at a point of the viewport, heaviest first; for a folded span, all units in it."""
        place = QPointF(point) - self._origin()
        position = self.document().documentLayout().hitTest(place, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return ()
        offset = self._offsets.to_text(position)
        return units_at(self._marks, *next((f for f in self._folds if f[0] == offset), (offset, offset + 1)))

    def reveal(self, unit_id: str) -> bool:
        """Scroll to a unit's first part unless a part is visible. Return whether the text has a part."""
        starts = [start for mark in self._marks if mark.belongs_to(unit_id) for start, _ in mark.spans]
        if not starts:
            return False
        self.reveal_positions(sorted(starts))
        return True

    def reveal_positions(self, positions: Sequence[int]) -> None:
        """Scroll to the first of these positions unless one of them is visible."""
        boxes = [self._box_at(position) for position in positions]
        visible = self.viewport().rect()
        if not any(visible.contains(box) for box in boxes):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + round(boxes[0].top() - visible.height() / 3))

    def fit_height(self) -> None:
        """Fix the height to that of the whole text at the current width."""
        frame = max(self.height() - self.viewport().height(), 0)
        self.setFixedHeight(ceil(self.document().size().height()) + frame)

    def free_height(self) -> None:
        """Remove the fixed height."""
        self.setMinimumHeight(0)
        self.setMaximumHeight(_MAX_PX)

    def box_of(self, position: int) -> QRect:
        """Return the rectangle of a text position, in viewport coordinates."""
        return self._box_at(position)

    def first_position(self, unit_id: str) -> int | None:
        """Return where a unit's first part starts; None = the text has no part of it."""
        starts = (start for mark in self._marks if mark.belongs_to(unit_id) for start, _ in mark.spans)
        return min(starts, default=None)

    def sizeHint(self) -> QSize:
        frame = self.height() - self.viewport().height()
        return QSize(320, round(self.document().size().height()) + max(frame, 2 * theme.px(8)))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, min(self.sizeHint().height(), round(_MIN_LINES * self._line_px) + theme.px(16)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        marks = MarkPainter(painter, self.document(), self._origin(), QRectF(event.rect()))
        marks.paint(self._layout, self.rings())
        if self.underMouse() or self.hasFocus():
            marks.paint_handles(
                [self._handle_at(self._painted_span(h.span), h.at_end) for h in self._handles()]
            )
        painter.end()
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._dragged = self._handle_under(event.position())
        if self._dragged is not None:
            self._pressed_at, self._dragged_to = event.position().toPoint(), self._dragged.span
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None:
            self._drag_handle(self._dragged, event)
            return
        super().mouseMoveEvent(event)
        if not event.buttons():
            is_on_handle = self._handle_under(event.position()) is not None
            shape = Qt.CursorShape.SizeHorCursor if is_on_handle else Qt.CursorShape.IBeamCursor
            self.viewport().setCursor(shape)
            self._hover(self.units_under(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is None:
            super().mouseReleaseEvent(event)
            return
        self._drag_handle(self._dragged, event)
        dragged, span = self._dragged, self._dragged_to
        self._drop_handle()
        if span != dragged.span:
            self.part_resized.emit(dragged.unit_id, dragged.span, span)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._dragged is not None:
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

    def here(self) -> str:
        """Describe the units at the caret."""
        return "; ".join(parts_at(self._marks, self.caret)) or super().here()

    @Slot()
    def _announce_parts(self) -> None:
        """Announce which units the caret enters and leaves: no text attribute can carry them."""
        before, self._at_caret = self._at_caret, parts_at(self._marks, self.caret)
        if self.hasFocus():
            left = [tr("End of {part}", part=part) for part in before if part not in self._at_caret]
            announce(self, ". ".join([*left, *(part for part in self._at_caret if part not in before)]))

    def _hover(self, units: tuple[str, ...]) -> None:
        if (first := next(iter(units), "")) != self._hovered:
            self.unit_hovered.emit(first)
        if units != self._under_pointer:
            self._under_pointer = units
            self.units_hovered.emit(units)

    def _handles(self) -> Iterator[Handle]:
        """Yield the handles of the selected unit's parts; none while words are folded."""
        if not self._can_resize or self._folds:
            return
        for mark in self._marks_of(self._selected):
            for span in mark.spans:
                for at_end in (False, True):
                    yield Handle(mark.match_id or mark.unit_id, span, at_end)

    def _painted_span(self, span: Span) -> Span:
        """Return a part's span as painted: while its handle is dragged, the new one."""
        return self._dragged_to if self._dragged is not None and span == self._dragged.span else span

    def _handle_at(self, span: Span, at_end: bool) -> QPointF:
        """Return the centre of a handle: above the first character of a part, below its last."""
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
        """Return the handle nearest to the pointer, if it is within reach."""
        reach = theme.px(_REACH_PX)
        near = [
            ((self._handle_at(handle.span, handle.at_end) - point).manhattanLength(), place, handle)
            for place, handle in enumerate(self._handles())
        ]
        return next(
            (handle for distance, _, handle in sorted(near, key=lambda n: n[:2]) if distance <= reach), None
        )

    def _drag_handle(self, handle: Handle, event: QMouseEvent) -> None:
        """Move an end of a part to the pointer, by words, or by characters if text is selected so."""
        moved = event.position().toPoint() - self._pressed_at
        if moved.manhattanLength() < _MIN_DRAG_PX and self._dragged_to == handle.span:
            return
        # the end handle is below its line, and the pointer is on the handle
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
        self._dragged = None
        self.viewport().update()

    def _origin(self) -> QPointF:
        return QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())

    def _box_at(self, offset: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_document(offset))
        return self.cursorRect(cursor)

    def rings(self) -> Rings:
        """Return the outlined spans, in document positions."""
        return Rings(
            self._parts_of(self._selected),
            self._parts_of(self._hovered) if self._hovered != self._selected else (),
            tuple(self._displayed_span(span) for span in self._pending),
            tuple(self._displayed_span(span) for span in self._proposed),
            tuple(
                gap
                for mark in self._marks_of(self._selected)
                for gap in gaps_between(self._placed(mark).spans)
            ),
        )

    def _parts_of(self, unit_id: str) -> tuple[Span, ...]:
        spans = [span for mark in self._marks_of(unit_id) for span in mark.spans]
        return tuple(self._displayed_span(span) for span in sorted(map(self._painted_span, spans)))

    def _marks_of(self, unit_id: str) -> list[Mark]:
        return [mark for mark in self._marks if mark.belongs_to(unit_id)]

    def _placed(self, mark: Mark) -> Mark:
        return replace(mark, spans=tuple(self._displayed_span(span) for span in mark.spans))

    def dress(self) -> None:
        super().dress()
        self._space_lines(force=True)
        self._format_outside()
        self.updateGeometry()

    def _fold(self) -> bool:
        """Fold the words to hide. Return whether the document was rewritten."""
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
        self._at_caret = parts_at(self._marks, self.caret)
        self._layout = layout_marks([self._placed(mark) for mark in self._marks])
        if (before.outside, before.muted) != (self._layout.outside, self._layout.muted):
            self._format_outside()
        self._space_lines()
        self.viewport().update()

    def _space_lines(self, *, force: bool = False) -> None:
        """Set the line height; all lines get room for the rails if many units overlap."""
        extra = max(0, len(self._layout.lanes) - _LANES_IN_A_LINE) * LANE_PX
        line_px = LINE_HEIGHT * self.font().pixelSize() + extra
        if line_px == self._line_px and not force:
            return
        self._line_px = line_px
        spacing = QTextBlockFormat()
        spacing.setLineHeight(line_px, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._whole_document().mergeBlockFormat(spacing)

    def _format_outside(self) -> None:
        """Format units outside the pyramid in italics, muted where they have no tint."""
        outside, muted = QTextCharFormat(), QTextCharFormat()
        outside.setFontItalic(True)
        muted.setForeground(theme.colour("muted"))
        cursor = self._whole_document()
        cursor.setCharFormat(QTextCharFormat())
        for spans, text_format in ((self._layout.outside, outside), (self._layout.muted, muted)):
            for start, end in spans:
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(text_format)

    def _whole_document(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        return cursor
