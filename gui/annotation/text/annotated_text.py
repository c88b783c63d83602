"""Read-only text view with marks painted behind and below the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.annotation.word_coverage import covered_spans, uncovered_spans
from core.domain.study import Span
from gui.annotation.text.marks import (
    LANE_PX,
    Mark,
    MarkLayout,
    draw_dots,
    draw_weight_line,
    layout_marks,
    parts_at,
    stretches_in,
    units_at,
)
from gui.annotation.text.word_selection_text import WordSelectionText, with_end_at
from gui.style import reading_preferences, theme
from gui.style.language import has_right_to_left, tr
from gui.style.theme import RADIUS_SMALL
from gui.widgets.accessible import announce

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
        self.marks: tuple[Mark, ...] = ()  # marks
        self._layout = MarkLayout()
        self.selected_unit, self.hovered_unit = "", ""
        self.proposed: tuple[Span, ...] = ()  # spans outlined as proposed
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
        if text == self.content and self.word_spans:
            return
        self._requested, self.marks, self._layout, self.proposed = (), (), MarkLayout(), ()
        self._at_caret = ()
        self._write(text, ())
        self._format_outside()
        self._space_lines(force=True)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the marks; selection, caret and scroll position are preserved."""
        if self._requested == (requested := tuple(marks)):
            return
        self._requested, self.marks = requested, tuple(mark.within(len(self.content)) for mark in requested)
        if not self._fold():
            self._place_marks()

    def show_covered(self, is_visible: bool) -> None:
        """Show covered words, or collapse each run of them into a placeholder character."""
        self._hides_covered = not is_visible
        self._fold()

    def show_selected(self, unit_id: str) -> None:
        """Outline a unit's parts as selected; empty = none."""
        if unit_id != self.selected_unit:
            self.selected_unit = unit_id
            self.viewport().update()

    def show_hovered(self, unit_id: str) -> None:
        """Outline a unit's parts as hovered; empty = none."""
        if unit_id != self.hovered_unit:
            self.hovered_unit = unit_id
            self.viewport().update()

    def allow_resizing(self) -> None:
        """Show a drag handle at each end of the selected unit's parts."""
        self._can_resize = True

    def show_proposed(self, spans: Sequence[Span]) -> None:
        """Outline proposed spans with dashes and scroll to them; none = remove the outlines."""
        if self.proposed != (ordered := tuple(sorted(spans))):
            self.proposed = ordered
            self.viewport().update()
            if ordered:
                self.reveal_positions([start for start, _ in ordered])

    def uncovered(self) -> tuple[Span, ...]:
        """Return the spans of words that are in no unit."""
        return uncovered_spans(self.word_spans, (span for mark in self.marks for span in mark.spans))

    def units_under(self, point: QPoint) -> tuple[str, ...]:
        """Return the units at a point of the viewport, heaviest first; for a folded span, all units in it."""
        place = QPointF(point) - self._origin()
        position = self.document().documentLayout().hitTest(place, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return ()
        offset = self._offsets.to_text(position)
        return units_at(self.marks, *next((f for f in self.folds if f[0] == offset), (offset, offset + 1)))

    def reveal(self, unit_id: str) -> bool:
        """Scroll to a unit's first part unless a part is visible. Return whether the text has a part."""
        starts = [start for mark in self.marks if mark.belongs_to(unit_id) for start, _ in mark.spans]
        if not starts:
            return False
        self.reveal_positions(sorted(starts))
        return True

    def reveal_positions(self, positions: Sequence[int]) -> None:
        """Scroll to the first of these positions unless one of them is visible."""
        boxes = [self.box_of(position) for position in positions]
        visible = self.viewport().rect()
        if not any(visible.contains(box) for box in boxes):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + round(boxes[0].top() - visible.height() / 3))

    def fit_height(self) -> None:
        """Fix the height to that of the whole text at the current width."""
        frame = max(self.height() - self.viewport().height(), 0)
        self.setFixedHeight(ceil(self.document().size().height()) + frame)

    def free_height(self) -> None:
        self.setMinimumHeight(0)
        self.setMaximumHeight(_MAX_PX)

    def first_position(self, unit_id: str) -> int | None:
        """Return where a unit's first part starts; None = the text has no part of it."""
        starts = (start for mark in self.marks if mark.belongs_to(unit_id) for start, _ in mark.spans)
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
                [self.handle_at(self._painted_span(h.span), h.at_end) for h in self._handles()]
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
            at = units.index(self.selected_unit) + 1 if self.selected_unit in units else 0
            self.unit_clicked.emit(units[at % len(units)])

    def here(self) -> str:
        """Describe the units at the caret."""
        return "; ".join(parts_at(self.marks, self.caret)) or super().here()

    @Slot()
    def _announce_parts(self) -> None:
        """Announce which units the caret enters and leaves: no text attribute can carry them."""
        before, self._at_caret = self._at_caret, parts_at(self.marks, self.caret)
        if self.hasFocus():
            left = [tr("End of {part}", part=part) for part in before if part not in self._at_caret]
            announce(self, ". ".join([*left, *(part for part in self._at_caret if part not in before)]))

    def _hover(self, units: tuple[str, ...]) -> None:
        if (first := next(iter(units), "")) != self.hovered_unit:
            self.unit_hovered.emit(first)
        if units != self._under_pointer:
            self._under_pointer = units
            self.units_hovered.emit(units)

    def _handles(self) -> Iterator[Handle]:
        """Yield the handles of the selected unit's parts; none while words are folded."""
        if not self._can_resize or self.folds:
            return
        for mark in self._marks_of(self.selected_unit):
            for span in mark.spans:
                for at_end in (False, True):
                    yield Handle(mark.match_id or mark.unit_id, span, at_end)

    def _painted_span(self, span: Span) -> Span:
        """Return a part's span as painted: while its handle is dragged, the new one."""
        return self._dragged_to if self._dragged is not None and span == self._dragged.span else span

    def handle_at(self, span: Span, at_end: bool) -> QPointF:
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
            ((self.handle_at(handle.span, handle.at_end) - point).manhattanLength(), place, handle)
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
            span = with_end_at(self.word_spans, handle.span, place, at_end=handle.at_end)
        if span != self._dragged_to:
            self._dragged_to = span
            self.viewport().update()

    def _drop_handle(self) -> None:
        self._dragged = None
        self.viewport().update()

    def _origin(self) -> QPointF:
        return QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())

    def box_of(self, offset: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_document(offset))
        return self.cursorRect(cursor)

    def rings(self) -> Rings:
        """Return the outlined spans, in document positions."""
        return Rings(
            self._parts_of(self.selected_unit),
            self._parts_of(self.hovered_unit) if self.hovered_unit != self.selected_unit else (),
            tuple(self._displayed_span(span) for span in self._pending),
            tuple(self._displayed_span(span) for span in self.proposed),
            tuple(
                gap
                for mark in self._marks_of(self.selected_unit)
                for gap in gaps_between(self._placed(mark).spans)
            ),
        )

    def _parts_of(self, unit_id: str) -> tuple[Span, ...]:
        spans = [span for mark in self._marks_of(unit_id) for span in mark.spans]
        return tuple(self._displayed_span(span) for span in sorted(map(self._painted_span, spans)))

    def _marks_of(self, unit_id: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.belongs_to(unit_id)]

    def _placed(self, mark: Mark) -> Mark:
        return replace(mark, spans=tuple(self._displayed_span(span) for span in mark.spans))

    def dress(self) -> None:
        super().dress()
        self._space_lines(force=True)
        self._format_outside()
        self.updateGeometry()

    def _fold(self) -> bool:
        """Fold the words to hide. Return whether the document was rewritten."""
        spans = (span for mark in self.marks for span in mark.spans)
        folds = covered_spans(self.word_spans, spans) if self._hides_covered else ()
        if folds == self.folds:
            return False
        caret, scrolled = self._caret(), self.verticalScrollBar().value()
        self._write(self.content, folds)
        self._layout = MarkLayout()
        self._space_lines(force=True)
        self._place_marks()
        self._put(caret)
        self.verticalScrollBar().setValue(scrolled)
        return True

    def _place_marks(self) -> None:
        before = self._layout
        self._at_caret = parts_at(self.marks, self.caret)
        self._layout = layout_marks([self._placed(mark) for mark in self.marks])
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
