"""Edits: recorded with what they changed, taken back, done again, listed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.domain.pyramid import new_id
from core.errors import EditConflict, InputError
from core.ports import ChangeKind, ChangeSet, EditReceipt
from storage.database.schema import AnnotatorRow, DimensionRow, EditRow, RatingRow
from storage.database.writer import WriteResult
from storage.repositories.edits import row_deltas
from storage.repositories.edits.row_deltas import Row, RowDelta

KINDS: Mapping[str, ChangeKind] = {
    "settings": ChangeKind.SETTINGS,
    "pyramids": ChangeKind.PYRAMIDS,
    "scus": ChangeKind.PYRAMIDS,
    "contributors": ChangeKind.PYRAMIDS,
    "contributor_parts": ChangeKind.PYRAMIDS,
    "matches": ChangeKind.MATCHES,
    "match_parts": ChangeKind.MATCHES,
    "summary_states": ChangeKind.MATCHES,
    "nuggets": ChangeKind.PYRAMIDS,
    "nugget_hits": ChangeKind.MATCHES,
    "dimensions": ChangeKind.RATINGS,
    "ratings": ChangeKind.RATINGS,
}
_NAMES = {
    "settings": "this text",
    "pyramids": "this pyramid",
    "scus": "this SCU",
    "contributors": "a contributor",
    "contributor_parts": "a part of a contributor",
    "matches": "a match",
    "match_parts": "a part of a match",
    "summary_states": "the marks of this summary",
    "nuggets": "this nugget",
    "nugget_hits": "a nugget's place",
    "dimensions": "this scale",
    "ratings": "this rating",
}
_NAMED = select(EditRow.verb, EditRow.at, EditRow.undone_at, AnnotatorRow.name).outerjoin(
    AnnotatorRow, AnnotatorRow.id == EditRow.annotator_id
)
UNDO, REDO = "undo", "redo"
"""Verbs of the entries that keep when an edit was taken back or done again."""
_LOOK_AGAIN = "Look at it again, then repeat your edit."


@dataclass(frozen=True, slots=True)
class EditHeader:
    """What an edit is called and whose it is.

    annotator_id: None for settings and imports. details: JSON, what it was made on, empty = nothing to say.
    """

    verb: str
    annotator_id: str | None = None
    topic_id: str | None = None
    active_seconds: float = 0.0
    details: str = ""


@dataclass(frozen=True, slots=True)
class RowEdit:
    """What an edit wants of a row: its content as the editor saw it and as it shall be, None = not there."""

    table: str
    id: str
    before: Row | None
    after: Row | None


def record(
    connection: Connection, heading: EditHeader, wanted: Sequence[RowEdit]
) -> WriteResult[EditReceipt]:
    """Write one edit with all its rows. Raises EditConflict where a row is not as it was seen."""
    if not wanted:
        return _unchanged(heading)
    ids: dict[str, list[str]] = defaultdict(list)
    for want in wanted:
        ids[want.table].append(want.id)
    current = row_deltas.fetch(connection, ids)
    for want in wanted:
        row = current.get((want.table, want.id))
        if not _is_as_seen(want, row):
            raise _conflict(connection, want.table, row, _LOOK_AGAIN)
    edit_id = new_id()
    changes = [_change(want, current.get((want.table, want.id)), edit_id) for want in wanted]
    at = write_heading(connection, heading, edit_id, row_deltas.encode(changes))
    _write(connection, changes, current, _LOOK_AGAIN)
    return _written(edit_id, heading.verb, at, heading.topic_id, changes)


def write_heading(connection: Connection, heading: EditHeader, edit_id: str, delta: str | None) -> datetime:
    """Write an edit's own row and return its moment."""
    at = datetime.now(UTC)
    row = {
        "id": edit_id,
        "annotator_id": heading.annotator_id,
        "topic_id": heading.topic_id,
        "verb": heading.verb,
        "at": _as_stored(at),
        "active_seconds": heading.active_seconds,
        "follows": connection.scalar(_head(heading.annotator_id)),
        "delta": delta,
        "details": heading.details or None,
    }
    connection.execute(insert(EditRow), row)
    return at


def record_event(connection: Connection, heading: EditHeader) -> WriteResult[EditReceipt]:
    """Write what changed no row, as that a suggestion was dismissed; undo and redo pass over it."""
    edit_id = new_id()
    at = write_heading(connection, heading, edit_id, None)
    nothing = ChangeSet(frozenset())
    return WriteResult(EditReceipt(edit_id, heading.verb, at, nothing, heading.topic_id), nothing)


def events(connection: Connection, topic_id: str, annotator_id: str, verb: str) -> list[str]:
    """The details of an annotator's entries of that verb on a topic, oldest first."""
    its = (EditRow.topic_id == topic_id, EditRow.annotator_id == annotator_id, EditRow.verb == verb)
    entries = select(EditRow.details).where(*its, EditRow.details.is_not(None))
    return [str(details) for details in connection.scalars(entries.order_by(EditRow.number))]


def undo(connection: Connection, annotator_id: str) -> WriteResult[EditReceipt]:
    """Put back the rows of the annotator's last edit that is in force."""
    edit = connection.execute(_last_done(annotator_id)).mappings().first()
    if edit is None:
        raise InputError("Nothing is left to undo.")
    changes = [change.inverse() for change in row_deltas.decode(edit["delta"])]
    return _replay(connection, edit, changes, undone_at=_as_stored(datetime.now(UTC)))


def redo(connection: Connection, annotator_id: str) -> WriteResult[EditReceipt]:
    """Do the annotator's last undone edit again, unless a newer edit followed."""
    edit = connection.execute(_first_undone(annotator_id)).mappings().first()
    if edit is None:
        raise InputError("Nothing is left to redo.")
    return _replay(connection, edit, row_deltas.decode(edit["delta"]), undone_at=None)


def verbs_to_undo(connection: Connection, annotator_id: str) -> tuple[str, str]:
    """The verbs that undo and redo would touch, empty = none."""
    done = connection.execute(_last_done(annotator_id)).mappings().first()
    undone = connection.execute(_first_undone(annotator_id)).mappings().first()
    return done["verb"] if done else "", undone["verb"] if undone else ""


def _head(annotator_id: str | None) -> Select[int]:
    """The number of the annotator's last edit in force, 0 = none."""
    mine = (EditRow.annotator_id == annotator_id, EditRow.undone_at.is_(None), EditRow.delta.is_not(None))
    return select(func.coalesce(func.max(EditRow.number), 0)).where(*mine)


def _last_done(annotator_id: str) -> Select[Any]:
    return select(EditRow.__table__).where(EditRow.number == _head(annotator_id).scalar_subquery())


def _first_undone(annotator_id: str) -> Select[Any]:
    """The edit that was made last on what is in force now; older ones undone there were given up for it."""
    head = _head(annotator_id).scalar_subquery()
    next_ones = (EditRow.annotator_id == annotator_id, EditRow.number > head, EditRow.follows == head)
    undone = (*next_ones, EditRow.delta.is_not(None))
    return select(EditRow.__table__).where(*undone).order_by(EditRow.number.desc()).limit(1)


def _replay(
    connection: Connection, edit: RowMapping, changes: Sequence[RowDelta], undone_at: str | None
) -> WriteResult[EditReceipt]:
    """Move rows to where an edit wants them, only if each is where it left them."""
    action = "redone" if undone_at is None else "undone"
    remedy = f"So your “{edit['verb']}” cannot be {action}."
    current = row_deltas.fetch(connection, row_deltas.ids_of(changes))
    for change in changes:
        row = current.get((change.table, change.before["id"]))
        if row != change.before:
            raise _conflict(connection, change.table, row, remedy)
    _write(connection, changes, current, remedy)
    connection.execute(update(EditRow).where(EditRow.id == edit["id"]).values(undone_at=undone_at))
    which = json.dumps({"edit": edit["id"]})
    move = EditHeader(UNDO if undone_at else REDO, edit["annotator_id"], edit["topic_id"], details=which)
    write_heading(connection, move, new_id(), None)
    return _written(edit["id"], edit["verb"], datetime.now(UTC), edit["topic_id"], changes)


def _is_as_seen(want: RowEdit, row: Row | None) -> bool:
    if row is None or row["is_deleted"]:
        return want.before is None
    if want.before is None:
        return False
    return all(row[column] == value for column, value in want.before.items())


def _change(want: RowEdit, row: Row | None, edit_id: str) -> RowDelta:
    marks = {"version": row["version"] + 1 if row else 1, "is_deleted": want.after is None}
    content = want.after if want.after is not None else {}
    after = {**(row or {"id": want.id}), **content, **marks, "edit_id": edit_id}
    return RowDelta(want.table, row or row_deltas.tombstone(after), after)


def _write(
    connection: Connection, changes: Sequence[RowDelta], current: Mapping[tuple[str, str], Row], remedy: str
) -> None:
    """Write rows. Raises EditConflict where somebody's work would lose its parent or double."""
    try:
        row_deltas.write(connection, changes, current)
    except IntegrityError as error:  # one more than may be, as two windows marking one summary at once
        if any(change.table == "dimensions" for change in changes):
            raise EditConflict(f"Another scale has the same name now. Rename it first. {remedy}") from error
        names = ", ".join(sorted({_NAMES[change.table] for change in changes}))
        raise EditConflict(f"Somebody wrote {names} at the same moment. {remedy}") from error
    orphan = row_deltas.first_orphan(connection, changes)
    if orphan is not None:
        raise _conflict(connection, orphan.table, orphan.row, remedy)
    _check_ranges(connection, changes, remedy)


def _check_ranges(connection: Connection, changes: Sequence[RowDelta], remedy: str) -> None:
    """Raise EditConflict where ratings would lie outside their scale, as when somebody else rated since."""
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


def _conflict(connection: Connection, table: str, row: Row | None, remedy: str) -> EditConflict:
    """Who changed a row last, by what and when."""
    name = _NAMES[table]
    if row is None:
        return EditConflict(f"The edit that made {name} was not written. {remedy}")
    edit, undone = _edit(connection, row["edit_id"]), _last_undone_on(connection, row["id"])
    if undone is not None and (edit is None or undone.undone_at > edit.at):
        return EditConflict(
            f"{undone.name} undid “{undone.verb}” on {name} ({_when(undone.undone_at)}). {remedy}"
        )
    if edit is None:
        return EditConflict(f"Somebody changed {name} meanwhile. {remedy}")
    did = "removed" if row["is_deleted"] else "changed"
    return EditConflict(
        f"{edit.name or 'An import'} {did} {name} by “{edit.verb}” ({_when(edit.at)}). {remedy}"
    )


def _edit(connection: Connection, edit_id: str | None) -> Any:
    return connection.execute(_NAMED.where(EditRow.id == edit_id)).first()


def _last_undone_on(connection: Connection, row_id: str) -> Any:
    touching = _NAMED.where(EditRow.undone_at.is_not(None), EditRow.delta.contains(row_id))
    return connection.execute(touching.order_by(EditRow.undone_at.desc()).limit(1)).first()


def _as_stored(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _when(at: str) -> str:
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")


def _written(
    edit_id: str, verb: str, at: datetime, topic_id: str | None, changes: Iterable[RowDelta]
) -> WriteResult[EditReceipt]:
    topics = frozenset() if topic_id is None else frozenset({topic_id})
    changed = ChangeSet(frozenset(KINDS[c.table] for c in changes), topics)
    return WriteResult(EditReceipt(edit_id, verb, at, changed, topic_id), changed)


def _unchanged(heading: EditHeader) -> WriteResult[EditReceipt]:
    nothing = ChangeSet(frozenset())
    return WriteResult(EditReceipt("", heading.verb, datetime.now(UTC), nothing, heading.topic_id), nothing)
