"""Undo and redo of imports.

An import is one edit. Its rows are found by its id, texts and people by ids that are stored with it, so that
nothing is copied when it is made. Undo deletes them and stores them packed; redo inserts them again.
"""

from __future__ import annotations

import json
import logging
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zlib import compress, decompressobj

from sqlalchemy import Column, Connection, RowMapping, Table, delete, insert, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from core.domain.pyramid import new_id
from core.errors import EditConflict
from core.ports import ChangeKind, ChangeSet, EditReceipt
from storage.database.schema import AnnotatorRow, Base, EditRow, MetricConfigRow, ScoreRow, SettingRow
from storage.database.writer import WriteResult
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import IMPORT, REDO, UNDO, EditHeader
from storage.repositories.edits.row_deltas import Row

log = logging.getLogger(__name__)

_TABLES: Mapping[str, Table] = {table.name: table for table in Base.metadata.sorted_tables}
"""Tables by name, parents before children."""

_KINDS: Mapping[str, ChangeKind] = {
    **edit_log.KINDS,
    "annotators": ChangeKind.PEOPLE,
    "scores": ChangeKind.SCORES,
    "metric_configs": ChangeKind.SCORES,
}
_KEY = "import."
_IMPORTED = "imported"
_MOST = 2**31
"""Bytes of what is stored of an undone import, unpacked."""
_AT_ONCE = 5_000  # SQLite takes a bounded number of parameters


@dataclass(slots=True)
class ImportRecord:
    """What an import has added and changed.

    ids: of added rows without an edit's id, by table. counts: of those with it. before: changed rows as they
    were. scores: signature and topic's id of imported scores. configs: signatures that are new.
    removed, after, topics: of an undone import: its rows, the changed ones, and the topics of edits by id.
    """

    ids: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    before: dict[str, list[Row]] = field(default_factory=dict)
    scores: list[list[str]] = field(default_factory=list)
    configs: list[str] = field(default_factory=list)
    removed: dict[str, list[Row]] = field(default_factory=dict)
    after: dict[str, list[Row]] = field(default_factory=dict)
    topics: list[list[str]] = field(default_factory=list)


def rows_by_id(connection: Connection, name: str, ids: Iterable[str]) -> list[Row]:
    """Return rows of a table by their ids."""
    return list(_rows(connection, _TABLES[name], _TABLES[name].c.id, ids))


def store(connection: Connection, edit_id: str, record: ImportRecord) -> None:
    """Store what an import did; it is out of the way of other settings, as a deleted one."""
    key = f"{_KEY}{edit_id}"
    columns = {f: getattr(record, f) for f in ImportRecord.__slots__}
    packed = compress(json.dumps(columns, default=_as_json, separators=(",", ":")).encode(), 1)
    row = {"version": 1, "is_deleted": True, "edit_id": edit_id, "value": b64encode(packed).decode()}
    if not connection.execute(update(SettingRow).where(SettingRow.id == key).values(row)).rowcount:
        connection.execute(insert(SettingRow), {"id": key, **row})


def is_import(edit: RowMapping | None) -> bool:
    """Return whether an edit is an import that can be undone."""
    return edit is not None and edit["verb"] == IMPORT and edit["delta"] is None and edit["details"]


def undo(connection: Connection, edit: RowMapping) -> WriteResult[EditReceipt]:
    """Remove what an import added and restore what it changed.

    Scores that were computed for a removed topic go with it. Raises EditConflict where later work builds on
    the import.
    """
    remedy = "So the import cannot be undone. Undo or remove that first."
    record = _load(connection, edit["id"])
    removed = _added(connection, edit["id"], record, remedy)
    record.topics = _take_dependents(connection, edit["id"], record, removed, remedy)
    record.after = {}
    for name, rows in record.before.items():
        record.after[name] = rows_by_id(connection, name, (row["id"] for row in rows))
        if any(row.get("edit_id", edit["id"]) != edit["id"] for row in record.after[name]):
            raise _conflict(connection, edit["id"], remedy)
    record.removed = removed
    for name in reversed(list(_TABLES)):
        _delete(connection, _TABLES[name], removed.get(name, ()))
    _restore(connection, record.before)
    return _moved(connection, edit, record, is_undone=True)


def redo(connection: Connection, edit: RowMapping) -> WriteResult[EditReceipt]:
    """Add the rows of an undone import again. Raises EditConflict where others have their place now."""
    record = _load(connection, edit["id"])
    try:
        for name, table in _TABLES.items():
            if rows := record.removed.get(name):
                connection.execute(insert(table), rows)
        _restore(connection, record.after)
    except IntegrityError as error:
        raise EditConflict(
            "The study has other content of the same names now, or lacks what the import added to. So the "
            "import cannot be redone. Import the file again."
        ) from error
    for edit_id, topic_id in record.topics:
        connection.execute(update(EditRow).where(EditRow.id == edit_id).values(topic_id=topic_id))
    changed = record.removed, record.after
    record.removed, record.after, record.topics = {}, {}, []
    return _moved(connection, edit, record, is_undone=False, changed=changed)


def _moved(
    connection: Connection,
    edit: RowMapping,
    record: ImportRecord,
    *,
    is_undone: bool,
    changed: Sequence[Mapping[str, Sequence[Row]]] = (),
) -> WriteResult[EditReceipt]:
    """Store that an import was undone or redone."""
    store(connection, edit["id"], record)
    at, annotator_id = datetime.now(UTC), edit["annotator_id"]
    undone_at = at.isoformat(timespec="microseconds") if is_undone else None
    connection.execute(update(EditRow).where(EditRow.id == edit["id"]).values(undone_at=undone_at))
    header = EditHeader(UNDO if is_undone else REDO, annotator_id, details=json.dumps({"edit": edit["id"]}))
    edit_log.write_header(connection, header, new_id(), None)
    names = {name for tables in (changed or (record.removed, record.after)) for name in tables}
    kinds = {_KINDS.get(name, ChangeKind.TEXTS) for name in names}
    if kinds & {ChangeKind.PYRAMIDS, ChangeKind.MATCHES}:
        kinds.add(ChangeKind.NUGGETS)
    labels = {}
    if annotator_id is not None:
        labels[annotator_id] = edit_log.verbs_to_undo(connection, annotator_id)
    changes = ChangeSet(frozenset(kinds), is_external=True, undo_labels=labels)
    return WriteResult(EditReceipt(edit["id"], edit["verb"], at, changes, None), changes)


def _load(connection: Connection, edit_id: str) -> ImportRecord:
    value = connection.scalar(select(SettingRow.value).where(SettingRow.id == f"{_KEY}{edit_id}"))
    if value is None:
        raise EditConflict("This import was made by a version that did not record it. It cannot be undone.")
    unpacking = decompressobj()
    try:
        content = unpacking.decompress(b64decode(value), _MOST)
        if not unpacking.unconsumed_tail:
            return ImportRecord(**json.loads(content, object_hook=_from_json))
    except (ValueError, TypeError, RecursionError, zlib.error) as error:
        log.warning("import %s: %s", edit_id, error)
    raise EditConflict("What this import has added cannot be read. Restore a backup from before it.")


def _added(connection: Connection, edit_id: str, record: ImportRecord, remedy: str) -> dict[str, list[Row]]:
    """Return the rows that an import added, by table. Raises EditConflict where some have changed."""
    removed: dict[str, list[Row]] = {}
    for name, count in record.counts.items():
        table = _TABLES[name]
        query = select(table).where(table.c.edit_id == edit_id)
        changed = {row["id"] for row in record.before.get(name, ())} | {f"{_KEY}{edit_id}"}
        rows = [dict(row) for row in connection.execute(query).mappings() if row["id"] not in changed]
        if len(rows) != count:
            raise _conflict(connection, edit_id, remedy)
        removed[name] = rows
    for name, ids in record.ids.items():
        removed[name] = rows_by_id(connection, name, ids)
        if len(removed[name]) != len(ids):
            raise EditConflict(f"Some {name} that it added are no longer in the study. {remedy}")
    own = select(ScoreRow.__table__).join(MetricConfigRow, MetricConfigRow.number == ScoreRow.config)
    for signature, topic_id in record.scores:
        chosen = MetricConfigRow.signature == signature, ScoreRow.topic_id == topic_id
        removed.setdefault("scores", []).extend(map(dict, connection.execute(own.where(*chosen)).mappings()))
    return removed


def _take_dependents(
    connection: Connection, edit_id: str, record: ImportRecord, removed: dict[str, list[Row]], remedy: str
) -> list[list[str]]:
    """Add what cannot stay without the removed rows: tombstones, and scores that were computed.

    Returns the topics of edits, which lose them, by the edits' ids. Raises EditConflict for anything else.
    """
    topics: list[list[str]] = []
    for name in _TABLES:
        if not removed.get(name) or "id" not in _TABLES[name].c:
            continue
        ids = [row["id"] for row in removed[name]]
        for column in _children(name):
            known = {_key(column.table, row) for row in removed.get(column.table.name, ())}
            for row in _rows(connection, column.table, column, ids, edit_id):
                if _key(column.table, row) in known:
                    continue
                if column.table.name == "edits":
                    if column.name != "topic_id":
                        raise _conflict(connection, edit_id, remedy, row["id"])
                    topics.append([row["id"], row["topic_id"]])
                elif not _can_go(connection, column.table, row):
                    raise _conflict(connection, edit_id, remedy, row.get("edit_id"), column.table)
                else:
                    removed.setdefault(column.table.name, []).append(row)
    for signature in record.configs:
        query = select(MetricConfigRow.__table__).where(MetricConfigRow.signature == signature)
        for config in connection.execute(query).mappings().all():
            number = config["number"]
            gone = {row["topic_id"] for row in removed.get("scores", ()) if row["config"] == number}
            stored = connection.scalars(select(ScoreRow.topic_id).where(ScoreRow.config == number))
            if not set(stored) - gone:
                removed.setdefault("metric_configs", []).append(dict(config))
    for edit, _ in topics:
        connection.execute(update(EditRow).where(EditRow.id == edit).values(topic_id=None))
    return topics


def _can_go(connection: Connection, table: Table, row: Row) -> bool:
    """Return whether a row that depends on a removed one is a tombstone, or a score that was computed."""
    if table.name == "scores":
        family = select(MetricConfigRow.metric).where(MetricConfigRow.number == row["config"])
        return connection.scalar(family) != _IMPORTED
    return bool(row.get("is_deleted"))


def _rows(
    connection: Connection, table: Table, column: Column[Any], values: Iterable[Any], but: str = ""
) -> Iterator[Row]:
    """Yield rows with some values of a column. but: not those of this edit."""
    each = list(values)
    others = [or_(table.c.edit_id.is_(None), table.c.edit_id != but)] if but and "edit_id" in table.c else []
    for at in range(0, len(each), _AT_ONCE):
        query = select(table).where(column.in_(each[at : at + _AT_ONCE]), *others)
        yield from map(dict, connection.execute(query).mappings())


def _key(table: Table, row: Row) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in table.primary_key)


def _delete(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    keys = [_key(table, row) for row in rows]
    columns = list(table.primary_key)
    for at in range(0, len(keys), _AT_ONCE):
        some = keys[at : at + _AT_ONCE]
        if len(columns) == 1:
            connection.execute(delete(table).where(columns[0].in_([key[0] for key in some])))
        else:
            connection.execute(delete(table).where(tuple_(*columns).in_(some)))


def _restore(connection: Connection, rows: Mapping[str, Sequence[Row]]) -> None:
    """Give rows other contents."""
    for name, each in rows.items():
        table = _TABLES[name]
        for row in each:
            connection.execute(update(table).where(table.c.id == row["id"]).values(row))


@cache
def _children(name: str) -> tuple[Column[Any], ...]:
    """Return the columns that refer to a table."""
    return tuple(
        key.parent
        for table in _TABLES.values()
        for key in table.foreign_keys
        if key.column.table.name == name
    )


def _conflict(
    connection: Connection, edit_id: str, remedy: str, later: str | None = "", table: Table | None = None
) -> EditConflict:
    """Return the error that names the later work on an import.

    later: id of the edit, None = unknown, empty = one that changed a row of the import. table: of its row.
    """
    e = EditRow
    query = select(e.verb, e.at, AnnotatorRow.name).outerjoin(AnnotatorRow, AnnotatorRow.id == e.annotator_id)
    if later:
        query = query.where(e.id == later)
    else:
        changed = e.delta.contains(edit_id), e.undone_at.is_(None), e.id != edit_id
        query = query.where(*changed).order_by(e.number.desc()).limit(1)
    found = connection.execute(query).first() if later is not None else None
    if found is None:
        what = table.name.replace("_", " ") if table is not None else "its rows"
        return EditConflict(f"Later work builds on what it added ({what}). {remedy}")
    when = datetime.fromisoformat(found.at).astimezone().strftime("%Y-%m-%d %H:%M")
    who = found.name or "Somebody"
    return EditConflict(f"{who} worked on what it added by “{found.verb}” ({when}). {remedy}")


def _as_json(value: Any) -> Any:
    return {"base64": b64encode(value).decode()}


def _from_json(value: dict[str, Any]) -> Any:
    return b64decode(value["base64"]) if value.keys() == {"base64"} else value
