"""Edit history: list edits, undo and redo them, and the steps back to an earlier state."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select
from sqlalchemy import Row as SqlRow

from core.errors import InputError
from core.formatting.numbers import pluralize
from core.json_text import parse_json
from core.ports import EditReceipt, EditRecord
from storage.database.schema import VERSIONED_TABLES, AnnotatorRow, EditRow
from storage.database.writer import WriteResult
from storage.repositories.edits import edit_log, import_edits, row_deltas
from storage.repositories.edits.edit_descriptions import NameLookup, describe_edit, load_names, quoted
from storage.repositories.edits.edit_log import REDO, UNDO, EditHeader
from storage.repositories.edits.row_deltas import RowDelta
from storage.repositories.repository import Repository, read, write

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


Record = SqlRow[*tuple[Any, ...]]
_MOVED = {UNDO: "Undid", REDO: "Redid"}
_AT_ONCE = 500
_GAP = " … "
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


def seconds_by_day(connection: Connection, annotator_id: str) -> dict[date, float]:
    """Return the active seconds of an annotator's edits of topics, by local date."""
    minute = func.substr(EditRow.at, 1, 16)
    query = (
        select(minute, func.sum(EditRow.active_seconds))
        .where(EditRow.annotator_id == annotator_id, EditRow.topic_id.is_not(None))
        .group_by(minute)
    )
    seconds: dict[date, float] = defaultdict(float)
    for at, active in connection.execute(query):
        seconds[datetime.fromisoformat(f"{at}+00:00").astimezone().date()] += float(active)
    return dict(seconds)


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
        query = query.where(EditRow.number < number(connection, before))
    if not moves:
        query = query.where(~_is_move())
    rows = _matching_edits(connection, query, about, limit)
    moved = _moved(connection, (_edit_moved(row) for row in rows if _moves(row)))
    changes = [_described_changes(row, moved) for row in rows]
    names = load_names(connection, changes)
    return [_record(row, _description(row, c, names)) for row, c in zip(rows, changes, strict=True)]


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
    details = parse_json(row.details) if row.details else {}
    text = describe_edit(row.verb, changes, names)
    if "suggestion" in details:
        by = f"proposed by {details['by']}" if "by" in details else "suggested"
        words = quoted(_GAP.join(details["words"] or [details.get("label", "")]))
        text = f"{text}, as {by}" if changes else f"Dismissed a suggestion: {words}"
    elif several := details.get("suggestions"):
        by = ", ".join(sorted({one["by"] for one in several}))
        of = pluralize(len(several), "proposal")
        text = f"{text}: accepted {of} of {by}" if changes else f"Dismissed {of} of {by}"
    if what := details.get("import"):
        text = what
    if _moves(row):
        return f"{_MOVED[row.verb]}: {text if changes else 'dismissed suggestions'}"
    return f"{text}: {finding}" if (finding := details.get("finding")) else text


def number(connection: Connection, edit_id: str) -> int:
    """Return the place of an edit in the history. Raises InputError if it is not in the study."""
    found = connection.scalar(select(EditRow.number).where(EditRow.id == edit_id))
    if found is None:
        raise InputError("This edit is not in the study. Reload the history.")
    return found


def _is_move() -> Any:
    return EditRow.delta.is_(None) & EditRow.verb.in_((UNDO, REDO)) & EditRow.details.is_not(None)


def steps_back(connection: Connection, topic_id: str, number: int) -> Iterator[RowDelta]:
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
    return str(parse_json(row.details)["edit"])


def _moved(connection: Connection, edit_ids: Iterable[str]) -> dict[str, Sequence[RowDelta]]:
    """Return the changes of undone or redone edits by id."""
    query = select(EditRow.id, EditRow.delta).where(EditRow.id.in_(set(edit_ids)))
    found = connection.execute(query)
    return {row.id: () if row.delta is None else row_deltas.decode(row.delta) for row in found}


def _inverse(changes: Sequence[RowDelta]) -> Iterator[RowDelta]:
    return (change.inverse() for change in changes)


def imports_after(connection: Connection, number: int) -> frozenset[str]:
    """Return later imports, whose rows did not exist yet."""
    later = select(EditRow.id).where(EditRow.number > number, EditRow.delta.is_(None))
    return frozenset(connection.scalars(later))


def _record_event(
    connection: Connection, topic_id: str, annotator_id: str, verb: str, details: str
) -> WriteResult[EditReceipt]:
    return edit_log.record_event(connection, EditHeader(verb, annotator_id, topic_id, details=details))


def _record_decision(
    connection: Connection, topic_id: str, annotator_id: str, verb: str, details: str
) -> WriteResult[EditReceipt]:
    return edit_log.record_decision(connection, EditHeader(verb, annotator_id, topic_id, details=details))


def _undo(connection: Connection, annotator_id: str | None) -> WriteResult[EditReceipt]:
    edit = connection.execute(edit_log.last_done(annotator_id)).mappings().first()
    if edit is not None and import_edits.is_import(edit):
        return _described(connection, import_edits.undo(connection, edit))
    return _described(connection, edit_log.undo(connection, annotator_id))


def _redo(connection: Connection, annotator_id: str | None) -> WriteResult[EditReceipt]:
    edit = connection.execute(edit_log.first_undone(annotator_id)).mappings().first()
    if edit is not None and import_edits.is_import(edit):
        return _described(connection, import_edits.redo(connection, edit))
    return _described(connection, edit_log.redo(connection, annotator_id))


def _described(connection: Connection, written: WriteResult[EditReceipt]) -> WriteResult[EditReceipt]:
    """Return a result with the description of what was undone or redone, as the history describes it."""
    (row,) = connection.execute(_EDITS.where(EditRow.id == written.answer.edit_id))
    changes = _described_changes(row, {})
    what = _description(row, changes, load_names(connection, [changes]))
    return replace(written, answer=replace(written.answer, what=what))


class Edits(Repository):
    """History of a study's edits; implements `EditStore`."""

    history = read(history)
    undo = write(_undo)
    redo = write(_redo)
    undo_labels = read(edit_log.verbs_to_undo)
    record_event = write(_record_event)
    record_decision = write(_record_decision)
    events = read(edit_log.events)
    seconds_worked = read(seconds_worked)
    seconds_by_day = read(seconds_by_day)
