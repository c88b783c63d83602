"""Read-only table view with sorting and copying."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gui.item_models.table_model import Column, Index, Row, SortProxyModel, TableModel, as_csv, as_tsv
from gui.style.language import is_right_to_left
from gui.style.theme import px
from gui.widgets.lists.fixed_column import FixedColumn, FixedHeader
from gui.widgets.lists.grouped_tree import paint_nothing_found

ROW_HEIGHT = 28


class _CellDelegate(QStyledItemDelegate):
    """Paints each text in its own direction."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class Table(FixedColumn, QTableView):
    """A read-only table that can be copied as text with its headings."""

    def __init__(self, name: str, model: QAbstractItemModel) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        header = FixedHeader()
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def fit(self, stretch: int, widths: Mapping[int, int]) -> None:
        """Set the widths of columns; one column takes the remaining width."""
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in widths.items():
            header.resizeSection(column, px(width))
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)

    @property
    def finds_nothing(self) -> bool:
        """Whether there are rows, but none with the words looked for."""
        model = self.model()
        return (
            isinstance(model, SortProxyModel) and not model.rowCount() and model.sourceModel().rowCount() > 0
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.finds_nothing:
            paint_nothing_found(self)

    def copy(self) -> None:
        """Copy the whole table to the clipboard, tab-separated."""
        QGuiApplication.clipboard().setText(as_tsv(self.model()))

    def csv(self) -> str:
        """Return the whole table as CSV with raw values."""
        return as_csv(self.model())

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Where rows are selected whole, Home and End go to the first and the last one."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        is_whole = self.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
        if is_whole and action in ends:
            row = 0 if action is ends[0] else self.model().rowCount() - 1
            return self.model().index(row, max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)


class RowTable(Table, Generic[Row]):
    """A table of Python objects, which the headings sort and words filter.

    Signals:
        row_chosen: the row that became the current one, None = none is.
        row_opened: a row, by Enter or a double click.
    """

    row_chosen = Signal(object)
    row_opened = Signal(object)

    def __init__(self, name: str, columns: Sequence[Column[Row]], *, can_sort: bool = True) -> None:
        self.rows: TableModel[Row] = TableModel(columns)
        self.sorted = SortProxyModel(self.rows)
        super().__init__(name, self.sorted)
        self.setSortingEnabled(can_sort)
        # The last signal of a change: a receiver may replace the rows, of which others hold indexes.
        self.selectionModel().currentRowChanged.connect(lambda *_: self.row_chosen.emit(self.current))
        self.activated.connect(lambda index: self.row_opened.emit(self.row(index)))

    @property
    def current(self) -> Row | None:
        """The current row, None = none."""
        index = self.currentIndex()
        return self.row(index) if index.isValid() else None

    def row(self, index: Index) -> Row:
        """Return the row at an index of the view."""
        return self.rows.row(self.sorted.mapToSource(index))

    def displayed(self) -> list[Row]:
        """Return the rows as displayed, from top to bottom."""
        return [self.row(self.sorted.index(at, 0)) for at in range(self.sorted.rowCount())]

    def choose(self, is_it: Callable[[Row], bool]) -> bool:
        """Make the first row that is it the current one; return whether one is, and is displayed."""
        at = next((at for at, row in enumerate(self.rows.rows()) if is_it(row)), -1)
        index = self.sorted.mapFromSource(self.rows.index(at, 0))
        self.setCurrentIndex(index)
        return index.isValid()
