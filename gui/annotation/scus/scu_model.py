"""Item model of a pyramid: tiers by weight with their SCUs, or one tier in another sort order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from core.domain.pyramid import UnitKind
from core.formatting.unit_terms import in_terms_of
from gui.annotation.scus.scu_order import ScuFilter, ScuOrder, arrange_scus
from gui.annotation.scus.scu_values import ScuRow, Tier

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole
"""The ScuRow of a row, or the Tier of a heading."""
_HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_ROW_FLAGS = (
    _HEADING_FLAGS
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemNeverHasChildren
    | Qt.ItemFlag.ItemIsDragEnabled
)
_TIER = 0  # internal id of headings; a row has its tier's position + 1


class ScuModel(QAbstractItemModel):
    """Tiers and their SCUs. It doesn't change labels itself: the presenter applies typed labels.

    Signals:
        label_typed: scu id, new label.
        rearranged: rows were added, removed or moved; views have to expand the tiers again.
    """

    label_typed = Signal(str, str)
    rearranged = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.kind = kind
        self._lines: tuple[ScuRow, ...] = ()
        self._order, self._filter = ScuOrder.WEIGHT, ScuFilter()
        self._tiers: tuple[Tier, ...] = ()
        self._is_held = False

    def show_lines(self, lines: Sequence[ScuRow]) -> None:
        """Replace the SCUs; rows that keep their position are only repainted."""
        self._lines = tuple(lines)
        self._arrange()

    def hold_rows(self, are_held: bool) -> None:
        """Leave rows where they are although their labels change, as while a label is typed."""
        self._is_held = are_held
        if not are_held:
            self._arrange()

    def set_order(self, order: ScuOrder) -> None:
        """Change the sort order."""
        self._order = order
        self._arrange(reset=True)

    def set_filter(self, scu_filter: ScuFilter) -> None:
        """Show only SCUs that pass a filter."""
        self._filter = scu_filter
        self._arrange()

    @property
    def order(self) -> ScuOrder:
        return self._order

    @property
    def filter(self) -> ScuFilter:
        """The current filter."""
        return self._filter

    @property
    def has_heads(self) -> bool:
        """Whether tiers have headings; otherwise the only tier is the root of the view."""
        return self._order is ScuOrder.WEIGHT

    @property
    def lines(self) -> tuple[ScuRow, ...]:
        """All SCUs, including hidden ones."""
        return self._lines

    @property
    def tiers(self) -> tuple[Tier, ...]:
        return self._tiers

    def line(self, index: Index) -> ScuRow | None:
        """Return the SCU of a row; None for a heading."""
        if not index.isValid() or index.internalId() == _TIER:
            return None
        return self._tiers[index.internalId() - 1].lines[index.row()]

    def tier(self, index: Index) -> Tier:
        """Return the tier of a heading or row."""
        return self._tiers[index.row() if index.internalId() == _TIER else index.internalId() - 1]

    def index_of(self, scu_id: str) -> QModelIndex:
        """Return the index of an SCU; invalid if it is not shown."""
        for place, tier in enumerate(self._tiers):
            for row, line in enumerate(tier.lines):
                if line.scu_id == scu_id:
                    return self.createIndex(row, 0, place + 1)
        return QModelIndex()

    def visible(self) -> tuple[str, ...]:
        """Return the ids of the visible SCUs from top to bottom."""
        return tuple(line.scu_id for tier in self._tiers for line in tier.lines)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _TIER)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == _TIER:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _TIER)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        if not parent.isValid():
            return len(self._tiers)
        if parent.internalId() != _TIER or parent.column() > 0:
            return 0
        return len(self._tiers[parent.row()].lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.line(index)
        item: Tier | ScuRow = self.tier(index) if line is None else line
        if role == LINE_ROLE:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return (
                line.label
                if line is not None
                else f"{in_terms_of(self.kind, 'Weight')} {self.tier(index).weight}"
            )
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_text(item, self.kind)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _HEADING_FLAGS if index.internalId() == _TIER else _ROW_FLAGS

    def _arrange(self, *, reset: bool = False) -> None:
        before, after = self._tiers, arrange_scus(self._lines, self._order, self._filter)
        if self._is_held and not reset:
            after = self._as_before(after)
        if reset or _row_order(before) != _row_order(after):
            self.beginResetModel()
            self._tiers = after
            self.endResetModel()
            self.rearranged.emit()
            return
        self._tiers = after
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            self._repaint(place, old, new)

    def _as_before(self, after: tuple[Tier, ...]) -> tuple[Tier, ...]:
        """Return the rows in the places they have, unless SCUs were added, removed or changed weight."""
        rows = {line.scu_id: line for line in self._lines}
        listed = {line.scu_id: line.weight for tier in self._tiers for line in tier.lines}
        are_new = any(line.scu_id not in listed for tier in after for line in tier.lines)
        if are_new or any(key not in rows or rows[key].weight != weight for key, weight in listed.items()):
            return after
        return tuple(
            replace(tier, lines=tuple(rows[line.scu_id] for line in tier.lines)) for tier in self._tiers
        )

    def _repaint(self, place: int, old: Tier, new: Tier) -> None:
        if (old.facts(), old.step) != (new.facts(), new.step):
            head = self.createIndex(place, 0, _TIER)
            self.dataChanged.emit(head, head)
        for row, (was, now) in enumerate(zip(old.lines, new.lines, strict=True)):
            if was != now:
                index = self.createIndex(row, 0, place + 1)
                self.dataChanged.emit(index, index)


def accessible_text(item: Tier | ScuRow, kind: UnitKind = UnitKind.SCU) -> str:
    """Return the description of a heading or row for screen readers."""
    if isinstance(item, Tier):
        return f"{in_terms_of(kind, 'Weight')} {item.weight}: {item.facts(kind)[0]}"
    matched = {True: ", matched", False: ", not matched", None: ""}[item.is_matched]
    return f"{item.label}, {in_terms_of(kind, 'weight')} {item.weight}{matched}" + (
        f", {item.note}" if item.note else ""
    )


def _row_order(tiers: Sequence[Tier]) -> list[tuple[int, tuple[str, ...]]]:
    return [(tier.weight, tuple(line.scu_id for line in tier.lines)) for tier in tiers]
