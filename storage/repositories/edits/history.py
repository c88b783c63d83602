"""Edit history: list edits and reconstruct earlier states of a pyramid."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy import Row as SqlRow

from core.domain.pyramid import TopicAnnotation, UnitKind
from core.errors import InputError
from core.ports import EditRecord
from storage.database.schema import VERSIONED_TABLES, AnnotatorRow, EditRow
from storage.repositories import pyramids
from storage.repositories.edits import row_deltas
from storage.repositories.edits.annotation_diff import PARENT
from storage.repositories.edits.edit_descriptions import NameLookup, describe_edit, load_names
from storage.repositories.edits.edit_log import REDO, UNDO
from storage.repositories.edits.history_filters import HistoryFilter, about_pyramid, about_scu
from storage.repositories.edits.row_deltas import Row, RowDelta
from storage.repositories.suggestion_log import as_suggested

Record = SqlRow[*tuple[Any, ...]]
Key = tuple[str, str]
"""Table and id of a row."""

_MOVED = {UNDO: "Undid", REDO: "Redid"}
_AT_ONCE = 500
_BELOW = {
    "scus": "pyramids",
    "contributors": "scus",
    "contributor_parts": "contributors",
    "matches": "pyramids",
    "match_parts": "matches",
    "summary_states": "pyramids",
}
_EDITS = select(
    EditRow.number,
    EditRow.id,
    EditRow.verb,
    EditRow.at,
    EditRow.topic_id,
    EditRow.active_seconds,
    EditRow.undone_at,
    EditRow.annotator_id,
    EditRow.delta,
    EditRow.details,
    AnnotatorRow.name,
).outerjoin(AnnotatorRow, AnnotatorRow.id == EditRow.annotator_id)


def seconds_worked(
    connection: Connection, annotator_id: str, verbs: Collection[str] | None = None
) -> dict[str, float]:
    """Return the active seconds of an annotator's edits of some verbs, None = all, by topic id."""
    query = (
        select(EditRow.topic_id, func.sum(EditRow.active_seconds))
        .where(EditRow.annotator_id == annotator_id, EditRow.topic_id.is_not(None))
        .group_by(EditRow.topic_id)
    )
    if verbs is not None:
        query = query.where(EditRow.verb.in_(verbs))
    return {topic_id: float(seconds) for topic_id, seconds in connection.execute(query) if topic_id}


def history(
    connection: Connection,
    topic_id: str | None = None,
    limit: int = 200,
    *,
    pyramid_id: str = "",
    scu_id: str = "",
    before: str = "",
    moves: bool = False,
) -> list[EditRecord]:
    """Return edits, newest first; see `core.ports.EditStore.history`."""
    about = None
    if pyramid_id or scu_id:
        about = about_scu(connection, scu_id) if scu_id else about_pyramid(connection, pyramid_id)
    query = _EDITS.order_by(EditRow.number.desc())
    if topic_id is not None:
        of_topic = EditRow.topic_id == topic_id
        imports = about.imports if about is not None else ()
        # with an OR, SQLite sorts all deltas before returning the first row
        query = query.where(of_topic | EditRow.id.in_(imports) if imports else of_topic)
    if before:
        query = query.where(EditRow.number < _number(connection, before))
    if not moves:
        query = query.where(~_is_move())
    rows = _matching_edits(connection, query, about, limit)
    moved = _moved(connection, (_edit_moved(row) for row in rows if _moves(row)))
    changes = [_described_changes(row, moved) for row in rows]
    names = load_names(connection, changes)
    return [_record(row, _description(row, c, names)) for row, c in zip(rows, changes, strict=True)]


def description(connection: Connection, edit_id: str) -> str:
    """Return what an edit changed, as the history describes it."""
    (row,) = connection.execute(_EDITS.where(EditRow.id == edit_id))
    changes = _described_changes(row, {})
    return _description(row, changes, load_names(connection, [changes]))


def annotation_at(
    connection: Connection, topic_id: str, annotator_id: str, edit_id: str, kind: UnitKind = UnitKind.SCU
) -> TopicAnnotation:
    """Return an annotator's pyramid with all matches as they were after an edit.

    Every later step on the topic is reverted from the current state.
    Raises InputError where the edit is not in the study.
    """
    number = _number(connection, edit_id)
    table = VERSIONED_TABLES["pyramids"]
    its = pyramids.its_row(topic_id, annotator_id, kind)
    pyramid = connection.execute(select(table).where(its)).mappings().first()
    if pyramid is None:
        return pyramids.empty(topic_id, annotator_id, kind)
    rows = _every_row(connection, dict(pyramid))
    for change in _steps_back(connection, topic_id, number):
        if (change.table, change.after["id"]) in rows:
            rows[change.table, change.after["id"]] = change.after
    imports = _imports_after(connection, number)
    living = {key: row for key, row in rows.items() if not _is_gone(row, imports)}
    return pyramids.value_of(rows["pyramids", pyramid["id"]], _by_parent(living))


def _matching_edits(
    connection: Connection, query: Select[*tuple[Any, ...]], about: HistoryFilter | None, limit: int
) -> list[Record]:
    """Return at most `limit` edits of a query that match a filter."""
    if about is None:
        return list(connection.execute(query.limit(limit)))
    with connection.execute(query.execution_options(yield_per=_AT_ONCE)) as newest_first:
        return list(islice(filter(about.is_touched_by, newest_first), limit))


def _record(row: Record, what: str) -> EditRecord:
    at = datetime.fromisoformat(row.at)
    is_undone = row.undone_at is not None
    return EditRecord(row.id, row.verb, row.name or "", at, row.topic_id, row.active_seconds, is_undone, what)


def _described_changes(row: Record, moved: Mapping[str, Sequence[RowDelta]]) -> Sequence[RowDelta]:
    """Return the changes of an entry, or those of the edit that it undid or redid."""
    if _moves(row):
        return moved[_edit_moved(row)]
    return () if row.delta is None else row_deltas.decode(row.delta)


def _description(row: Record, changes: Sequence[RowDelta], names: NameLookup) -> str:
    text = as_suggested(describe_edit(row.verb, changes, names), row.details, is_edit=row.delta is not None)
    if _moves(row):
        return f"{_MOVED[row.verb]}: {text}"
    finding = json.loads(row.details).get("finding") if row.details else None
    return f"{text}: {finding}" if finding else text


def _number(connection: Connection, edit_id: str) -> int:
    number = connection.scalar(select(EditRow.number).where(EditRow.id == edit_id))
    if number is None:
        raise InputError("This edit is not in the study. Reload the history.")
    return number


def _is_move() -> Any:
    return EditRow.delta.is_(None) & EditRow.verb.in_((UNDO, REDO)) & EditRow.details.is_not(None)


def _steps_back(connection: Connection, topic_id: str, number: int) -> Iterator[RowDelta]:
    """Yield the changes that lead from the current state back to the state after an edit, last step first.

    A step is an edit, an undo or a redo. The edit itself comes last, as it may be undone in a study of a
    version that did not record undo steps.
    """
    e = EditRow
    later = connection.execute(
        select(e.verb, e.delta, e.details)
        .where(e.topic_id == topic_id, e.number > number)
        .order_by(e.number.desc())
    ).all()
    moved = _moved(connection, (_edit_moved(row) for row in later if _moves(row)))
    for row in later:
        if _moves(row):
            changes = moved[_edit_moved(row)]
            yield from changes if row.verb == UNDO else _inverse(changes)
        elif row.delta is not None:
            yield from _inverse(row_deltas.decode(row.delta))
    own = connection.scalar(select(e.delta).where(e.number == number))
    yield from row_deltas.decode(own) if own is not None else ()


def _moves(row: Record) -> bool:
    return row.delta is None and row.verb in (UNDO, REDO) and row.details is not None


def _edit_moved(row: Record) -> str:
    """Return the id of the edit that was undone or redone."""
    return str(json.loads(row.details)["edit"])


def _moved(connection: Connection, edit_ids: Iterable[str]) -> dict[str, list[RowDelta]]:
    """Return the changes of undone or redone edits by id."""
    query = select(EditRow.id, EditRow.delta).where(EditRow.id.in_(set(edit_ids)))
    return {row.id: row_deltas.decode(row.delta) for row in connection.execute(query)}


def _inverse(changes: Sequence[RowDelta]) -> Iterator[RowDelta]:
    return (change.inverse() for change in changes)


def _every_row(connection: Connection, pyramid: Row) -> dict[Key, Row]:
    """Return a pyramid's row and all rows below it, including deleted ones."""
    rows: dict[Key, Row] = {("pyramids", pyramid["id"]): pyramid}
    for name, above in _BELOW.items():
        table = VERSIONED_TABLES[name]
        parents = [row_id for parent, row_id in rows if parent == above]
        for at in range(0, len(parents), _AT_ONCE):
            chosen = table.c[PARENT[name]].in_(parents[at : at + _AT_ONCE])
            for row in connection.execute(select(table).where(chosen)).mappings():
                rows[name, row["id"]] = dict(row)
    return rows


def _imports_after(connection: Connection, number: int) -> frozenset[str]:
    """Return later imports, whose rows did not exist yet."""
    later = select(EditRow.id).where(EditRow.number > number, EditRow.delta.is_(None))
    return frozenset(connection.scalars(later))


def _is_gone(row: Mapping[str, Any], imports: frozenset[str]) -> bool:
    return bool(row["is_deleted"]) or row["edit_id"] in imports


def _by_parent(rows: Mapping[Key, Row]) -> dict[str, dict[str, list[Row]]]:
    rows_below: dict[str, dict[str, list[Row]]] = {name: defaultdict(list) for name in _BELOW}
    for (name, _), row in sorted(rows.items(), key=lambda entry: (entry[1].get("position", 0), entry[0][1])):
        if name in rows_below:
            rows_below[name][row[PARENT[name]]].append(row)
    return rows_below
