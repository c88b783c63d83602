"""Progress grid and its rows: a row per topic, a cell per summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import median

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QHBoxLayout, QSizePolicy, QToolTip, QWidget

from core.annotation.blind_order import blind_order
from core.domain.study import TopicTexts
from gui.annotation.match_values import FlagRow
from gui.session.topic_navigation import Cell, GridRow
from gui.style import icons, theme
from gui.style.language import direction, plain_tip, tr
from gui.style.theme import HAIR, LARGE, LEFT, MEDIUM, RADIUS_SMALL, RIGHT, SMALL, TIGHT, Type, mix, px
from gui.widgets.accessible import set_role
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Gap, extend, hbox, vbox


def next_cell(
    rows: Sequence[GridRow], summary_id: str, matches: Callable[[Cell], bool]
) -> tuple[str, str] | None:
    """Return topic and summary id of the next matching cell after a summary, with wrap-around.

    matches: condition on a cell.
    Returns None if no cell matches.
    """
    cells = [(row.topic_id, cell) for row in rows for cell in row.cells if cell is not None]
    at = next((i for i, (_, cell) in enumerate(cells) if cell.summary_id == summary_id), -1)
    following = (*cells[at + 1 :], *cells[: at + 1])
    return next(((topic, cell.summary_id) for topic, cell in following if matches(cell)), None)


def replace_row(rows: Sequence[GridRow], row: GridRow) -> tuple[GridRow, ...]:
    return tuple(row if old.topic_id == row.topic_id else old for old in rows)


def count_done(rows: Iterable[GridRow]) -> tuple[int, int]:
    """Return the numbers of finished summaries and of all summaries."""
    done = total = 0
    for row in rows:
        done, total = done + row.done, total + row.total
    return done, total


def arrange_by_system(rows: Sequence[GridRow]) -> tuple[tuple[str, ...], tuple[GridRow, ...]]:
    """Return the sorted systems, and the rows with one cell per system; None = no summary."""
    systems = sorted({cell.system for row in rows for cell in row.cells if cell is not None})
    arranged = []
    for row in rows:
        of_system = {cell.system: cell for cell in row.cells if cell is not None}
        arranged.append(replace(row, cells=tuple(of_system.get(system) for system in systems)))
    return tuple(systems), tuple(arranged)


def flag_rows(rows: Iterable[GridRow], *, shows_names: bool) -> tuple[FlagRow, ...]:
    """Return the summaries with a flag or a note, in grid order."""
    return tuple(
        FlagRow(
            row.topic_id,
            cell.summary_id,
            row.name,
            cell.system if shows_names else tr("summary {place}", place=place + 1),
            cell.note,
            cell.is_flagged,
        )
        for row in rows
        for place, cell in enumerate(row.cells)
        if cell is not None and (cell.is_flagged or cell.note)
    )


def seconds_per_summary(active_s: Mapping[str, float], rows: Iterable[GridRow]) -> float:
    """Return the typical active time per summary, in seconds.

    It is the median over topics of active time per finished summary. Topics are used because an annotator who
    goes through a topic SCU by SCU finishes all its summaries at once.
    active_s: active seconds by topic id.
    Returns 0 if nothing is done or no time is known, for example after an import.
    """
    paces = [
        active_s[row.topic_id] / row.done for row in rows if row.done and active_s.get(row.topic_id, 0) > 0
    ]
    return median(paces) if paces else 0.0


def summary_order(topic: TopicTexts, annotator_id: str) -> tuple[str, ...]:
    """Return the ids of a topic's summaries in an annotator's order."""
    return blind_order((text.id for text in topic.summaries), annotator_id, topic.id)


_MIN_PX, _SCROLLED_PX, _MAX_PX = 14, 18, 24
_NUMBERS_EVERY = 5
_NAME_PX = 92  # longer names are elided

NAME = tr("Progress, topics down, summaries across")
Position = tuple[int, int]
"""Row and column of a cell."""


class ProgressGrid(QAbstractScrollArea):
    """Clickable cells with fixed headings; arrow keys move the current cell, Enter chooses it.

    Without `heads` the columns are summary numbers in the annotator's order, with `heads` they are systems.

    Signals:
        cell_chosen: topic id, summary id.
    """

    cell_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[GridRow, ...] = ()
        self.heads: tuple[str, ...] = ()  # Names of the columns; empty = summary numbers
        self._positions: dict[str, Position] = {}
        self._open_summary = ""
        self.current_position: Position = (0, 0)  # Row and column of the current cell
        self.setAccessibleName(NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        theme.signal().changed.connect(self._measure)
        self._measure()

    def show_rows(self, rows: Sequence[GridRow], summary_id: str, heads: Sequence[str] = ()) -> None:
        """Show the progress of all topics.

        summary_id: the summary that is open.
        heads: names of the columns; empty = summary numbers.
        """
        content = tuple(rows), tuple(heads)
        if (*content, summary_id) == (self.rows, self.heads, self._open_summary):
            return
        has_moved = summary_id != self._open_summary
        (self.rows, self.heads), self._open_summary = content, summary_id
        self._positions = {
            cell.summary_id: (y, x)
            for y, row in enumerate(self.rows)
            for x, cell in enumerate(row.cells)
            if cell is not None
        }
        self._measure()
        if has_moved:
            self.current_position = self._positions.get(summary_id, self.current_position)
            self._reveal(self.current_position)
        self._describe()

    def cell_box(self, row: int, column: int) -> QRect:
        """Return the rectangle of a cell in viewport coordinates, even if it is not visible."""
        left = self._left + column * self._cell_size - self.horizontalScrollBar().value()
        top = self._top + row * self._cell_size - self.verticalScrollBar().value()
        return QRect(left, top, self._cell_size - HAIR - 1, self._cell_size - HAIR - 1)

    def sizeHint(self) -> QSize:
        cell = px(_MAX_PX)
        return QSize(self._left + self._columns() * cell + self._right, self._top + len(self.rows) * cell)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._top + 3 * px(_MIN_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, ratio = self.cell_area(), self.devicePixelRatioF()
        painter.setClipRect(area)
        for y in self._visible_range(
            self._top, self.verticalScrollBar().value(), area.height(), len(self.rows)
        ):
            for x, cell in enumerate(self.rows[y].cells):
                box = self.cell_box(y, x)
                if cell is not None and box.intersects(area):
                    state = cell.is_done, cell.is_flagged, cell.summary_id == self._open_summary
                    pixmap = cell_pixmap(box.width(), ratio, theme.tokens().name, *state, cell.is_begun)
                    painter.drawPixmap(box.topLeft(), pixmap)
        if self.hasFocus() and self.rows:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            edge = QRectF(self.cell_box(*self.current_position)).adjusted(-1, -1, 1, 1)
            painter.drawRoundedRect(edge, RADIUS_SMALL + 1, RADIUS_SMALL + 1)
        painter.setClipping(False)
        self._paint_names(painter, area)
        self._paint_heads(painter, area)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0)}
        steps[Qt.Key.Key_Down] = (1, 0)
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self.rows:
            row = min(max(self.current_position[0] + step[0], 0), len(self.rows) - 1)
            cells = len(self.rows[row].cells)
            self.current_position = row, min(max(self.current_position[1] + step[1], 0), max(0, cells - 1))
            self._reveal(self.current_position)
            self._describe()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self.current_position)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (position := self._position_at(event.position().toPoint())) is not None:
            self._choose(position)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: object) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: object) -> None:
        self.viewport().update()

    @Slot()
    def _measure(self) -> None:
        """Compute the sizes of cells and headings and the scroll ranges."""
        bold = QFont(theme.font(Type.SMALL))
        bold.setBold(True)  # the current row and column are bold
        small = QFontMetrics(bold)
        names = max((small.horizontalAdvance(row.name) for row in self.rows), default=0)
        heads = max((small.horizontalAdvance(head) for head in self.heads), default=0)
        totals = max(map(small.horizontalAdvance, {_total(row) for row in self.rows}), default=0)
        self._right = totals + SMALL
        self._left = min(names, px(_NAME_PX)) + SMALL + HAIR
        self._top = min(heads, px(_NAME_PX)) + SMALL if heads else small.height() + TIGHT
        self._cell_size = self._cell_px()
        area = self.cell_area()
        for bar, needed, available in (
            (self.horizontalScrollBar(), self._columns() * self._cell_size, area.width()),
            (self.verticalScrollBar(), len(self.rows) * self._cell_size, area.height()),
        ):
            bar.setRange(0, max(0, needed - available))
            bar.setPageStep(max(1, available))
            bar.setSingleStep(self._cell_size)
        self.updateGeometry()
        self.viewport().update()

    def _cell_px(self) -> int:
        """Return the cell size for the viewport without scroll bars, so that it doesn't depend on them."""
        room = self.maximumViewportSize()
        wide, high = room.width() - self._left - self._right, room.height() - self._top
        least, columns, rows = px(_MIN_PX), max(1, self._columns()), max(1, len(self.rows))
        if rows * least > high:  # scrolling is needed anyway: make rows as high as their names
            wide -= self.verticalScrollBar().sizeHint().width()
            return min(max(wide // columns, least), px(_SCROLLED_PX))
        return min(max(min(wide // columns, high // rows), least), px(_MAX_PX))

    def cell_area(self) -> QRect:
        """Return the viewport area for cells, without headings and totals."""
        return self.viewport().rect().adjusted(self._left, self._top, -self._right, 0)

    def _columns(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    def _visible_range(self, head: int, scrolled: int, room: int, count: int) -> range:
        return range(scrolled // self._cell_size, min(count, (scrolled + room) // self._cell_size + 1))

    def _cell_at(self, position: Position) -> Cell | None:
        row, column = position
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row].cells):
            return self.rows[row].cells[column]
        return None

    def _position_at(self, point: QPoint) -> Position | None:
        position = self._place_of(point)
        is_cell = self.cell_area().contains(point) and self._cell_at(position) is not None
        return position if is_cell else None

    def _place_of(self, point: QPoint) -> Position:
        """Return the row and the column of a point, whether or not there are such."""
        row = (point.y() - self._top + self.verticalScrollBar().value()) // self._cell_size
        return row, (point.x() - self._left + self.horizontalScrollBar().value()) // self._cell_size

    def _choose(self, position: Position) -> None:
        cell = self._cell_at(position)
        if cell is not None:
            self.current_position = position
            self.cell_chosen.emit(self.rows[position[0]].topic_id, cell.summary_id)

    def _reveal(self, position: Position) -> None:
        area, box = self.cell_area(), self.cell_box(*position)
        for bar, low, high in (
            (self.horizontalScrollBar(), box.left() - area.left(), box.right() - area.right()),
            (self.verticalScrollBar(), box.top() - area.top(), box.bottom() - area.bottom()),
        ):
            bar.setValue(bar.value() + (min(low, 0) or max(high, 0)))
        self.viewport().update()

    def _describe(self) -> None:
        """Put the current cell into the accessible name, because screen readers announce its changes."""
        description = self._description_of(self.current_position)
        self.setAccessibleName(f"{NAME}: {description}" if description else NAME)
        self.setAccessibleDescription(description)

    def _description_of(self, position: Position) -> str:
        cell = self._cell_at(position)
        if cell is None:
            return ""
        claims = (
            (tr("done"), cell.is_done),
            (tr("unfinished"), cell.is_begun),
            (tr("flagged"), cell.is_flagged),
        )
        state = ", ".join(word for word, holds in claims if holds) or tr("to do")
        name = self.heads[position[1]] if self.heads else tr("summary {position}", position=position[1] + 1)
        return f"{self.rows[position[0]].name}, {name}: {state}"

    def tip_at(self, point: QPoint) -> str:
        if (position := self._position_at(point)) is not None:
            return self._description_of(position)
        (row, column), area = self._place_of(point), self.cell_area()
        if point.y() >= area.top() and 0 <= row < len(self.rows):
            return _done(self.rows[row].name, self.rows[row].done, self.rows[row].total)
        if area.left() <= point.x() <= area.right() and 0 <= column < len(self.heads):
            cells = [row.cells[column] for row in self.rows if column < len(row.cells)]
            done = sum(cell is not None and cell.is_done for cell in cells)
            return _done(self.heads[column], done, sum(cell is not None for cell in cells))
        return ""

    def _paint_names(self, painter: QPainter, area: QRect) -> None:
        painter.setClipRect(QRect(0, area.top(), self.viewport().width(), area.height()))
        current = self._positions.get(self._open_summary, (-1, -1))[0]
        for y in self._visible_range(
            self._top, self.verticalScrollBar().value(), area.height(), len(self.rows)
        ):
            box, row = self.cell_box(y, 0), self.rows[y]
            metrics = _set_font(painter, is_current=y == current)
            room = QRect(0, box.top(), self._left - SMALL, box.height())
            name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room.adjusted(0, -HAIR, 0, HAIR), LEFT | direction(row.name), name)
            end = min(area.right() + 1, self._left + self._columns() * self._cell_size)
            after = QRect(end, box.top() - HAIR, self._right, box.height() + TIGHT)
            painter.drawText(after, RIGHT, _total(row))
        painter.setClipping(False)

    def _paint_heads(self, painter: QPainter, area: QRect) -> None:
        painter.setClipRect(QRect(area.left(), 0, area.width(), area.top()))
        current = self._positions.get(self._open_summary, (-1, -1))[1]
        for x in self._visible_range(
            self._left, self.horizontalScrollBar().value(), area.width(), self._columns()
        ):
            box = self.cell_box(0, x)
            metrics = _set_font(painter, is_current=x == current)
            if self.heads:
                self._paint_system(painter, box.center().x(), self.heads[x], metrics)
            elif x == current or x == 0 or (x + 1) % _NUMBERS_EVERY == 0:
                room = QRect(box.left() - LARGE, 0, box.width() + 2 * LARGE, self._top - TIGHT)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(x + 1))
        painter.setClipping(False)

    def _paint_system(self, painter: QPainter, x: int, name: str, metrics: QFontMetrics) -> None:
        """Paint a column name rotated upwards."""
        painter.save()
        painter.translate(x, self._top - TIGHT)
        painter.rotate(-90)
        label = metrics.elidedText(name, Qt.TextElideMode.ElideRight, self._top - TIGHT)
        height = metrics.height()
        painter.drawText(QRect(0, -height // 2, self._top, height), LEFT, label)
        painter.restore()


def _done(name: str, done: int, total: int) -> str:
    return tr("{name}: {done:,} of {total:,} done", name=name, done=done, total=total)


def _total(row: GridRow) -> str:
    return f"{row.done}/{row.total}"


def _set_font(painter: QPainter, *, is_current: bool) -> QFontMetrics:
    font = QFont(theme.font(Type.SMALL))
    font.setBold(is_current)
    painter.setFont(font)
    painter.setPen(theme.colour("text" if is_current else "muted"))
    return QFontMetrics(font)


set_role(ProgressGrid, QAccessible.Role.Grouping)  # the default role is Client


class ProgressPanel(QWidget):
    """Progress grid with legend.

    has_flags: whether cells can be flagged. has_begun: whether they can be unfinished.
    """

    def __init__(self, *, has_flags: bool = True, has_begun: bool = False) -> None:
        super().__init__()
        self.grid = ProgressGrid()
        self.others_label = ElidedLabel("", Type.SMALL, "muted")  # who else is working on the topic
        parts = (self.grid, 1), cell_legend(has_flags=has_flags, has_begun=has_begun), self.others_label
        vbox(*parts, parent=self, margins=(MEDIUM, SMALL), spacing=SMALL)
        self.others_label.hide()


_MIN_CHECK_PX = 11
_DONE_SHARE = 0.35  # of the accent in a finished cell


def paint_cell(
    painter: QPainter,
    box: QRectF,
    is_done: bool = False,
    is_flagged: bool = False,
    is_current: bool = False,
    is_begun: bool = False,
) -> None:
    """Paint a cell: check mark = done, half = begun, outline and dot = current, corner = flagged."""
    colours = theme.tokens()
    edge = QPen(theme.colour("accent" if is_current else "border"), 2.0 if is_current else 1.0)
    painter.setPen(Qt.PenStyle.NoPen if is_done and not is_current else edge)
    painter.setBrush(QColor(mix(colours.surface, colours.accent, _DONE_SHARE if is_done else 0.0)))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL - 1, RADIUS_SMALL - 1)
    if is_begun and not is_current:
        half = QColor(mix(colours.surface, colours.accent, _DONE_SHARE))
        painter.fillRect(box.adjusted(1, box.height() / 2, -1, -1), half)
    if is_current:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent"))
        painter.drawEllipse(box.center(), 2.5, 2.5)
    elif is_done and box.width() >= _MIN_CHECK_PX:
        size = min(icons.ROW_PX - TIGHT, int(box.width()) - 1)
        tick = icons.pixmap("check", "text", size)
        painter.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), tick)
    if is_flagged:
        _paint_flag(painter, box)
    painter.setBrush(Qt.BrushStyle.NoBrush)


@lru_cache(maxsize=128)
def cell_pixmap(size: int, ratio: float, scheme: str, *states: bool) -> QPixmap:
    """Return the pixmap of a cell, `size` logical pixels wide, for a pixel ratio and a scheme."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = icons.smooth_painter(pixmap)
    paint_cell(painter, QRectF(0, 0, size, size), *states)
    painter.end()
    return pixmap


def _paint_flag(painter: QPainter, box: QRectF) -> None:
    corner = min(7.0, box.width() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("warning"))
    top_right = box.topRight()
    corners = [top_right, top_right - QPointF(corner, 0), top_right + QPointF(0, corner)]
    painter.drawPolygon(QPolygonF(corners))


class _SampleCell(QWidget):
    """A sample cell of the legend."""

    def __init__(self, **marks: bool) -> None:
        super().__init__()
        self._marks = marks
        self.setFixedSize(15, 15)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = icons.smooth_painter(self)
        paint_cell(painter, QRectF(self.rect()), **self._marks)


def cell_legend(*, has_flags: bool, has_begun: bool = False) -> QHBoxLayout:
    row = hbox(spacing=SMALL)
    meanings = [(_SampleCell(is_done=True), tr("done"))]
    if has_begun:
        meanings.append((_SampleCell(is_begun=True), tr("unfinished")))
    else:
        meanings += (_SampleCell(is_current=True), tr("current")), (_SampleCell(), tr("to do"))
    if has_flags:
        meanings.append((_SampleCell(is_flagged=True), tr("flagged")))
    for sample, meaning in meanings:
        extend(row, sample, Label(meaning, Type.SMALL, "muted"), Gap(SMALL))
    row.addStretch(1)
    return row
