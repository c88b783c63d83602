"""Generic read-only table model, defined by a list of columns."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from gui.style.tooltips import plain_tip

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
VALUE_ROLE = int(Qt.ItemDataRole.UserRole)
"""Role of the raw value of a cell; tables sort by it."""

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table.

    title: its heading.
    value: returns the raw value of a cell, used for sorting unless `rank` is given.
    text: formats a value for display.
    tip: tooltip of the heading.
    cell_tip: returns the tooltip of a cell.
    accessible: returns what a screen reader reads for a cell; None = its text.
    is_last: whether a row is placed below the others in every sort order; None = no such rows.
    rank: returns what the rows of a grouped list are sorted by, the highest first; None = the value.
    """

    title: str
    value: Callable[[Row], Any]
    text: Callable[[Any], str] = str
    tip: str = ""
    cell_tip: Callable[[Row], str] | None = None
    is_last: Callable[[Row], bool] | None = None
    accessible: Callable[[Row], str] | None = None
    rank: Callable[[Row], Any] | None = None


class TableModel(QAbstractTableModel, Generic[Row]):
    """Python objects as rows, with a cell per column."""

    def __init__(self, columns: Sequence[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._rows: Sequence[Row] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """Replace the columns."""
        self.beginResetModel()
        self._columns = tuple(columns)
        self.endResetModel()

    def rows(self) -> Sequence[Row]:
        """Return the rows, unsorted."""
        return self._rows

    def row(self, index: Index) -> Row:
        """Return the object behind a row of this model."""
        return self._rows[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, row = self._columns[index.column()], self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(column.value(row))
            case Qt.ItemDataRole.UserRole:
                return column.value(row)
            case Qt.ItemDataRole.ToolTipRole if column.cell_tip is not None:
                return plain_tip(column.cell_tip(row))
            case Qt.ItemDataRole.AccessibleTextRole if column.accessible is not None:
                return column.accessible(row)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if _is_number(column.value(row)) else _LEFT
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._columns[section].title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._columns[section].tip) or None
            case Qt.ItemDataRole.TextAlignmentRole:
                numeric = bool(self._rows) and _is_number(self._columns[section].value(self._rows[0]))
                return _RIGHT if numeric else _LEFT
        return None


class SortProxyModel(QSortFilterProxyModel):
    """Proxy that sorts by raw values, NaN and None always last, and filters by words in a row."""

    def __init__(self, source: QAbstractTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self.setSourceModel(source)
        self.setSortRole(VALUE_ROLE)

    def find(self, text: str) -> None:
        """Show only rows that contain every word of a text, ignoring case; empty = show all."""
        self.beginFilterChange()
        self._words = tuple(text.casefold().split())
        self.endFilterChange()

    def lessThan(self, left: Index, right: Index) -> bool:
        one, other = left.data(VALUE_ROLE), right.data(VALUE_ROLE)
        if _is_missing(one) or _is_missing(other):
            is_descending = self.sortOrder() is Qt.SortOrder.DescendingOrder
            return _is_missing(one) if is_descending else not _is_missing(one) and _is_missing(other)
        if isinstance(one, str) and isinstance(other, str):
            return one.casefold() < other.casefold()
        return bool(one < other)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._words:
            return True
        model = self.sourceModel()
        cells = (model.index(row, column, parent).data() for column in range(model.columnCount()))
        text = " ".join(str(cell) for cell in cells).casefold()
        return all(word in text for word in self._words)


def as_tsv(model: QAbstractItemModel) -> str:
    """Return the displayed table with its headings as TSV, for the clipboard."""
    return _delimited(_headings(model), _cells(model, int(Qt.ItemDataRole.DisplayRole)), "\t")


def as_csv(model: QAbstractItemModel) -> str:
    """Return the table's raw values with its headings as CSV, for a file."""
    return _delimited(_headings(model), _cells(model, VALUE_ROLE), ",")


def _headings(model: QAbstractItemModel) -> list[str]:
    return [str(model.headerData(column, Qt.Orientation.Horizontal)) for column in range(model.columnCount())]


def _cells(model: QAbstractItemModel, role: int) -> Iterable[list[Any]]:
    for row in range(model.rowCount()):
        cells = (model.index(row, column).data(role) for column in range(model.columnCount()))
        yield ["" if _is_missing(cell) else cell for cell in cells]


def _delimited(headings: Sequence[str], rows: Iterable[Sequence[Any]], delimiter: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
