"""Pyramids and matches: load them as values, write the difference of two values."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    exists,
    insert,
    select,
)

from core.domain.decisions import MACHINE_GROUP
from core.domain.pyramid import (
    Contributor,
    Match,
    Part,
    Pyramid,
    Scu,
    SummaryState,
    TopicAnnotation,
    UnitKind,
)
from core.errors import EditConflict, InputError
from core.ports import EditReceipt
from storage.database.schema import VERSIONED_TABLES, AnnotatorRow, ReferenceRow, SummaryRow
from storage.database.transactions import Transactions
from storage.repositories import texts
from storage.repositories.edits import edit_log, history
from storage.repositories.edits.annotation_diff import PARENT, TextSpan, diff
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.positions import assign_positions
from storage.repositories.repository import Repository

Rows = Mapping[str, list[Row]]
"""Rows by their parent's id, in order."""
Key = tuple[str, str]
"""Table and id of a row."""

_AT_ONCE = 500
_BELOW = {
    "scus": "pyramids",
    "contributors": "scus",
    "contributor_parts": "contributors",
    "matches": "pyramids",
    "match_parts": "matches",
    "summary_states": "pyramids",
}


def _below(table: str) -> ColumnElement[bool]:
    """Return the condition that selects the rows of the pyramids ``ids`` that are not deleted."""
    columns, parent = VERSIONED_TABLES[table].c, _BELOW[table]
    ids: BindParameter[Sequence[str]] = bindparam("ids", expanding=True)
    above = ids if parent == "pyramids" else select(VERSIONED_TABLES[parent].c.id).where(_below(parent))
    return columns[PARENT[table]].in_(above) & ~columns.is_deleted


def _living(table: str) -> Select[Any]:
    """Return the query of the rows below the pyramids ``ids`` that are not deleted, in order."""
    columns = VERSIONED_TABLES[table].c
    read = [
        column for column in columns if column.name not in ("position", "version", "is_deleted", "edit_id")
    ]
    return select(*read).where(_below(table)).order_by(columns.position, columns.id)


_LIVING = {table: _living(table) for table in _BELOW}


def pyramid_id(topic_id: str, annotator_id: str, kind: UnitKind = UnitKind.SCU) -> str:
    """Return the id of an annotator's pyramid of a topic; defined even before its first edit."""
    name = f"{topic_id} {annotator_id}" if kind is UnitKind.SCU else f"{topic_id} {annotator_id} {kind}"
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def empty(topic_id: str, annotator_id: str, kind: UnitKind = UnitKind.SCU) -> TopicAnnotation:
    """Return the annotation that an annotator has not begun yet."""
    row_id = pyramid_id(topic_id, annotator_id, kind)
    return TopicAnnotation(Pyramid(row_id, topic_id, annotator_id, kind=kind))


def its_row(topic_id: str, annotator_id: str, kind: UnitKind) -> ColumnElement[bool]:
    """Return the condition that selects the row of a pyramid."""
    columns = VERSIONED_TABLES["pyramids"].c
    return and_(
        columns.topic_id == topic_id, columns.annotator_id == annotator_id, columns.kind == kind.value
    )


def annotation(
    connection: Connection, topic_id: str, annotator_id: str, kind: UnitKind = UnitKind.SCU
) -> TopicAnnotation:
    """Return an annotator's pyramid of a topic with all matches; empty if not begun."""
    for begun in load(connection, its_row(topic_id, annotator_id, kind)):
        return begun
    return empty(topic_id, annotator_id, kind)


def of_topics(
    connection: Connection, topic_ids: Sequence[str] | None, kind: UnitKind = UnitKind.SCU
) -> list[TopicAnnotation]:
    """Return all begun pyramids of some topics, None = of all topics."""
    columns = VERSIONED_TABLES["pyramids"].c
    of_kind = columns.kind == kind.value
    return load(connection, of_kind if topic_ids is None else of_kind & columns.topic_id.in_(topic_ids))


def annotation_at(
    connection: Connection, topic_id: str, annotator_id: str, edit_id: str, kind: UnitKind = UnitKind.SCU
) -> TopicAnnotation:
    """Return an annotator's pyramid with all matches as they were after an edit.

    Every later step on the topic is reverted from the current state.
    Raises InputError where the edit is not in the study.
    """
    number = history.number(connection, edit_id)
    table = VERSIONED_TABLES["pyramids"]
    its = its_row(topic_id, annotator_id, kind)
    pyramid = connection.execute(select(table).where(its)).mappings().first()
    if pyramid is None:
        return empty(topic_id, annotator_id, kind)
    rows = _every_row(connection, dict(pyramid))
    for change in history.steps_back(connection, topic_id, number):
        if (change.table, change.after["id"]) in rows:
            rows[change.table, change.after["id"]] = change.after
    imports = history.imports_after(connection, number)
    living = {key: row for key, row in rows.items() if not _is_gone(row, imports)}
    return value_of(rows["pyramids", pyramid["id"]], _by_parent(living))


def load(connection: Connection, where: ColumnElement[bool] | None = None) -> list[TopicAnnotation]:
    """Return all begun pyramids of every kind, or the selected ones, with their matches, unordered."""
    pyramids = VERSIONED_TABLES["pyramids"]
    query = select(pyramids) if where is None else select(pyramids).where(where)
    rows = connection.execute(query).mappings().all()
    if not rows:
        return []
    ids, tables = [row["id"] for row in rows], dict[str, dict[str, list[Row]]]()
    for at in range(0, len(ids), _AT_ONCE):
        for table, living in _LIVING.items():
            tables.setdefault(table, {}).update(_rows(connection, table, living, ids[at : at + _AT_ONCE]))
    return [value_of(dict(row), tables) for row in rows]


def value_of(pyramid: Mapping[str, Any], tables: Mapping[str, Rows]) -> TopicAnnotation:
    """Return the value of a pyramid row. tables: rows below it that are not deleted, by table and parent."""
    scus = tuple(
        _scu(scu, tables["contributors"], tables["contributor_parts"])
        for scu in tables["scus"].get(pyramid["id"], ())
    )
    owner = pyramid["id"], pyramid["topic_id"], pyramid["annotator_id"]
    return TopicAnnotation(
        Pyramid(*owner, scus, pyramid["is_done"], UnitKind(pyramid["kind"])),
        tuple(_match(match, tables["match_parts"]) for match in tables["matches"].get(pyramid["id"], ())),
        tuple(_state(state) for state in tables["summary_states"].get(pyramid["id"], ())),
    )


def is_blank(annotation: TopicAnnotation) -> bool:
    """Return whether an annotation is empty: never begun, or completely undone."""
    pyramid = annotation.pyramid
    return not (pyramid.scus or pyramid.is_done or annotation.matches or annotation.states)


def row_edits(connection: Connection, before: TopicAnnotation, after: TopicAnnotation) -> list[RowEdit]:
    """Return the changes of rows that lead from one value to the other; begins the pyramid if necessary.

    Raises InputError if a part is outside its text.
    """
    changed = diff(before, after)
    if not changed.rows and not changed.orders:
        return []
    _check_spans(connection, before.pyramid.topic_id, changed.spans)
    _begin_pyramid(connection, before.pyramid)
    positions = {
        (table, row_id): position
        for (table, parent), order in changed.orders.items()
        for row_id, position in _positions(connection, table, parent, order).items()
    }
    contents = {**{key: ({}, {}) for key in positions}, **changed.rows}
    return [
        RowEdit(*key, was, None if now is None else now | _position_column(positions.get(key)))
        for key, (was, now) in contents.items()
    ]


def _position_column(position: float | None) -> Row:
    return {} if position is None else {"position": position}


def _positions(connection: Connection, table: str, parent: str, order: Sequence[str]) -> dict[str, float]:
    columns = VERSIONED_TABLES[table].c
    siblings = select(columns.id, columns.position).where(columns[PARENT[table]] == parent)
    return assign_positions(order, {row.id: row.position for row in connection.execute(siblings)})


def _begin_pyramid(connection: Connection, pyramid: Pyramid) -> None:
    """Insert the pyramid's row if missing; it belongs to no edit, so that no undo can remove it."""
    table = VERSIONED_TABLES["pyramids"]
    its = its_row(pyramid.topic_id, pyramid.annotator_id, pyramid.kind)
    known = connection.execute(select(table.c.id).where(its)).scalar()
    if known is None:
        owner = {"topic_id": pyramid.topic_id, "annotator_id": pyramid.annotator_id}
        row = {"id": pyramid.id, **owner, "kind": pyramid.kind.value, "is_done": False}
        connection.execute(insert(table), {**row, "version": 0, "is_deleted": False})
    elif known != pyramid.id:
        raise EditConflict(
            "This pyramid was begun elsewhere in the meantime. Open the topic again and repeat your edit."
        )


def _check_spans(connection: Connection, topic_id: str, spans: Sequence[TextSpan]) -> None:
    ids = {span.text_id for span in spans}
    lengths = {
        row_id: len(content)
        for row in (ReferenceRow, SummaryRow)
        for row_id, content in connection.execute(
            select(row.id, row.content).where(row.id.in_(ids), row.topic_id == topic_id)
        )
    }
    for span in spans:
        if span.text_id not in lengths:
            raise InputError(
                "A part belongs to a text of another topic. Open the topic again and select the part again."
            )
        if not 0 <= span.start < span.end <= lengths[span.text_id]:
            raise InputError(
                f"A part ({span.start} to {span.end}) is outside its text of {lengths[span.text_id]} "
                "characters. Select it again."
            )


def _rows(
    connection: Connection, table: str, living: Select[Any], ids: Sequence[str]
) -> dict[str, list[Row]]:
    """Return rows of some pyramids by their parent's id, in order."""
    found = connection.execute(living, {"ids": ids})
    names, by_parent = tuple(found.keys()), defaultdict(list)
    for values in found.all():  # at once and without mappings, as a study has many thousands
        row = dict(zip(names, values, strict=True))
        by_parent[row[PARENT[table]]].append(row)
    return by_parent


def _scu(row: Row, contributors: Rows, parts: Rows) -> Scu:
    own = tuple(
        Contributor(c["id"], c["reference_id"], _parts(c["id"], parts), c["comment"], c["is_confirmed"])
        for c in contributors.get(row["id"], ())
    )
    return Scu(row["id"], row["label"], own, row["comment"], row["importance"])


def _match(row: Row, parts: Rows) -> Match:
    whose = row["id"], row["summary_id"], row["annotator_id"], row["scu_id"]
    marks = row["comment"], row["is_confirmed"], row["is_partial"]
    return Match(*whose, _parts(row["id"], parts), *marks)


def _state(row: Row) -> SummaryState:
    marks = row["is_done"], row["is_flagged"], row["note"]
    return SummaryState(row["id"], row["summary_id"], row["annotator_id"], *marks)


def _parts(owner: str, parts: Rows) -> tuple[Part, ...]:
    return tuple(Part(row["id"], row["start"], row["end"]) for row in parts.get(owner, ()))


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


def _is_gone(row: Mapping[str, Any], imports: frozenset[str]) -> bool:
    return bool(row["is_deleted"]) or row["edit_id"] in imports


def _by_parent(rows: Mapping[Key, Row]) -> dict[str, dict[str, list[Row]]]:
    rows_below: dict[str, dict[str, list[Row]]] = {name: defaultdict(list) for name in _BELOW}
    for (name, _), row in sorted(rows.items(), key=lambda entry: (entry[1].get("position", 0), entry[0][1])):
        if name in rows_below:
            rows_below[name][row[PARENT[name]]].append(row)
    return rows_below


class Pyramids(Repository):
    """Pyramids and the matches against them, of one kind of content unit; implements `PyramidStore`."""

    def __init__(self, transactions: Transactions, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__(transactions)
        self._kind = kind

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        with self._transactions.reading() as connection:
            return annotation(connection, topic_id, annotator_id, self._kind)

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        with self._transactions.reading() as connection:
            begun = [a for a in of_topics(connection, topic_ids, self._kind) if not is_blank(a)]
            order = {topic_id: at for at, topic_id in enumerate(texts.ordered_ids(connection, topic_ids))}
        yield from sorted(begun, key=lambda a: (order[a.pyramid.topic_id], a.pyramid.annotator_id))

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        with self._transactions.reading() as connection:
            return annotation_at(connection, topic_id, annotator_id, edit_id, self._kind)

    def is_any_summary_done(self) -> bool:
        pyramids, states = VERSIONED_TABLES["pyramids"].c, VERSIONED_TABLES["summary_states"].c
        of_kind = select(pyramids.id).where(pyramids.kind == self._kind.value)
        machines = select(AnnotatorRow.id).where(AnnotatorRow.group == MACHINE_GROUP)
        by_people = states.annotator_id.not_in(machines)  # what machines propose is no judgement
        done = states[PARENT["summary_states"]].in_(of_kind) & states.is_done & ~states.is_deleted & by_people
        with self._transactions.reading() as connection:
            return bool(connection.execute(select(exists().where(done))).scalar())

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[EditReceipt]:
        header = EditHeader(verb, annotator_id, before.pyramid.topic_id, active_seconds, details)
        return self._transactions.submit(lambda c: edit_log.record(c, header, row_edits(c, before, after)))
