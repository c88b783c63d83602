"""Which edits touched a pyramid or an SCU."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, or_, select

from storage.database.schema import VERSIONED_TABLES, EditRow
from storage.repositories.edits import row_deltas
from storage.repositories.edits.row_deltas import RowDelta

PYRAMID_TABLES = frozenset({"pyramids", "scus", "contributors", "contributor_parts"})
_ID = re.compile("[0-9a-f]{32}")
_FEW = 20
"""So many ids are looked for one by one; more are compared with all that a text names."""


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What a history is asked about.

    ids: of the rows concerned, None = whatever a pyramid holds, for the topic has only one. imports: edits
    that brought some of them. owner_id: of the pyramid, None where one SCU is asked for.
    """

    ids: frozenset[str] | None
    imports: frozenset[str]
    owner_id: str | None = None

    def is_touched_by(self, edit: Row[*tuple[Any, ...]]) -> bool:
        """Whether an edit changed one of the rows; what changed no row belongs to whoever did it."""
        if edit.delta is None:
            is_own = self.owner_id is not None and edit.annotator_id == self.owner_id
            return is_own or edit.id in self.imports or self._is_named_in(edit.details or "")
        if self.ids is not None and not self._is_named_in(edit.delta):  # quicker than to take all apart
            return False
        changes = (c for c in row_deltas.decode(edit.delta) if c.table in PYRAMID_TABLES)
        return any(self._is_concerned(change) for change in changes)

    def _is_concerned(self, change: RowDelta) -> bool:
        values = (*change.before.values(), *change.after.values())
        return self.ids is None or not self.ids.isdisjoint(values)

    def _is_named_in(self, text: str) -> bool:
        if self.ids is None:
            return False
        if len(self.ids) <= _FEW:
            return any(row_id in text for row_id in self.ids)
        return not self.ids.isdisjoint(_ID.findall(text))


def about_scu(connection: Connection, scu_id: str) -> HistoryFilter:
    """All that an SCU holds or held."""
    scus, held = VERSIONED_TABLES["scus"].c, VERSIONED_TABLES["contributors"].c
    ids = connection.scalars(select(held.id).where(held.scu_id == scu_id))
    last_edits = (
        select(scus.edit_id).where(scus.id == scu_id),
        select(held.edit_id).where(held.scu_id == scu_id),
    )
    return HistoryFilter(frozenset({scu_id, *ids}), _imports(connection, *last_edits))


def about_pyramid(connection: Connection, pyramid_id: str) -> HistoryFilter:
    """A pyramid and all that it holds or held; matches are not of it."""
    own, scus, held = (VERSIONED_TABLES[name].c for name in ("pyramids", "scus", "contributors"))
    its = select(scus.id).where(scus.pyramid_id == pyramid_id)
    last_edits = (
        select(own.edit_id).where(own.id == pyramid_id),
        select(scus.edit_id).where(scus.pyramid_id == pyramid_id),
        select(held.edit_id).where(held.scu_id.in_(its)),
    )
    topic_id = select(own.topic_id).where(own.id == pyramid_id).scalar_subquery()
    owners = {
        row.id: row.annotator_id
        for row in connection.execute(select(own.id, own.annotator_id).where(own.topic_id == topic_id))
    }
    ids = None
    if len(owners) > 1:
        contributors = connection.scalars(select(held.id).where(held.scu_id.in_(its)))
        ids = frozenset({pyramid_id, *connection.scalars(its), *contributors})
    return HistoryFilter(ids, _imports(connection, *last_edits), owners.get(pyramid_id))


def _imports(connection: Connection, *last_edits: Select[*tuple[Any, ...]]) -> frozenset[str]:
    """Those of some rows' last edits that are imports: they have no delta and belong to no topic."""
    imports = select(EditRow.id).where(EditRow.topic_id.is_(None), EditRow.delta.is_(None))
    return frozenset(connection.scalars(imports.where(or_(*(EditRow.id.in_(of) for of in last_edits)))))
