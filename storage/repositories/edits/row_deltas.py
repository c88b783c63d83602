"""Row deltas: rows before and after an edit, their encoding and writing.

A row that does not exist yet is represented by a deleted row of version 0 (tombstone). So adding, changing,
removing and undoing are the same operation: a row changes from one state to another.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, bindparam, insert, select, update

from core.json_text import parse_json
from storage.database.schema import VERSIONED_TABLES

_ADDED_COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "pyramids": {"kind": "scu"},
    "scus": {"importance": ""},
    "contributors": {"is_confirmed": True},
    "matches": {"is_confirmed": True, "is_partial": False},
    "dimensions": {"kind": "number", "is_required": True},
    "ratings": {"note": "", "is_flagged": False, "spans": "[]"},
}
"""Columns that migrations added to tables, with the values of existing rows; older deltas lack them."""
_IDS_AT_ONCE = 10_000  # SQLite takes a bounded number of parameters

Row = dict[str, Any]
"""A row by column; every value can be encoded as JSON."""


@dataclass(frozen=True, slots=True)
class RowDelta:
    """The change of one row; both states are complete rows."""

    table: str
    before: Row
    after: Row

    def inverse(self) -> RowDelta:
        return RowDelta(self.table, self.after, self.before)


@dataclass(frozen=True, slots=True)
class OrphanRow:
    """A row that prevents a change: a child of a removed row, or the removed parent of a row."""

    table: str
    row: Row


def encode(changes: Sequence[RowDelta]) -> str:
    """Encode a delta as JSON."""
    rows = [{"table": c.table, "before": c.before, "after": c.after} for c in changes]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def decode(delta: str) -> list[RowDelta]:
    """Decode a delta encoded by `encode`, in this version or an earlier one."""
    changes = []
    for c in parse_json(delta):
        added = _ADDED_COLUMNS.get(c["table"], {})
        changes.append(RowDelta(c["table"], {**added, **c["before"]}, {**added, **c["after"]}))
    return changes


def fetch(connection: Connection, ids: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], Row]:
    """Return rows by table and id; missing ones are omitted."""
    rows = {}
    for name, row_ids in ids.items():
        table, each = VERSIONED_TABLES[name], list(row_ids)
        for at in range(0, len(each), _IDS_AT_ONCE):
            chosen = table.c.id.in_(each[at : at + _IDS_AT_ONCE])
            for row in connection.execute(select(table).where(chosen)).mappings():
                rows[name, row["id"]] = dict(row)
    return rows


def ids_of(changes: Iterable[RowDelta]) -> dict[str, list[str]]:
    """Return the ids of changed rows by table."""
    ids: dict[str, list[str]] = defaultdict(list)
    for change in changes:
        ids[change.table].append(change.after["id"])
    return ids


def tombstone(row: Row) -> Row:
    """Return the state of a row before it was added."""
    return {**row, "version": 0, "is_deleted": True, "edit_id": None}


def write(
    connection: Connection, changes: Sequence[RowDelta], existing: Mapping[tuple[str, str], Row]
) -> None:
    """Write the new state of every changed row; `existing` are the rows to update."""
    _free_names(connection, existing)
    for name, table in VERSIONED_TABLES.items():
        new: list[Row] = []
        old: list[Row] = []
        for row in (c.after for c in changes if c.table == name):
            (old if (name, row["id"]) in existing else new).append(row)
        if new:
            connection.execute(insert(table), new)
        if old:
            connection.execute(_update(name), [{f"new_{key}": row[key] for key in row} for row in old])


def _free_names(connection: Connection, existing: Mapping[tuple[str, str], Row]) -> None:
    """Remove changed scales from the unique index of names, so that two can swap their names."""
    if scales := [row_id for table, row_id in existing if table == "dimensions"]:
        table = VERSIONED_TABLES["dimensions"]
        connection.execute(update(table).where(table.c.id.in_(scales)).values(is_deleted=True))


@cache
def _update(name: str) -> Any:
    table = VERSIONED_TABLES[name]
    values: dict[str, Any] = {column.name: bindparam(f"new_{column.name}") for column in table.columns}
    return update(table).where(table.c.id == bindparam("new_id")).values(values)


def first_orphan(connection: Connection, changes: Sequence[RowDelta]) -> OrphanRow | None:
    """Return the first row that changes would leave without a parent, None = none.

    This happens if somebody else added a child to a removed row, or removed the parent of a restored one.
    """
    gone = ids_of(c for c in changes if c.after["is_deleted"])
    for name, ids in gone.items():
        for child in children_of(name):
            living = select(child.table).where(child.in_(ids), ~child.table.c.is_deleted)
            for row in connection.execute(living).mappings():
                return OrphanRow(child.table.name, dict(row))
    return _first_removed_parent(connection, [c for c in changes if not c.after["is_deleted"]])


def _first_removed_parent(connection: Connection, changes: Sequence[RowDelta]) -> OrphanRow | None:
    parents: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        for column, parent in _parents(change.table):
            if change.after[column] is not None:
                parents[parent].add(change.after[column])
    for (name, _), row in fetch(connection, parents).items():
        if row["is_deleted"]:
            return OrphanRow(name, row)
    return None


@cache
def _parents(name: str) -> tuple[tuple[str, str], ...]:
    """Return the columns of a versioned table that refer to another one, with its name."""
    keys = VERSIONED_TABLES[name].foreign_keys
    return tuple(
        (key.parent.name, key.column.table.name) for key in keys if key.column.table.name in VERSIONED_TABLES
    )


@cache
def children_of(name: str) -> tuple[Column[Any], ...]:
    """Return the columns of versioned tables that refer to a table."""
    return tuple(
        VERSIONED_TABLES[child].c[column]
        for child in VERSIONED_TABLES
        for column, parent in _parents(child)
        if parent == name
    )
