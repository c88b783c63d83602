"""Rows before and after: what an edit is, how it is stored, how it is put into the tables.

A row that does not exist yet counts as its own tombstone at version 0, so making, changing, removing and
taking any of these back are all one thing: a row goes from one state to another.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, bindparam, insert, select, update

from storage.database.schema import VERSIONED_TABLES

_IDS_AT_ONCE = 10_000  # SQLite takes a bounded number of parameters

Row = dict[str, Any]
"""A row by its columns; every value can stand in JSON."""


@dataclass(frozen=True, slots=True)
class RowDelta:
    """One row's way from a state to another; both are whole rows."""

    table: str
    before: Row
    after: Row

    def inverse(self) -> RowDelta:
        return RowDelta(self.table, self.after, self.before)


@dataclass(frozen=True, slots=True)
class OrphanRow:
    """The row in the way: a living child of a row that goes, or the dead parent of one that stays."""

    table: str
    row: Row


def encode(changes: Sequence[RowDelta]) -> str:
    """JSON of a delta."""
    rows = [{"table": c.table, "before": c.before, "after": c.after} for c in changes]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def decode(delta: str) -> list[RowDelta]:
    """The delta that `encode` wrote."""
    return [RowDelta(c["table"], c["before"], c["after"]) for c in json.loads(delta)]


def fetch(connection: Connection, ids: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], Row]:
    """Rows by table and id; those that do not exist are left out."""
    found = {}
    for name, wanted in ids.items():
        table, each = VERSIONED_TABLES[name], list(wanted)
        for at in range(0, len(each), _IDS_AT_ONCE):
            chosen = table.c.id.in_(each[at : at + _IDS_AT_ONCE])
            for row in connection.execute(select(table).where(chosen)).mappings():
                found[name, row["id"]] = dict(row)
    return found


def ids_of(changes: Iterable[RowDelta]) -> dict[str, list[str]]:
    """The ids that changes touch, by table."""
    ids: dict[str, list[str]] = defaultdict(list)
    for change in changes:
        ids[change.table].append(change.after["id"])
    return ids


def tombstone(row: Row) -> Row:
    """A row as it stood before it was made."""
    return {**row, "version": 0, "is_deleted": True, "edit_id": None}


def write(
    connection: Connection, changes: Sequence[RowDelta], existing: Mapping[tuple[str, str], Row]
) -> None:
    """Put every change's row after into its table; `existing` are the rows to be updated."""
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
    """Take scales that change out of the index of names, so that two can exchange theirs."""
    if scales := [row_id for table, row_id in existing if table == "dimensions"]:
        table = VERSIONED_TABLES["dimensions"]
        connection.execute(update(table).where(table.c.id.in_(scales)).values(is_deleted=True))


@cache
def _update(name: str) -> Any:
    table = VERSIONED_TABLES[name]
    values: dict[str, Any] = {column.name: bindparam(f"new_{column.name}") for column in table.columns}
    return update(table).where(table.c.id == bindparam("new_id")).values(values)


def first_orphan(connection: Connection, changes: Sequence[RowDelta]) -> OrphanRow | None:
    """The first row that changes would leave without a live parent, None = all is well.

    Somebody else made a child of a row that goes, or removed the parent of one that comes back.
    """
    gone = ids_of(c for c in changes if c.after["is_deleted"])
    for name, ids in gone.items():
        for child in children_of(name):
            living = select(child.table).where(child.in_(ids), ~child.table.c.is_deleted)
            for row in connection.execute(living).mappings():
                return OrphanRow(child.table.name, dict(row))
    return _first_dead_parent(connection, [c for c in changes if not c.after["is_deleted"]])


def _first_dead_parent(connection: Connection, changes: Sequence[RowDelta]) -> OrphanRow | None:
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        for column, parent in _parents(change.table):
            if change.after[column] is not None:
                wanted[parent].add(change.after[column])
    for (name, _), row in fetch(connection, wanted).items():
        if row["is_deleted"]:
            return OrphanRow(name, row)
    return None


@cache
def _parents(name: str) -> tuple[tuple[str, str], ...]:
    """Columns of a tracked table that point to another one, with that one's name."""
    keys = VERSIONED_TABLES[name].foreign_keys
    return tuple(
        (key.parent.name, key.column.table.name) for key in keys if key.column.table.name in VERSIONED_TABLES
    )


@cache
def children_of(name: str) -> tuple[Column[Any], ...]:
    """Columns of tracked tables that point to this one."""
    return tuple(
        VERSIONED_TABLES[child].c[column]
        for child in VERSIONED_TABLES
        for column, parent in _parents(child)
        if parent == name
    )
