"""Rows in groups, two levels deep: a model for lists and tables that stand under headings."""

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
"""The object behind a row; of a group's heading, its `Group`."""

_HEAD = 0  # internal id of headings; a row's is its group's position + 1


@dataclass(slots=True)
class Group(Generic[Row]):
    """A heading and the rows under it that are shown."""

    title: str
    rows: list[Row]


class GroupedModel(QAbstractItemModel, Generic[Row]):
    """Rows of plain Python objects under headings, seen through columns.

    key: what stays the same when a row is replaced by a newer one. group: a row's heading; headings stand in
    the order in which they first come. Sorting is within the groups, by raw values, NaN and None last.

    Signals:
        arranged: after a reset, when everybody has dealt with it: a view may make its row current again.
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
        """Show these rows instead; where only their contents differ, the view keeps its place."""
        fits = [self._key(row) for row in rows] == [self._key(row) for row in self._rows]
        self._rows = tuple(rows)
        if fits and self._sorted_by is None and not self._words:
            self._replace_in_place()
        else:
            self._arrange()

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """Show these columns instead."""
        self.beginResetModel()
        self._columns = tuple(columns)
        if self._sorted_by is not None and self._sorted_by[0] >= len(columns):
            self._sorted_by = None
        self._groups = self._grouped()
        self.endResetModel()
        self.arranged.emit()

    def find(self, text: str) -> None:
        """Keep the rows that hold every word of a text, whatever the case; an empty text keeps all."""
        self._words = tuple(text.casefold().split())
        self._arrange()

    @property
    def words(self) -> str:
        """What rows are narrowed to, empty = nothing."""
        return " ".join(self._words)

    def rows(self) -> list[Row]:
        """Every row as it is shown, from top to bottom."""
        return [row for group in self._groups for row in group.rows]

    def row(self, index: Index) -> Row | None:
        """The object behind a row, None for a heading."""
        if not index.isValid() or index.internalId() == _HEAD:
            return None
        return self._groups[index.internalId() - 1].rows[index.row()]

    def index_of(self, key: Hashable, column: int = 0) -> QModelIndex:
        """Where the row of a key is shown, invalid if it is not."""
        for at, group in enumerate(self._groups):
            for place, row in enumerate(group.rows):
                if self._key(row) == key:
                    return self.createIndex(place, column, at + 1)
        return QModelIndex()

    def key_at(self, index: Index) -> Hashable | None:
        """The key of the row at an index, None for a heading."""
        row = self.row(index)
        return None if row is None else self._key(row)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by = (column, order) if column >= 0 else None
        self._arrange()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _HEAD)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == _HEAD:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _HEAD)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() != _HEAD or parent.column() != 0:
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
        return None

    def _heading(self, group: Group[Row], column: int, role: int) -> Any:
        if role == ROW_ROLE:
            return group
        return group.title if role == Qt.ItemDataRole.DisplayRole and column == 0 else None

    def _replace_in_place(self) -> None:
        self._groups = self._grouped()
        last = len(self._columns) - 1
        for at, group in enumerate(self._groups):
            head = self.createIndex(at, 0, _HEAD)
            self.dataChanged.emit(head, head)
            if group.rows:
                bottom = self.createIndex(len(group.rows) - 1, last, at + 1)
                self.dataChanged.emit(self.createIndex(0, 0, at + 1), bottom)

    def _arrange(self) -> None:
        self.beginResetModel()
        self._groups = self._grouped()
        self.endResetModel()
        self.arranged.emit()

    def _grouped(self) -> list[Group[Row]]:
        groups: dict[str, Group[Row]] = {}
        for row in self._rows:
            if self._holds_words(row):
                groups.setdefault(self._group(row), Group(self._group(row), [])).rows.append(row)
        if self._sorted_by is not None:
            for group in groups.values():
                group.rows = self._in_order(group.rows, *self._sorted_by)
        return list(groups.values())

    def _holds_words(self, row: Row) -> bool:
        if not self._words:
            return True
        cells = (column.text(column.value(row)) for column in self._columns)
        text = " ".join((self._group(row), *cells)).casefold()
        return all(word in text for word in self._words)

    def _in_order(self, rows: list[Row], column: int, order: Qt.SortOrder) -> list[Row]:
        value, is_last = self._columns[column].value, self._columns[column].is_last
        there: list[Row] = []
        last: list[Row] = []
        for row in rows:
            stands_last = _is_absent(value(row)) or (is_last is not None and is_last(row))
            (last if stands_last else there).append(row)
        descends = order is Qt.SortOrder.DescendingOrder
        return sorted(there, key=lambda row: _sortable(value(row)), reverse=descends) + last


def _sortable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
