"""Two-level item model: rows in groups with headings."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal

from gui.item_models.table_model import VALUE_ROLE, Column, Index
from gui.style.tooltips import plain_tip

Row = TypeVar("Row")
ROW_ROLE = VALUE_ROLE + 1
"""The object behind a row; for a heading, its `Group`."""

_HEADING = 0  # internal id of headings; a row has its group's position + 1


@dataclass(slots=True)
class Group(Generic[Row]):
    """A heading and its visible rows."""

    title: str
    rows: list[Row]


class GroupedModel(QAbstractItemModel, Generic[Row]):
    """Python objects as rows under headings, with a cell per column.

    key: identifies a row across updates.
    group: returns a row's heading; headings are in order of first appearance.
    Rows are sorted within their groups by raw values, NaN and None last.

    Signals:
        arranged: emitted after a model reset, so that a view can restore its current row.
    """

    arranged = Signal()

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        key: Callable[[Row], Hashable],
        group: Callable[[Row], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._key, self._group = key, group
        self._rows: tuple[Row, ...] = ()
        self._groups: list[Group[Row]] = []
        self._sorted_by: tuple[int, Qt.SortOrder] | None = None
        self._words: tuple[str, ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Replace the rows; if the keys are unchanged, views keep selection and scroll position."""
        has_same_keys = [self._key(row) for row in rows] == [self._key(row) for row in self._rows]
        self._rows = tuple(rows)
        if has_same_keys and self._sorted_by is None and not self._words:
            self._update_in_place()
        else:
            self._arrange()

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """Replace the columns."""
        self.beginResetModel()
        self._columns = tuple(columns)
        if self._sorted_by is not None and self._sorted_by[0] >= len(columns):
            self._sorted_by = None
        self._groups = self._group_rows()
        self.endResetModel()
        self.arranged.emit()

    def find(self, text: str) -> None:
        """Show only rows that contain every word of a text, ignoring case; empty = show all."""
        self._words = tuple(text.casefold().split())
        self._arrange()

    @property
    def words(self) -> str:
        """The current search words; empty = no filter."""
        return " ".join(self._words)

    def rows(self) -> list[Row]:
        """Return the visible rows from top to bottom."""
        return [row for group in self._groups for row in group.rows]

    def row(self, index: Index) -> Row | None:
        """Return the object behind a row; None for a heading."""
        if not index.isValid() or index.internalId() == _HEADING:
            return None
        return self._groups[index.internalId() - 1].rows[index.row()]

    def index_of(self, key: Hashable, column: int = 0) -> QModelIndex:
        """Return the index of the row with a key; invalid if it is not visible."""
        for at, group in enumerate(self._groups):
            for place, row in enumerate(group.rows):
                if self._key(row) == key:
                    return self.createIndex(place, column, at + 1)
        return QModelIndex()

    def key_at(self, index: Index) -> Hashable | None:
        """Return the key of the row at an index; None for a heading."""
        row = self.row(index)
        return None if row is None else self._key(row)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by = (column, order) if column >= 0 else None
        self._arrange()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _HEADING)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == _HEADING:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _HEADING)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() != _HEADING or parent.column() != 0:
            return 0
        return len(self._groups[parent.row()].rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.row(index)
        if row is None:
            return self._heading(self._groups[index.row()], index.column(), role)
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(column.value(row))
        if role == VALUE_ROLE:
            return column.value(row)
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole and column.cell_tip is not None:
            return plain_tip(column.cell_tip(row)) or None
        if role == Qt.ItemDataRole.AccessibleTextRole and column.accessible is not None:
            return column.accessible(row)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._columns[section].tip) or None
        if role == Qt.ItemDataRole.InitialSortOrderRole and self._columns[section].rank is not None:
            return Qt.SortOrder.DescendingOrder.value  # the first press of the heading puts the best first
        return None

    def _heading(self, group: Group[Row], column: int, role: int) -> Any:
        if role == ROW_ROLE:
            return group
        return group.title if role == Qt.ItemDataRole.DisplayRole and column == 0 else None

    def _update_in_place(self) -> None:
        self._groups = self._group_rows()
        last = len(self._columns) - 1
        for at, group in enumerate(self._groups):
            head = self.createIndex(at, 0, _HEADING)
            self.dataChanged.emit(head, head)
            if group.rows:
                bottom = self.createIndex(len(group.rows) - 1, last, at + 1)
                self.dataChanged.emit(self.createIndex(0, 0, at + 1), bottom)

    def _arrange(self) -> None:
        self.beginResetModel()
        self._groups = self._group_rows()
        self.endResetModel()
        self.arranged.emit()

    def _group_rows(self) -> list[Group[Row]]:
        groups: dict[str, Group[Row]] = {}
        for row in self._rows:
            if self._matches(row):
                groups.setdefault(self._group(row), Group(self._group(row), [])).rows.append(row)
        if self._sorted_by is not None:
            for group in groups.values():
                group.rows = self._sorted_rows(group.rows, *self._sorted_by)
        return list(groups.values())

    def _matches(self, row: Row) -> bool:
        if not self._words:
            return True
        cells = (column.text(column.value(row)) for column in self._columns)
        text = " ".join((self._group(row), *cells)).casefold()
        return all(word in text for word in self._words)

    def _sorted_rows(self, rows: list[Row], column: int, order: Qt.SortOrder) -> list[Row]:
        sorted_by = self._columns[column]
        value, is_last = sorted_by.rank or sorted_by.value, sorted_by.is_last
        sortable: list[Row] = []
        last: list[Row] = []
        for row in rows:
            goes_last = _is_missing(value(row)) or (is_last is not None and is_last(row))
            (last if goes_last else sortable).append(row)
        is_descending = order is Qt.SortOrder.DescendingOrder
        return sorted(sortable, key=lambda row: _sort_key(value(row)), reverse=is_descending) + last


def _sort_key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
