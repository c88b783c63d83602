"""Table view for a table of a result, with formatted cells."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence

from core.formatting.tables import Cell
from core.formatting.tables import Column as ReportColumn
from core.formatting.tables import Table as ReportTable
from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.widgets.table_view import Table

Row = tuple[Cell, ...]


class ReportTableView(Table):
    """Show one table of a result at a time. Columns sort by raw values.

    Signals:
        copy_requested: the copy shortcut was pressed.
        row_activated: cells by column title of a row that was double-clicked, or on which Enter was pressed.
    """

    copy_requested = Signal()
    row_activated = Signal(object)

    def __init__(self) -> None:
        self._rows: TableModel[Row] = TableModel([])
        self._sorted = SortProxyModel(self._rows)
        super().__init__("Result table", self._sorted)
        self._titles: tuple[str, ...] = ()
        self.activated.connect(self._activate)

    def show_table(self, table: ReportTable) -> None:
        """Show this table with columns as wide as their contents, up to a maximum."""
        self.setAccessibleName(table.title)
        self._sorted.sort(-1)
        self.horizontalHeader().setSortIndicator(-1, self._sorted.sortOrder())
        self._titles = tuple(column.title for column in table.columns)
        self._rows.set_rows(())
        self._rows.set_columns([_column(index, column) for index, column in enumerate(table.columns)])
        self._rows.set_rows(table.rows)
        self.resizeColumnsToContents()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        row = self._rows.rows()[self._sorted.mapToSource(index).row()]
        self.row_activated.emit(dict(zip(self._titles, row, strict=True)))


def _column(index: int, column: ReportColumn) -> Column[Row]:
    return Column(column.title, partial(_cell, index), column.text)


def _cell(index: int, row: Row) -> Cell:
    return row[index]
