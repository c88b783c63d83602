"""Edit log: record, undo and redo edits."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.annotation.shared_pyramid import lock_message, shared_key
from core.domain.assignment import ROLES, refusal_of, roles_from
from core.domain.pyramid import UnitKind, new_id
from core.domain.ratings import edit_conflict
from core.domain.study import TYPING
from core.errors import EditConflict, InputError
from core.json_text import parse_json
from core.ports import ChangeKind, ChangeSet, EditPlace, EditReceipt
from core.text.languages import LANGUAGE_SETTING, TOPIC_LANGUAGE
from storage.database.schema import (
    AnnotatorRow,
    ContributorRow,
    DimensionRow,
    EditRow,
    MatchRow,
    PyramidRow,
    RatingRow,
    ScuRow,
    SettingRow,
)
from storage.database.writer import WriteResult
from storage.repositories import scale_rows
from storage.repositories.edits import row_deltas
from storage.repositories.edits.annotation_diff import PARENT, PARENT_TABLE
from storage.repositories.edits.row_deltas import Row, RowDelta

KINDS: Mapping[str, ChangeKind] = {
    "settings": ChangeKind.SETTINGS,
    "topics": ChangeKind.TEXTS,
    "pyramids": ChangeKind.PYRAMIDS,
    "scus": ChangeKind.PYRAMIDS,
    "contributors": ChangeKind.PYRAMIDS,
    "contributor_parts": ChangeKind.PYRAMIDS,
    "matches": ChangeKind.MATCHES,
    "match_parts": ChangeKind.MATCHES,
    "summary_states": ChangeKind.MATCHES,
    "dimensions": ChangeKind.RATINGS,
    "ratings": ChangeKind.RATINGS,
    "decisions": ChangeKind.DECISIONS,
    "comparison_plans": ChangeKind.COMPARISONS,
    "comparison_items": ChangeKind.COMPARISONS,
    "preferences": ChangeKind.COMPARISONS,
    "comments": ChangeKind.COMMENTS,
}
_NAMES = {
    "settings": "this text",
    "topics": "a topic",
    "pyramids": "this pyramid",
    "scus": "this SCU",
    "contributors": "a contributor",
    "contributor_parts": "a part of a contributor",
    "matches": "a match",
    "match_parts": "a part of a match",
    "summary_states": "the marks of this summary",
    "dimensions": "this scale",
    "ratings": "this rating",
    "decisions": "this decision",
    "comparison_plans": "this plan of comparisons",
    "comparison_items": "a comparison",
    "preferences": "this answer",
    "comments": "this comment",
}
_NAMED = select(EditRow.verb, EditRow.at, EditRow.undone_at, AnnotatorRow.name).outerjoin(
    AnnotatorRow, AnnotatorRow.id == EditRow.annotator_id
)
_LOCKED_TABLES = {
    "pyramids": "id",
    "scus": "pyramid_id",
    "contributors": "scu_id",
    "contributor_parts": "contributor_id",
}
"""Tables of pyramids, with the column that leads to the pyramid."""
IMPORT = "import"
"""Verb of imports, which have no delta; what they added is found by their ids."""
_CHANGES_ROWS = EditRow.delta.is_not(None) | ((EditRow.verb == IMPORT) & EditRow.details.is_not(None))
UNDO, REDO = "undo", "redo"
"""Verbs of the entries that record an undo or redo."""
_RETRY = "Check it and repeat your edit."


@dataclass(frozen=True, slots=True)
class EditHeader:
    """Verb, author and context of an edit.

    annotator_id: None for settings, and for imports by nobody. details: JSON with more, may be empty.
    """

    verb: str
    annotator_id: str | None = None
    topic_id: str | None = None
    active_seconds: float = 0.0
    details: str = ""


@dataclass(frozen=True, slots=True)
class RowEdit:
    """A row's content as seen by the editor and as requested; None = does not exist."""

    table: str
    id: str
    before: Row | None
    after: Row | None


def record(connection: Connection, header: EditHeader, edits: Sequence[RowEdit]) -> WriteResult[EditReceipt]:
    """Write one edit with all its rows. Raises EditConflict where a row has changed in the meantime."""
    if not edits:
        return _unchanged(header)
    ids: dict[str, list[str]] = defaultdict(list)
    for edit in edits:
        ids[edit.table].append(edit.id)
    current = row_deltas.fetch(connection, ids)
    for edit in edits:
        row = current.get((edit.table, edit.id))
        if not _is_as_seen(edit, row):
            raise _conflict(connection, edit.table, row, _RETRY)
    edit_id = new_id()
    changes = [_change(edit, current.get((edit.table, edit.id)), edit_id) for edit in edits]
    at = write_header(connection, header, edit_id, row_deltas.encode(changes))
    _write(connection, changes, current, _RETRY, header.annotator_id)
    labels = {} if header.annotator_id is None else {header.annotator_id: (header.verb, "")}
    changed = _change_set(connection, header.topic_id, changes, labels)
    return _written(EditReceipt(edit_id, header.verb, at, changed, header.topic_id))


def write_header(connection: Connection, header: EditHeader, edit_id: str, delta: str | None) -> datetime:
    """Insert the row of an edit and return its time."""
    at = datetime.now(UTC)
    row = {
        "id": edit_id,
        "annotator_id": header.annotator_id,
        "topic_id": header.topic_id,
        "verb": header.verb,
        "at": _as_stored(at),
        "active_seconds": header.active_seconds,
        "follows": connection.scalar(_head(header.annotator_id)),
        "delta": delta,
        "details": header.details or None,
    }
    connection.execute(insert(EditRow), row)
    return at


def record_event(connection: Connection, header: EditHeader) -> WriteResult[EditReceipt]:
    """Record an event that changes no row; undo and redo skip it."""
    edit_id = new_id()
    at = write_header(connection, header, edit_id, None)
    nothing = ChangeSet(frozenset())
    return WriteResult(EditReceipt(edit_id, header.verb, at, nothing, header.topic_id), nothing)


def record_decision(connection: Connection, header: EditHeader) -> WriteResult[EditReceipt]:
    """Record an edit that changes no row but can be undone, such as a dismissed suggestion."""
    edit_id = new_id()
    at = write_header(connection, header, edit_id, row_deltas.encode(()))
    labels = {} if header.annotator_id is None else {header.annotator_id: (header.verb, "")}
    changed = _change_set(connection, header.topic_id, (), labels)
    return _written(EditReceipt(edit_id, header.verb, at, changed, header.topic_id))


def events(connection: Connection, topic_id: str, annotator_id: str, verb: str) -> list[str]:
    """Return the details of an annotator's entries of a verb on a topic that are not undone, in order."""
    its = (EditRow.topic_id == topic_id, EditRow.annotator_id == annotator_id, EditRow.verb == verb)
    entries = select(EditRow.details).where(*its, EditRow.details.is_not(None), EditRow.undone_at.is_(None))
    return [str(details) for details in connection.scalars(entries.order_by(EditRow.number))]


def undo(connection: Connection, annotator_id: str | None) -> WriteResult[EditReceipt]:
    """Undo the annotator's last edit that is not undone yet, with all edits of the same stay in a field."""
    edit = connection.execute(last_done(annotator_id)).mappings().first()
    if edit is None:
        raise InputError("Nothing to undo.")
    at = _as_stored(datetime.now(UTC))
    while True:
        changes = [change.inverse() for change in row_deltas.decode(edit["delta"])]
        result = _replay(connection, edit, changes, undone_at=at)
        before = connection.execute(last_done(annotator_id)).mappings().first()
        if before is None or not _are_of_one_stay(edit, before):
            return result
        edit = before


def redo(connection: Connection, annotator_id: str | None) -> WriteResult[EditReceipt]:
    """Redo the annotator's last undone edit, unless a newer edit followed, and those that undo took along."""
    edit = connection.execute(first_undone(annotator_id)).mappings().first()
    if edit is None:
        raise InputError("Nothing to redo.")
    while True:
        result = _replay(connection, edit, row_deltas.decode(edit["delta"]), undone_at=None)
        following = connection.execute(first_undone(annotator_id)).mappings().first()
        if following is None or not _are_of_one_stay(edit, following):
            return result
        edit = following


def verbs_to_undo(connection: Connection, annotator_id: str | None) -> tuple[str, str]:
    """Return the verbs of the edits that undo and redo would apply to, empty = none."""
    done = connection.execute(last_done(annotator_id)).mappings().first()
    undone = connection.execute(first_undone(annotator_id)).mappings().first()
    return done["verb"] if done else "", undone["verb"] if undone else ""


def _are_of_one_stay(edit: RowMapping, other: RowMapping) -> bool:
    """Return whether two edits are of text that was typed during one stay in a field."""
    is_typed = edit["details"] is not None and TYPING in parse_json(edit["details"])
    return is_typed and other["details"] == edit["details"]


def _head(annotator_id: str | None) -> Select[int]:
    """Return the number of the annotator's last edit that is not undone, 0 = none."""
    mine = (EditRow.annotator_id == annotator_id, EditRow.undone_at.is_(None), _CHANGES_ROWS)
    return select(func.coalesce(func.max(EditRow.number), 0)).where(*mine)


def last_done(annotator_id: str | None) -> Select[Any]:
    """Return the query of the edit that is undone next."""
    return select(EditRow.__table__).where(EditRow.number == _head(annotator_id).scalar_subquery())


def first_undone(annotator_id: str | None) -> Select[Any]:
    """Return the query of the edit that is redone next: the newest undone one after the current state."""
    head = _head(annotator_id).scalar_subquery()
    next_ones = (EditRow.annotator_id == annotator_id, EditRow.number > head, EditRow.follows == head)
    undone = (*next_ones, _CHANGES_ROWS)
    return select(EditRow.__table__).where(*undone).order_by(EditRow.number.desc()).limit(1)


def _replay(
    connection: Connection, edit: RowMapping, changes: Sequence[RowDelta], undone_at: str | None
) -> WriteResult[EditReceipt]:
    """Apply changes of an edit if each row is still in the state before them."""
    action = "redone" if undone_at is None else "undone"
    remedy = f"So your “{edit['verb']}” cannot be {action}."
    current = row_deltas.fetch(connection, row_deltas.ids_of(changes))
    for change in changes:
        row = current.get((change.table, change.before["id"]))
        if row != change.before:
            raise _conflict(connection, change.table, row, remedy)
    _write(connection, changes, current, remedy, edit["annotator_id"])
    connection.execute(update(EditRow).where(EditRow.id == edit["id"]).values(undone_at=undone_at))
    which = json.dumps({"edit": edit["id"]})
    move = EditHeader(UNDO if undone_at else REDO, edit["annotator_id"], edit["topic_id"], details=which)
    write_header(connection, move, new_id(), None)
    editor = edit["annotator_id"]
    labels = {} if editor is None else {editor: verbs_to_undo(connection, editor)}
    changed = _change_set(connection, edit["topic_id"], changes, labels)
    place = _place(connection, changes)
    at = datetime.now(UTC)
    return _written(EditReceipt(edit["id"], edit["verb"], at, changed, edit["topic_id"], place=place))


def _place(connection: Connection, changes: Sequence[RowDelta]) -> EditPlace:
    """Return which summary, unit, comparison or scale changed; of several units the first that is left."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for change in changes:
        rows[change.table].append(change.after)
    match_ids = {row["match_id"] for row in rows["match_parts"]}
    matches = [
        *rows["matches"],
        *connection.execute(select(MatchRow.__table__).where(MatchRow.id.in_(match_ids))).mappings(),
    ]
    contributor_ids = {row["contributor_id"] for row in rows["contributor_parts"]}
    of_parts = select(ContributorRow.scu_id).where(ContributorRow.id.in_(contributor_ids))
    candidates = [
        *(row["id"] for row in rows["scus"]),
        *(row["scu_id"] for row in rows["contributors"]),
        *connection.scalars(of_parts),
        *(row["scu_id"] for row in matches),
    ]
    is_left = select(ScuRow.id).where(ScuRow.id.in_(set(candidates) - {None}), ~ScuRow.is_deleted)
    left = set(connection.scalars(is_left))
    of_summaries = (*matches, *rows["summary_states"], *rows["ratings"])
    summaries = {row["summary_id"] for row in of_summaries}
    scales = {row["dimension_id"] for row in rows["ratings"]}
    return EditPlace(
        summaries.pop() if len(summaries) == 1 else "",
        next((unit for unit in candidates if unit in left), ""),
        next((row["item_id"] for row in rows["preferences"]), ""),
        scales.pop() if len(scales) == 1 else "",
    )


def _is_as_seen(edit: RowEdit, row: Row | None) -> bool:
    if row is None or row["is_deleted"]:
        return edit.before is None
    if edit.before is None:
        return False
    return all(row[column] == value for column, value in edit.before.items())


def _change(edit: RowEdit, row: Row | None, edit_id: str) -> RowDelta:
    marks = {"version": row["version"] + 1 if row else 1, "is_deleted": edit.after is None}
    content = edit.after if edit.after is not None else {}
    after = {**(row or {"id": edit.id}), **content, **marks, "edit_id": edit_id}
    return RowDelta(edit.table, row or row_deltas.tombstone(after), after)


def _write(
    connection: Connection,
    changes: Sequence[RowDelta],
    current: Mapping[tuple[str, str], Row],
    remedy: str,
    editor_id: str | None,
) -> None:
    """Write rows. Raises EditConflict where other rows would lose their parent or be duplicated."""
    try:
        row_deltas.write(connection, changes, current)
    except IntegrityError as error:  # a duplicate, as when two windows mark a summary at the same time
        if any(change.table == "dimensions" for change in changes):
            raise EditConflict(f"Another scale has the same name now. Rename that first. {remedy}") from error
        names = ", ".join(sorted({_NAMES[change.table] for change in changes}))
        raise EditConflict(f"Somebody else edited {names} at the same time. {remedy}") from error
    orphan = row_deltas.first_orphan(connection, changes)
    if orphan is not None:
        raise _conflict(connection, orphan.table, orphan.row, remedy)
    _check_ranges(connection, changes, remedy)
    _check_lock(connection, changes, editor_id)


def _check_lock(connection: Connection, changes: Sequence[RowDelta], editor_id: str | None) -> None:
    """Raise EditConflict for a change of done pyramids or nuggets that everyone matches against.

    To reopen one, also by undo, unlocks it, which is for managers if there are any.
    """
    if not any(change.table in _LOCKED_TABLES for change in changes):
        return
    keys = {shared_key(kind): kind for kind in UnitKind}
    setting = SettingRow.id, SettingRow.value
    found = select(*setting).where(SettingRow.id.in_(keys), ~SettingRow.is_deleted, SettingRow.value != "")
    shared = {keys[row.id]: row.value for row in connection.execute(found)}
    if not shared:
        return
    named: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        if change.table in _LOCKED_TABLES:
            named[change.table].add(change.after[_LOCKED_TABLES[change.table]])
    contributors = select(ContributorRow.scu_id).where(ContributorRow.id.in_(named["contributor_parts"]))
    scus = {*named["contributors"], *connection.scalars(contributors)}
    of_scus = connection.scalars(select(ScuRow.pyramid_id).where(ScuRow.id.in_(scus)))
    edited = {*named["scus"], *of_scus}
    pyramids = {*named["pyramids"], *edited}
    was_done = {
        change.after["id"]: change.before["is_done"]
        and not change.before["is_deleted"]
        and (change.after["id"] in edited or change.after["is_done"] or change.after["is_deleted"])
        for change in changes
        if change.table == "pyramids"
    }
    owner = select(PyramidRow.id, PyramidRow.is_done, PyramidRow.kind, AnnotatorRow.name).join(
        AnnotatorRow, AnnotatorRow.id == PyramidRow.annotator_id
    )
    for row_id, is_done, kind, name in connection.execute(owner.where(PyramidRow.id.in_(pyramids))):
        if shared.get(UnitKind(kind)) != name:
            continue
        if was_done.get(row_id, is_done):
            raise EditConflict(lock_message(UnitKind(kind), name))
        is_reopened = row_id in was_done and any(
            one.table == "pyramids" and one.before["id"] == row_id and one.before["is_done"]
            for one in changes
        )
        if is_reopened and editor_id is not None and (refusal := _refusal(connection, editor_id)):
            raise EditConflict(refusal)


def _refusal(connection: Connection, editor_id: str) -> str:
    """Return who has to do what only managers do; empty = the editor may do it."""
    roles = select(SettingRow.value).where(SettingRow.id == ROLES, ~SettingRow.is_deleted)
    name = connection.scalar(select(AnnotatorRow.name).where(AnnotatorRow.id == editor_id))
    return refusal_of(name or "", roles_from(connection.scalar(roles) or ""))


def _check_ranges(connection: Connection, changes: Sequence[RowDelta], remedy: str) -> None:
    """Raise EditConflict where ratings would lie outside their scale, as after ratings by others."""
    concerned = {change.after["id"] for change in changes if change.table == "dimensions"}
    concerned |= {change.after["dimension_id"] for change in changes if change.table == "ratings"}
    if not concerned:
        return
    scale, rating = DimensionRow, RatingRow
    outside = (
        select(scale.name, scale.low, scale.high, func.count())
        .join(rating, rating.dimension_id == scale.id)
        .where(scale.id.in_(concerned), ~scale.is_deleted, ~rating.is_deleted)
        .where(~rating.value.between(scale.low, scale.high))
        .group_by(scale.id, scale.name, scale.low, scale.high)
    )
    for name, low, high, count in connection.execute(outside):
        many = f"{count:,} {'rating' if count == 1 else 'ratings'}"
        raise EditConflict(f"{many} of {name} would lie outside its range, {low:g} to {high:g}. {remedy}")
    _check_kinds(connection, changes, remedy)


def _check_kinds(connection: Connection, changes: Sequence[RowDelta], remedy: str) -> None:
    """Raise EditConflict where ratings would get another meaning by a change of their scale."""
    for change in changes:
        if change.table != "dimensions" or change.before["is_deleted"] or change.after["is_deleted"]:
            continue
        if all(
            change.before[column] == change.after[column] for column in ("kind", "anchors", "low", "high")
        ):
            continue
        before, after = (scale_rows.dimension_of(row) for row in (change.before, change.after))
        counted = scale_rows.counts(connection).get(after.id, {})
        refusal = edit_conflict(before, after, counted) if counted else ""
        if refusal:
            raise EditConflict(f"{refusal} {remedy}")


def _conflict(connection: Connection, table: str, row: Row | None, remedy: str) -> EditConflict:
    """Return the error that names who changed a row last, how and when."""
    name = _name(connection, table, row)
    if row is None:
        return EditConflict(f"The edit that created {name} was not saved. {remedy}")
    edit, undone = _edit(connection, row["edit_id"]), _last_undone_on(connection, row["id"])
    if undone is not None and (edit is None or undone.undone_at > edit.at):
        return EditConflict(
            f"{undone.name} undid “{undone.verb}” on {name} ({_when(undone.undone_at)}). {remedy}"
        )
    if edit is None:
        return EditConflict(f"Somebody else changed {name} in the meantime. {remedy}")
    did = "removed" if row["is_deleted"] else "changed"
    return EditConflict(
        f"{edit.name or 'An import'} {did} {name} by “{edit.verb}” ({_when(edit.at)}). {remedy}"
    )


def _name(connection: Connection, table: str, row: Row | None) -> str:
    if table == "scus" and row is not None:
        kind = connection.scalar(select(PyramidRow.kind).where(PyramidRow.id == row["pyramid_id"]))
        return "this nugget" if kind == UnitKind.NUGGET else _NAMES[table]
    return _NAMES[table]


def _edit(connection: Connection, edit_id: str | None) -> Any:
    return connection.execute(_NAMED.where(EditRow.id == edit_id)).first()


def _last_undone_on(connection: Connection, row_id: str) -> Any:
    touching = _NAMED.where(EditRow.undone_at.is_not(None), EditRow.delta.contains(row_id))
    return connection.execute(touching.order_by(EditRow.undone_at.desc()).limit(1)).first()


def _as_stored(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _when(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def _change_set(
    connection: Connection,
    topic_id: str | None,
    changes: Sequence[RowDelta],
    undo_labels: Mapping[str, tuple[str, str]],
) -> ChangeSet:
    topics = frozenset() if topic_id is None else frozenset({topic_id})
    kinds = {KINDS[change.table] for change in changes}
    if kinds & {ChangeKind.PYRAMIDS, ChangeKind.MATCHES} and _concerns_nuggets(connection, changes):
        kinds.add(ChangeKind.NUGGETS)
    keys = [str(change.after["id"]) for change in changes if change.table == "settings"]
    if any(key == LANGUAGE_SETTING or key.startswith(TOPIC_LANGUAGE) for key in keys):
        kinds.add(ChangeKind.TEXTS)  # each text carries the language, by which its sentences are split
    return ChangeSet(frozenset(kinds), topics, undo_labels=undo_labels)


def _concerns_nuggets(connection: Connection, changes: Iterable[RowDelta]) -> bool:
    """Return whether an edit of one annotation changed nuggets or their hits."""
    table, row = next((c.table, c.after) for c in changes if c.table in (*PARENT, "pyramids"))
    while table != "pyramids":
        parent, parent_id = PARENT_TABLE[table], str(row[PARENT[table]])
        found = row_deltas.fetch(connection, {parent: [parent_id]}).get((parent, parent_id))
        if found is None:
            return False
        table, row = parent, found
    return str(row["kind"]) == UnitKind.NUGGET


def _written(receipt: EditReceipt) -> WriteResult[EditReceipt]:
    return WriteResult(receipt, receipt.changes)


def _unchanged(header: EditHeader) -> WriteResult[EditReceipt]:
    nothing = ChangeSet(frozenset())
    return WriteResult(EditReceipt("", header.verb, datetime.now(UTC), nothing, header.topic_id), nothing)
