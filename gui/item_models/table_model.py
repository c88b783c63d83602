"""Generic read-only models of a table, and of rows under headings, defined by a list of columns."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from core.formatting.tables import csv_rows
from gui.style import theme
from gui.style.language import plain_tip
from gui.style.theme import LEFT, RIGHT

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
VALUE_ROLE = int(Qt.ItemDataRole.UserRole)
"""Role of the raw value of a cell; tables sort by it."""

_AMOUNT = re.compile(r"\d[\d,.]*( ?%| of \d[\d,]*)")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table.

    title: its heading.
    value: returns the raw value of a cell, used for sorting unless `rank` is given.
    text: formats a value for display.
    tip: tooltip of the heading.
    cell_tip: returns the tooltip of a cell.
    accessible: returns what a screen reader reads for a cell; None = its text. description: further words.
    is_last: whether a row is placed below the others in every sort order; None = no such rows.
    rank: returns what the rows of a grouped list are sorted by, the highest first; None = the value.
    tones: colours of texts by value, named as in the theme; the text says the same.
    row_text: returns the text of a cell where it says more than its value; None = that of the value.
    """

    title: str
    value: Callable[[Row], Any]
    text: Callable[[Any], str] = str
    tip: str = ""
    cell_tip: Callable[[Row], str] | None = None
    is_last: Callable[[Row], bool] | None = None
    accessible: Callable[[Row], str] | None = None
    rank: Callable[[Row], Any] | None = None
    tones: Mapping[str, str] = field(default_factory=dict)
    row_text: Callable[[Row], str] | None = None
    description: Callable[[Row], str] | None = None

    def shown(self, row: Row) -> str:
        """Return the text of a cell."""
        return self.text(self.value(row)) if self.row_text is None else self.row_text(row)

    def data(self, row: Row, role: int) -> Any:
        """Return what a model has for the cell of a row in a role."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.shown(row)
            case Qt.ItemDataRole.UserRole:
                return self.value(row)
            case Qt.ItemDataRole.ToolTipRole if self.cell_tip is not None:
                return plain_tip(self.cell_tip(row)) or None
            case Qt.ItemDataRole.AccessibleTextRole if self.accessible is not None:
                return self.accessible(row)
            case Qt.ItemDataRole.AccessibleDescriptionRole if self.description is not None:
                return self.description(row)
        return None


_Role = Qt.ItemDataRole
_SPOKEN = _Role.ToolTipRole, _Role.AccessibleTextRole, _Role.AccessibleDescriptionRole
_ROLES = {_Role.DisplayRole, _Role.UserRole, _Role.TextAlignmentRole, _Role.ForegroundRole, *_SPOKEN}
"""Those that cells have; to paint one, Qt asks for three others too."""


class TableModel(QAbstractTableModel, Generic[Row]):
    """Python objects as rows, with a cell per column.

    key: identifies a row across updates; None = all rows are replaced.
    heading: the headings of the rows; None = they are hidden, and spoken as the first cell.
    """

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        parent: QObject | None = None,
        key: Callable[[Row], Hashable] | None = None,
        heading: Column[Row] | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns, self._key, self._heading = tuple(columns), key, heading
        self._rows: Sequence[Row] = ()
        self._sides: dict[int, Qt.AlignmentFlag] = {}

    def set_rows(self, rows: Sequence[Row], columns: Sequence[Column[Row]] | None = None) -> None:
        """Replace the rows, and the columns if given; if each stays in its place, they are only repainted."""
        columns = self._columns if columns is None else tuple(columns)
        key = self._key if len(columns) == len(self._columns) else None
        stays = key is not None and list(map(key, rows)) == list(map(key, self._rows))
        if not stays:
            self.beginResetModel()
        self._rows, self._columns = rows, columns
        self._sides.clear()
        if not stays:
            self.endResetModel()
        elif rows and columns:
            last = self.index(len(rows) - 1, len(columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last.column())
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, last.row())

    def rows(self) -> Sequence[Row]:
        """Return the rows, unsorted."""
        return self._rows

    def row(self, index: Index) -> Row:
        return self._rows[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in _ROLES or not index.isValid():
            return None
        column, row = self._columns[index.column()], self._rows[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        if role == Qt.ItemDataRole.ForegroundRole:
            tone = column.tones.get(column.value(row)) if column.tones else None
            return theme.colour(tone) if tone else None
        return column.data(row, role)

    def _side(self, section: int) -> Qt.AlignmentFlag:
        """Return the alignment of a column: right if its first value is an amount, empty ones apart."""
        if section not in self._sides:
            values = map(self._columns[section].value, self._rows)
            first = next((value for value in values if value != "" and not _is_missing(value)), "")
            self._sides[section] = RIGHT if _is_amount(first) else LEFT
        return self._sides[section]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            if self._heading is not None:
                return self._heading.data(self._rows[section], role)
            return self.index(section, 0).data() if role == Qt.ItemDataRole.AccessibleTextRole else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._columns[section].title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._columns[section].tip) or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._side(section)
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
    write_row = csv_rows(out, delimiter=delimiter)
    write_row(headings)
    for row in rows:
        write_row(row)
    return out.getvalue()


def _is_amount(value: Any) -> bool:
    """Return whether a value is a number, a share such as ``71 %`` or a part such as ``3 of 8``."""
    if isinstance(value, str):
        return _AMOUNT.fullmatch(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


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
        updated: rows were replaced in their places; of those that differ, `dataChanged` was emitted. Views
            paint headings again, which may count them.
    """

    arranged = Signal()
    updated = Signal()

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
        """Replace the rows; if each stays in its place, views keep selection and scroll position."""
        self._rows = tuple(rows)
        groups = self._group_rows()
        if self._places(groups) == self._places(self._groups):
            before, self._groups = self._groups, groups
            self._update_in_place(before)
        else:
            self._arrange()

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """Replace the columns; if all have the titles of before, views keep their rows as they are."""
        before, self._columns = self._columns, tuple(columns)
        if [one.title for one in before] == [one.title for one in columns]:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)
            return
        self.beginResetModel()
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
        group = parent.row() + 1 if parent.isValid() else _HEADING
        rows = self._groups if group == _HEADING else self._groups[group - 1].rows
        is_there = 0 <= row < len(rows) and 0 <= column < len(self._columns)
        return self.createIndex(row, column, group) if is_there else QModelIndex()

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
        return row if role == ROW_ROLE else self._columns[index.column()].data(row, role)

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

    def _places(self, groups: Sequence[Group[Row]]) -> list[tuple[str, list[Hashable]]]:
        return [(group.title, list(map(self._key, group.rows))) for group in groups]

    def _update_in_place(self, before: Sequence[Group[Row]]) -> None:
        last = len(self._columns) - 1
        for at, (old, new) in enumerate(zip(before, self._groups, strict=True)):
            pairs = enumerate(zip(old.rows, new.rows, strict=True))
            changed = [place for place, (one, other) in pairs if one != other]
            if changed:
                bottom = self.createIndex(changed[-1], last, at + 1)
                self.dataChanged.emit(self.createIndex(changed[0], 0, at + 1), bottom)
        self.updated.emit()

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
        cells = (column.shown(row) for column in self._columns)
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


def is_heading(index: Index) -> bool:
    """Return whether an index of a GroupedModel is that of a heading."""
    return index.internalId() == _HEADING


def _sort_key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
