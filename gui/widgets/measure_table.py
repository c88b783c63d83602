"""Measures against judgements: a value on a ground as deep as it is strong, with its p and n."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem

from core.report.numbers import correlation_text, count_text, p_text
from gui import icons, theme
from gui.grouped import ROW_ROLE, GroupedModel
from gui.tables import Column
from gui.theme import RADIUS_SMALL, SMALL, Type, px
from gui.values.compare import JudgementColumn, MeasureRow, MeasureTable
from gui.widgets.grouped_tree import GroupedDelegate, GroupedTree, padded, text_width, write

ROW_HEIGHT = 28
HEADER_HEIGHT = 46
ARROW_PX = 14
INDENT = 20
NAME_WIDTH = 150  # of the names at least, if they need it
PILL_WIDTH, P_AT, P_WIDTH, N_AT, N_WIDTH = 46, 48, 44, 92, 38
"""Where value, p and n stand in a cell."""

STAND_IN = "stand-in"
"""What a measure bears that ran on another model than its paper's."""

_DEEPEST = 0.34
"""Share of accent in the ground of a correlation of 1."""

Index = QModelIndex | QPersistentModelIndex
ScrollHint = QAbstractItemView.ScrollHint


class MeasureDelegate(GroupedDelegate):
    """Paints names, and cells as pills."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT, has_lines=True, rings_cell=True)

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: MeasureRow = index.data(ROW_ROLE)
        if index.column() == 0:
            self._paint_name(painter, area, row)
        else:
            self._paint_value(painter, area, row, index.column() - 1)

    def _paint_name(self, painter: QPainter, area: QRect, row: MeasureRow) -> None:
        words = padded(area).adjusted(px(INDENT), 0, 0, 0)
        if row.is_stale:
            drawing = icons.pixmap("refresh", "warning", icons.ROW_PX)
            painter.drawPixmap(words.right() - icons.ROW_PX, words.center().y() - 7, drawing)
            words = words.adjusted(0, 0, -icons.ROW_PX - SMALL, 0)
        if row.stand_in:
            write(painter, words, STAND_IN, Type.SMALL, "muted", right=True)
            words = words.adjusted(0, 0, -text_width(STAND_IN, Type.SMALL) - SMALL, 0)
        write(painter, words, row.label, Type.STRONG, elide=Qt.TextElideMode.ElideMiddle)

    def _paint_value(self, painter: QPainter, area: QRect, row: MeasureRow, column: int) -> None:
        cell = row.cells[column]
        inner = padded(area)
        pill = QRect(inner.left(), area.top() + 3, px(PILL_WIDTH), area.height() - 7)
        is_known = cell.value == cell.value
        if is_known:
            tokens = theme.tokens()
            painter.setPen(Qt.PenStyle.NoPen)
            ground = theme.mix(tokens.surface, tokens.accent, _DEEPEST * abs(cell.value))
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(QRectF(pill), RADIUS_SMALL, RADIUS_SMALL)
        kind = Type.STRONG if cell.is_best else Type.BODY
        words = pill.adjusted(0, 0, -SMALL, 0)
        write(painter, words, correlation_text(cell.value), kind, "text" if is_known else "muted", right=True)
        if is_known:
            write(painter, _place(inner, P_AT, P_WIDTH), p_text(cell.p), Type.SMALL, "muted", right=True)
        write(painter, _place(inner, N_AT, N_WIDTH), count_text(cell.n), Type.SMALL, "muted", right=True)


class MeasureHeader(QHeaderView):
    """Headings of two lines: the judgement, and what stands below it."""

    def __init__(self, symbol: str = "r") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.symbol = symbol
        self.setSectionsClickable(True)
        self.setMinimumHeight(px(HEADER_HEIGHT))

    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:
        painter.save()
        tokens = theme.tokens()
        painter.fillRect(area, QColor(tokens.surface))
        painter.setPen(QColor(tokens.border))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inner = padded(area).adjusted(0 if section else px(INDENT), 3, 0, -3)
        title = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        upper = QRect(inner.left(), inner.top(), area.right() - inner.left(), inner.height() // 2)
        is_sorted = self.sortIndicatorSection() == section
        taken = write(painter, upper.adjusted(0, 0, -(SMALL + ARROW_PX) * is_sorted, 0), title, Type.STRONG)
        if is_sorted:
            descends = self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
            arrow = icons.pixmap("chevron-down" if descends else "chevron-up", "accent", ARROW_PX)
            painter.drawPixmap(upper.left() + taken + 4, upper.center().y() - ARROW_PX // 2 + 1, arrow)
        lower = QRect(inner.left(), upper.bottom(), inner.width(), inner.height() - upper.height())
        if section:
            pill = lower.adjusted(0, 0, px(PILL_WIDTH) - SMALL - lower.width(), 0)
            write(painter, pill, self.symbol, Type.SMALL, "muted", right=True)
            write(painter, _place(lower, P_AT, P_WIDTH), "p", Type.SMALL, "muted", right=True)
            write(painter, _place(lower, N_AT, N_WIDTH), "n", Type.SMALL, "muted", right=True)
        else:
            write(painter, lower, "by family", Type.SMALL, "muted")
        painter.restore()


class MeasureTree(GroupedTree):
    """The table; a cell stands for a measure and a judgement.

    Signals:
        cell_chosen: the measure's label and the judgement's place among the columns.
        copy_requested: the user wants the table on the clipboard.
    """

    cell_chosen = Signal(str, int)
    copy_requested = Signal()

    def __init__(self) -> None:
        self._column: Column[MeasureRow] = Column("Measure", lambda row: row.label, cell_tip=_name_tip)
        self.measures: GroupedModel[MeasureRow] = GroupedModel(
            [self._column], lambda row: row.label, lambda row: row.family
        )
        super().__init__("Measures and judgements", self.measures, MeasureDelegate())
        self._judgements: tuple[JudgementColumn, ...] = ()
        self._longest = 0
        self.headings = MeasureHeader()
        self.setHeader(self.headings)
        self.setSortingEnabled(True)
        self.header().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.header().setStretchLastSection(True)
        self.header().setMinimumSectionSize(px(60))
        self.header().setSortIndicatorClearable(True)

    def show_table(self, table: MeasureTable) -> None:
        """Show these numbers; the current cell stays, if it is still there."""
        if table.columns != self._judgements:
            self._judgements = table.columns
            judged = [self._judgement(place, column) for place, column in enumerate(table.columns)]
            self.measures.set_columns([self._column, *judged])
            self.horizontalScrollBar().setValue(0)
        self.headings.symbol = table.symbol
        self.headings.viewport().update()
        self.measures.set_rows(table.rows)
        self._longest = max((_name_width(row) for row in table.rows), default=0)
        self._share_out()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        key = self.measures.key_at(current)
        if isinstance(key, str):
            self.cell_chosen.emit(key, max(current.column() - 1, 0))

    def scrollTo(self, index: Index, hint: ScrollHint = ScrollHint.EnsureVisible) -> None:
        """Scroll sideways only to a cell whose value is out of sight: the names are worth more than its n."""
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        left = self.columnViewportPosition(index.column()) + bar.value() - before
        if 0 <= left < self.viewport().width() - px(PILL_WIDTH):
            bar.setValue(before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._share_out()
        self.horizontalScrollBar().setValue(0)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _judgement(self, place: int, column: JudgementColumn) -> Column[MeasureRow]:
        return Column(
            column.title,
            lambda row: row.cells[place].value,
            correlation_text,
            tip=column.tip,
            cell_tip=partial(_cell_tip, column, place),
        )

    def _share_out(self) -> None:
        """Give names what they need and share the rest; many judgements scroll."""
        count = len(self._judgements)
        if not count:
            return
        least, room = px(N_AT + N_WIDTH) + 2 * SMALL, self.viewport().width()
        wanted = self._longest + px(INDENT + 16) + 3 * SMALL
        name = max(min(wanted, room // 2), px(NAME_WIDTH))
        self.setColumnWidth(0, name)
        each = max((room - name) // count, least)
        for place in range(count):
            self.setColumnWidth(place + 1, each)


def _place(area: QRect, left: int, width: int) -> QRect:
    return QRect(area.left() + px(left), area.top(), px(width), area.height())


def _name_width(row: MeasureRow) -> int:
    mark = text_width(STAND_IN, Type.SMALL) + SMALL if row.stand_in else 0
    return text_width(row.label, Type.STRONG) + mark


def _name_tip(row: MeasureRow) -> str:
    stale = "\nStale: something that it was scored from has changed since." if row.is_stale else ""
    stand_in = f"\nS{row.stand_in[1:]}, which the paper used." if row.stand_in else ""
    return f"{row.tip}{stand_in}{stale}"


def _cell_tip(column: JudgementColumn, place: int, row: MeasureRow) -> str:
    cell = row.cells[place]
    return (
        f"{row.label} against {column.title}: {correlation_text(cell.value, 4)}, p {p_text(cell.p)}, "
        f"n {cell.n:,}, {cell.dropped:,} dropped"
    )
