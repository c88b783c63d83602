"""Progress grid and its rows: a row per topic, a cell per summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import median

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.annotation.blind_mode import blind_order
from core.domain.study import TopicTexts
from gui.annotation.match_values import FlagRow
from gui.item_models.table_model import VALUE_ROLE, Column, Index, TableModel
from gui.session.topic_navigation import Cell, GridRow
from gui.style import icons, theme
from gui.style.language import direction, tr
from gui.style.theme import HAIR, LARGE, LEFT, MEDIUM, RADIUS_SMALL, RIGHT, SMALL, TIGHT, Type, mix, px
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Gap, extend, hbox, vbox
from gui.widgets.lists.grouped_tree import draw_ring
from gui.widgets.lists.table_view import CellTable, FixedColumn, FixedHeadings


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


def _done(row: GridRow) -> str:
    return tr("{name}: {done:,} of {total:,} done", name=row.name, done=row.done, total=row.total)


def _column(rows: Sequence[GridRow], place: int, head: str) -> Column[GridRow]:
    """Return the column of a system, or of the summaries with a number; its cells are painted."""

    def cell_of(row: GridRow) -> Cell | None:
        return row.cells[place] if place < len(row.cells) else None

    def description(row: GridRow) -> str:
        if (cell := cell_of(row)) is None:
            return _done(row)
        claims = {tr("done"): cell.is_done, tr("unfinished"): cell.is_begun, tr("flagged"): cell.is_flagged}
        state = ", ".join(word for word, holds in claims.items() if holds) or tr("to do")
        return f"{row.name}, {name}: {state}"

    name = head or tr("summary {position}", position=place + 1)
    return Column(
        head or str(place + 1),
        cell_of,
        tip=_done(GridRow("", head, tuple(map(cell_of, rows)))) if head else "",
        cell_tip=description,
        accessible=description,
        row_text=lambda row: "",
    )


_TOPIC: Column[GridRow] = Column("", lambda row: row.name, cell_tip=_done)
_TOTAL: Column[GridRow] = Column(tr("Done"), lambda row: f"{row.done}/{row.total}", cell_tip=_done)


class _Model(TableModel[GridRow]):
    """Topics; of their columns only cells with a summary can be the current one."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_cell = isinstance(index.data(VALUE_ROLE), Cell)
        return super().flags(index) if is_cell else Qt.ItemFlag.NoItemFlags


class _Headings(FixedHeadings):
    """Names of topics; numbers of summaries, or names of systems upwards. Those of the open one are bold.

    current: the section of the open summary. are_names: names rather than numbers.
    """

    current, are_names = -1, True

    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:
        name, last = str(self.model().headerData(section, self.orientation())), self.count() - 1
        metrics = _set_font(painter, is_current=section == self.current)
        if self.orientation() is Qt.Orientation.Vertical:
            room = area.adjusted(0, -HAIR, -SMALL, -1)
            elided = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room, LEFT | direction(name), elided)
            return
        box = area.adjusted(0, 0, -HAIR - 1, -TIGHT)
        painter.setClipRect(0, 0, self.width() - self.sectionSize(last) * (section < last), self.height())
        if self.are_names and section < last:
            painter.save()
            painter.translate(box.center().x(), box.bottom() + 1)
            painter.rotate(-90)
            elided = metrics.elidedText(name, Qt.TextElideMode.ElideRight, box.height())
            painter.drawText(QRect(0, -metrics.height() // 2, area.height(), metrics.height()), LEFT, elided)
            painter.restore()
        elif section < last and (section in (0, self.current) or (section + 1) % _NUMBERS_EVERY == 0):
            painter.drawText(box.adjusted(-LARGE, 0, LARGE, 0), Qt.AlignmentFlag.AlignCenter, name)


class ProgressGrid(FixedColumn, CellTable):
    """Cells to choose by a click, Enter or Space; the last column shows the totals.

    Signals:
        cell_chosen: topic id, summary id.
    """

    cell_chosen = Signal(str, str)
    keeps_last = True

    def __init__(self) -> None:
        self._topics = _Model((), key=lambda row: row.topic_id, heading=_TOPIC)
        super().__init__(NAME, self._topics)
        self.rows: tuple[GridRow, ...] = ()
        self._heads: tuple[str, ...] = ()
        self._open_summary = ""
        self._left, self._top = _Headings(Qt.Orientation.Vertical), _Headings(Qt.Orientation.Horizontal)
        self.setVerticalHeader(self._left)
        self.setHorizontalHeader(self._top)
        self.setProperty("kind", "cells")
        self.selectionModel().currentChanged.connect(lambda: self.viewport().update())  # the ring is wider
        self.clicked.connect(self._choose)
        theme.signal().changed.connect(self._measure)
        self._measure()

    def show_rows(self, rows: Sequence[GridRow], summary_id: str, heads: Sequence[str] = ()) -> None:
        """Show the progress of all topics.

        summary_id: the summary that is open.
        heads: names of the columns; empty = summary numbers.
        """
        content, has_moved = (tuple(rows), tuple(heads)), summary_id != self._open_summary
        if content == (self.rows, self._heads) and not has_moved:
            return
        (self.rows, self._heads), self._open_summary = content, summary_id
        names = heads or [""] * max((len(row.cells) for row in rows), default=0)
        self._topics.set_rows(self.rows, [*(_column(rows, x, name) for x, name in enumerate(names)), _TOTAL])
        cells = ((y, x, cell) for y, row in enumerate(rows) for x, cell in enumerate(row.cells))
        place = next(((y, x) for y, x, cell in cells if cell and cell.summary_id == summary_id), (-1, -1))
        self._left.current, self._top.current = place
        self._top.are_names = bool(heads)
        self._measure()
        if place[0] >= 0 and (has_moved or not self.currentIndex().isValid()):
            self.setCurrentIndex(self._topics.index(*place))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._top.thickness + 3 * px(_MIN_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all cells; a delegate, called for each of them, takes four times as long."""
        painter = icons.smooth_painter(self.viewport())
        ratio, scheme, size = self.devicePixelRatioF(), theme.tokens().name, self._left.defaultSectionSize()
        area, last = self.viewport().rect(), self._top.count() - 1
        totals = self.visualRect(self._topics.index(0, last))
        lefts = map(self.columnViewportPosition, range(last))
        seen = [(x, left) for x, left in enumerate(lefts) if -size < left < totals.left()]
        first = max(0, self.rowAt(0))
        for y in range(first, min(len(self.rows), first + area.height() // size + 2)):
            row, top = self.rows[y], self.rowViewportPosition(y)
            painter.setClipping(False)
            _set_font(painter, is_current=y == self._left.current)
            room = QRect(totals.left(), top - HAIR, totals.width(), size + 1)
            painter.drawText(room, RIGHT, _TOTAL.value(row))
            painter.setClipRect(0, 0, totals.left(), area.height())
            for x, left in seen:
                if x < len(row.cells) and (cell := row.cells[x]) is not None:
                    state = cell.is_done, cell.is_flagged, cell.summary_id == self._open_summary
                    pixmap = cell_pixmap(size - HAIR - 1, ratio, scheme, *state, cell.is_begun)
                    painter.drawPixmap(left, top, pixmap)
        if self.hasFocus() and self.currentIndex().isValid():
            edge = self.visualRect(self.currentIndex()).adjusted(-2, -2, -1, -1)
            draw_ring(painter, edge, radius=RADIUS_SMALL + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: Index) -> None:
        if isinstance(cell := index.data(VALUE_ROLE), Cell):
            self.cell_chosen.emit(self.rows[index.row()].topic_id, cell.summary_id)

    @Slot()
    def _measure(self) -> None:
        """Make the cells as large as fit, whether or not there are scroll bars."""
        bold = QFont(theme.font(Type.SMALL))
        bold.setBold(True)  # the current row and column are bold
        small = QFontMetrics(bold)
        texts = [row.name for row in self.rows], self._heads, {_TOTAL.value(row) for row in self.rows}
        names, heads, totals = (max(map(small.horizontalAdvance, each), default=0) for each in texts)
        self._left.thickness = min(names, px(_NAME_PX)) + SMALL + HAIR
        self._top.thickness = min(heads, px(_NAME_PX)) + SMALL if heads else small.height() + TIGHT
        last = self._top.count() - 1
        wide = self.width() - self._left.thickness - totals - SMALL
        high = self.height() - self._top.thickness
        least, columns, rows = px(_MIN_PX), max(1, last), max(1, len(self.rows))
        size, most = min(wide // columns, high // rows), px(_MAX_PX)
        if high < rows * least:  # scrolling is needed anyway: make rows as high as their names
            wide -= self.verticalScrollBar().sizeHint().width()
            size, most = wide // columns, px(_SCROLLED_PX)
        size = min(max(size, least), most)
        self._left.setDefaultSectionSize(size)
        for x in range(last + 1):
            self._top.resizeSection(x, size if x < last else totals + SMALL)
        self.updateGeometries()


def _set_font(painter: QPainter, *, is_current: bool) -> QFontMetrics:
    font = QFont(theme.font(Type.SMALL))
    font.setBold(is_current)
    painter.setFont(font)
    painter.setPen(theme.colour("text" if is_current else "muted"))
    return QFontMetrics(font)


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
