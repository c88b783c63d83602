"""Filters for the edits of a pyramid or an SCU."""

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
"""Up to this number of ids are searched one by one; more are compared with all ids in a text."""


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """Filter of a history.

    ids: of the rows, None = all rows of pyramids, as the topic has only one pyramid.
    imports: edits that imported some of the rows.
    owner_id: owner of the pyramid, None for an SCU.
    """

    ids: frozenset[str] | None
    imports: frozenset[str]
    owner_id: str | None = None

    def is_touched_by(self, edit: Row[*tuple[Any, ...]]) -> bool:
        """Return whether an edit changed one of the rows; events belong to their annotator."""
        if edit.delta is None:
            is_own = self.owner_id is not None and edit.annotator_id == self.owner_id
            return is_own or edit.id in self.imports or self._is_named_in(edit.details or "")
        if self.ids is not None and not self._is_named_in(edit.delta):  # faster than decoding
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
    """Return the filter for an SCU and everything it contains or contained."""
    scus, contributor_columns = VERSIONED_TABLES["scus"].c, VERSIONED_TABLES["contributors"].c
    ids = connection.scalars(select(contributor_columns.id).where(contributor_columns.scu_id == scu_id))
    last_edits = (
        select(scus.edit_id).where(scus.id == scu_id),
        select(contributor_columns.edit_id).where(contributor_columns.scu_id == scu_id),
    )
    return HistoryFilter(frozenset({scu_id, *ids}), _imports(connection, *last_edits))


def about_pyramid(connection: Connection, pyramid_id: str) -> HistoryFilter:
    """Return the filter for a pyramid and everything it contains or contained, without matches."""
    own, scus, contributor_columns = (
        VERSIONED_TABLES[name].c for name in ("pyramids", "scus", "contributors")
    )
    its = select(scus.id).where(scus.pyramid_id == pyramid_id)
    last_edits = (
        select(own.edit_id).where(own.id == pyramid_id),
        select(scus.edit_id).where(scus.pyramid_id == pyramid_id),
        select(contributor_columns.edit_id).where(contributor_columns.scu_id.in_(its)),
    )
    topic_id = select(own.topic_id).where(own.id == pyramid_id).scalar_subquery()
    owners = {
        row.id: row.annotator_id
        for row in connection.execute(select(own.id, own.annotator_id).where(own.topic_id == topic_id))
    }
    ids = None
    if len(owners) > 1:
        contributors = connection.scalars(
            select(contributor_columns.id).where(contributor_columns.scu_id.in_(its))
        )
        ids = frozenset({pyramid_id, *connection.scalars(its), *contributors})
    return HistoryFilter(ids, _imports(connection, *last_edits), owners.get(pyramid_id))


def _imports(connection: Connection, *last_edits: Select[*tuple[Any, ...]]) -> frozenset[str]:
    """Return those of some rows' last edits that are imports, which have no delta and no topic."""
    imports = select(EditRow.id).where(EditRow.topic_id.is_(None), EditRow.delta.is_(None))
    return frozenset(connection.scalars(imports.where(or_(*(EditRow.id.in_(of) for of in last_edits)))))
