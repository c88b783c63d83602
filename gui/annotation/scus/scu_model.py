"""Item model of an SCU list: SCUs by weight or in another order, each with its details below it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal

from core.domain.pyramid import UnitKind
from gui.annotation.match_values import ExpressionRow, UnitRow
from gui.annotation.scus.scu_values import ScuFilter, ScuOrder, ScuRow, Tier, arrange_scus
from gui.annotation.scus.unit_rows import LINE_ROLE, accessible_detail
from gui.item_models.table_model import Index
from gui.style.language import in_terms_of, tr

_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_EDITABLE = _FLAGS | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled
_TOP = 0  # internal id of SCUs and collapsed weights; a detail has the row of its SCU + 1


class ScuModel(QAbstractItemModel):
    """SCUs, each with its details (`ScuRow.details`) as children, and a row per collapsed weight.

    It doesn't change labels itself: the presenter applies typed labels.

    Signals:
        label_typed: scu id, new label.
        rearranged: SCUs were added, removed or moved; views have to open the details again.
    """

    label_typed = Signal(str, str)
    rearranged = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.kind = kind
        self.letters: tuple[str, ...] = ()
        self.lines: tuple[ScuRow, ...] = ()  # All SCUs, including hidden ones
        self.order, self.filter = ScuOrder.WEIGHT, ScuFilter()
        self.tiers: tuple[Tier, ...] = ()
        self._collapsed: frozenset[int] = frozenset()
        self._rows: tuple[ScuRow | Tier, ...] = ()
        self._is_held = False

    def show_lines(self, lines: Sequence[ScuRow], letters: Sequence[str] = ()) -> None:
        """Replace the SCUs; rows that keep their position are only repainted. letters: of the references."""
        self.lines, self.letters = tuple(lines), tuple(letters)
        self._arrange()

    def hold_rows(self, are_held: bool) -> None:
        """Leave rows where they are although their labels change, as while a label is typed."""
        self._is_held = are_held
        if not are_held:
            self._arrange()

    def set_order(self, order: ScuOrder) -> None:
        """Change the sort order."""
        self.order = order
        self._arrange(reset=True)

    def set_filter(self, scu_filter: ScuFilter) -> None:
        self.filter = scu_filter
        self._arrange()

    def collapse(self, weights: Collection[int]) -> None:
        """Show one row instead of the SCUs of each of these weights, and all SCUs of the others."""
        self._collapsed = frozenset(weights)
        self._arrange()

    @property
    def has_tiers(self) -> bool:
        return self.order is ScuOrder.WEIGHT

    @property
    def collapsed(self) -> frozenset[int]:
        """Weights whose SCUs are not listed."""
        return self._collapsed if self.has_tiers else frozenset()

    def line(self, index: Index) -> ScuRow | None:
        """Return the SCU of a row or of a detail; None for a collapsed weight."""
        if not index.isValid():
            return None
        item = self._rows[index.row() if index.internalId() == _TOP else index.internalId() - 1]
        return item if isinstance(item, ScuRow) else None

    def weight_of(self, index: Index) -> int:
        """Return the weight of an SCU or of a collapsed row."""
        return self._rows[index.row() if index.internalId() == _TOP else index.internalId() - 1].weight

    def index_of(self, scu_id: str) -> QModelIndex:
        """Return the index of an SCU; invalid if it is not listed."""
        for row, item in enumerate(self._rows):
            if isinstance(item, ScuRow) and item.scu_id == scu_id:
                return self.createIndex(row, 0, _TOP)
        return QModelIndex()

    def index_of_unit(self, scu_id: str, match_id: str = "") -> QModelIndex:
        """Return the index of a unit below its SCU, by default of the first; invalid if there is none."""
        scu = self.index_of(scu_id)
        for row, detail in enumerate(self._details(scu)):
            if isinstance(detail, UnitRow) and detail.match_id and match_id in ("", detail.match_id):
                return self.index(row, 0, scu)
        return QModelIndex()

    def visible(self) -> tuple[str, ...]:
        """Return the ids of the SCUs that pass the filter from top to bottom."""
        return tuple(line.scu_id for tier in self.tiers for line in tier.lines)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _TOP)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == _TOP:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _TOP)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return len(self._details(parent)) if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        item: ScuRow | Tier | UnitRow | ExpressionRow = (
            self._rows[index.row()]
            if (index.internalId() == _TOP)
            else self._details(index.parent())[index.row()]
        )
        if role == LINE_ROLE:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            if isinstance(item, Tier):
                return in_terms_of(self.kind, tr("Weight {weight}", weight=item.weight))
            return item.label if isinstance(item, ScuRow) else item.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if isinstance(item, ScuRow | Tier):
                return accessible_text(item, self.letters, self.kind)
            return accessible_detail(item)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of the only column, which screen readers read although it is hidden."""
        return in_terms_of(self.kind, tr("SCU")) if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        item = index.data(LINE_ROLE)
        is_editable = isinstance(item, ScuRow) or (isinstance(item, UnitRow) and bool(item.match_id))
        return _EDITABLE if is_editable else _FLAGS

    def _details(self, index: Index) -> tuple[UnitRow | ExpressionRow, ...]:
        item = self._rows[index.row()] if index.isValid() and index.internalId() == _TOP else None
        return item.details if isinstance(item, ScuRow) else ()

    def _arrange(self, *, reset: bool = False) -> None:
        tiers = arrange_scus(self.lines, self.order, self.filter)
        if self._is_held and not reset:
            tiers = self._as_before(tiers)
        rows = tuple(
            row for tier in tiers for row in ((tier,) if tier.weight in self.collapsed else tier.lines)
        )
        self.tiers = tiers
        if reset or list(map(_key, self._rows)) != list(map(_key, rows)):
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            self.rearranged.emit()
            return
        before = self._rows
        for place, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self._replace(place, old, new)

    def _replace(self, place: int, old: ScuRow | Tier, new: ScuRow | Tier) -> None:
        """Replace a row and repaint it; insert and remove the details that are new and gone."""
        index = self.createIndex(place, 0, _TOP)
        if isinstance(old, ScuRow) and isinstance(new, ScuRow) and len(old.details) != len(new.details):
            added = len(new.details) - len(old.details)
            first = _first_difference(old.details, new.details)
            if added > 0:
                self.beginInsertRows(index, first, first + added - 1)
            else:
                self.beginRemoveRows(index, first, first - added - 1)
            self._set_row(place, new)
            (self.endInsertRows if added > 0 else self.endRemoveRows)()
        self._set_row(place, new)
        self.dataChanged.emit(index, index)
        if details := self.rowCount(index):
            self.dataChanged.emit(self.index(0, 0, index), self.index(details - 1, 0, index))

    def _set_row(self, place: int, row: ScuRow | Tier) -> None:
        self._rows = (*self._rows[:place], row, *self._rows[place + 1 :])

    def _as_before(self, after: tuple[Tier, ...]) -> tuple[Tier, ...]:
        """Return the rows in the places they have, unless SCUs were added, removed or changed weight."""
        rows = {line.scu_id: line for line in self.lines}
        listed = {line.scu_id: line.weight for tier in self.tiers for line in tier.lines}
        are_new = any(line.scu_id not in listed for tier in after for line in tier.lines)
        if are_new or any(key not in rows or rows[key].weight != weight for key, weight in listed.items()):
            return after
        return tuple(
            replace(tier, lines=tuple(rows[line.scu_id] for line in tier.lines)) for tier in self.tiers
        )


def accessible_text(item: Tier | ScuRow, letters: Sequence[str], kind: UnitKind = UnitKind.SCU) -> str:
    """Return the description of a row for screen readers. letters: of the topic's references."""
    if isinstance(item, Tier):
        tier = in_terms_of(kind, tr("Weight {weight}", weight=item.weight))
        return tr("{tier}: {fact}, collapsed", tier=tier, fact=item.facts(kind)[0])
    expressing = [letter for letter, is_in in zip(letters, item.in_reference, strict=False) if is_in]
    facts = (
        item.label or tr("no label"),
        in_terms_of(kind, tr("weight {weight}", weight=item.weight)),
        {True: tr("matched"), False: tr("not matched"), None: ""}[item.is_matched],
        tr("in {expressing}", expressing=" ".join(expressing)) if expressing else "",
        item.note,
    )
    return ", ".join(filter(None, facts))


def _key(row: ScuRow | Tier) -> tuple[int, str]:
    return row.weight, row.scu_id if isinstance(row, ScuRow) else ""


def _first_difference(old: Sequence[UnitRow | ExpressionRow], new: Sequence[UnitRow | ExpressionRow]) -> int:
    least = min(len(old), len(new))
    return next((place for place in range(least) if old[place] != new[place]), least)
