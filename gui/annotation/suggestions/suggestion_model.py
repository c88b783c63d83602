"""Item model of the suggestion list: headings, suggestions, and a message under empty headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from gui.annotation.suggestions.suggestion_values import SuggestionGroup, SuggestionRow

ROW_ROLE = Qt.ItemDataRole.UserRole
"""Content of a row: a SuggestionGroup for a heading, a SuggestionRow, or a message."""

Index = QModelIndex | QPersistentModelIndex
Row = SuggestionGroup | SuggestionRow | str


class SuggestionModel(QAbstractListModel):
    """Groups of suggestions as a flat list."""

    def __init__(self) -> None:
        super().__init__()
        self._groups: tuple[SuggestionGroup, ...] = ()
        self._rows: tuple[Row, ...] = ()

    def show_groups(self, groups: Sequence[SuggestionGroup]) -> None:
        """Replace the groups."""
        self.beginResetModel()
        self._groups, self._rows = tuple(groups), tuple(_rows(groups))
        self.endResetModel()

    def line(self, index: Index) -> SuggestionRow | None:
        """Return the suggestion of a row; None = a heading or message."""
        row = index.data(ROW_ROLE)
        return row if isinstance(row, SuggestionRow) else None

    def verb(self, key: str) -> str:
        """Return what accepting a suggestion does."""
        verbs = (g.verb for g in self._groups if any(line.key == key for line in g.lines))
        return next(verbs, "")

    def suggestion_rows(self) -> list[int]:
        """Return the numbers of the rows that are suggestions."""
        return [place for place, row in enumerate(self._rows) if isinstance(row, SuggestionRow)]

    def row_of(self, key: str) -> int:
        """Return the row number of a suggestion; -1 = not listed."""
        rows = enumerate(self._rows)
        return next((at for at, row in rows if isinstance(row, SuggestionRow) and row.key == key), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_line = self.line(index) is not None
        return (
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if is_line else Qt.ItemFlag.NoItemFlags
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        return accessible_text(row) if role == Qt.ItemDataRole.DisplayRole else None


def accessible_text(row: Row) -> str:
    """Return the description of a row for screen readers."""
    if isinstance(row, str):
        return row
    if isinstance(row, SuggestionGroup):
        return row.title
    places = "; ".join(f"{p.letter}: {p.words}" if p.letter else p.words for p in row.places)
    title = f"{row.title}: " if row.title else ""
    return f"{title}{places}, {row.fact}"


def _rows(groups: Sequence[SuggestionGroup]) -> Iterator[Row]:
    for group in groups:
        yield group
        yield from group.lines or (group.when_none,)
