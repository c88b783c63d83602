"""Rating scales and ratings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import Connection, RowMapping, bindparam, or_, select

from core.annotation.marked_spans import checked_spans, share_of_unmarked_sentences
from core.domain.name_checks import name_problem, storable_text
from core.domain.pyramid import new_id
from core.domain.ratings import (
    Dimension,
    MarkedSpan,
    Rating,
    RatingCube,
    RatingNote,
    ScaleKind,
    check_dimensions,
    edit_conflict,
)
from core.domain.study import Text
from core.errors import InputError, StudyDamaged
from core.json_text import parse_json
from core.names import unknown_name
from core.ports import ChangeSet, EditReceipt
from storage.database.schema import AnnotatorRow, DimensionRow, RatingRow, SummaryRow, SystemRow, TopicRow
from storage.database.writer import WriteResult
from storage.repositories import texts
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.positions import assign_positions
from storage.repositories.repository import Repository, read, write
from storage.repositories.scale_rows import anchors_from_stored, counts, row_of, scale_kind

_DIMENSIONS = (
    select(
        DimensionRow.id,
        DimensionRow.name,
        DimensionRow.low,
        DimensionRow.high,
        DimensionRow.question,
        DimensionRow.description,
        DimensionRow.anchors,
        DimensionRow.kind,
        DimensionRow.is_required,
    )
    .where(~DimensionRow.is_deleted)
    .order_by(DimensionRow.position, DimensionRow.id)
)


_CUBE = (
    select(RatingRow.annotator_id, SummaryRow.system_id, SummaryRow.topic_id, RatingRow.value)
    .join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    .where(
        RatingRow.dimension_id == bindparam("dimension"), ~RatingRow.is_deleted, RatingRow.value.is_not(None)
    )
)
_CONTENT = RatingRow.value, RatingRow.note, RatingRow.is_flagged, RatingRow.spans
_NO_SPANS = "[]"


def dimensions(connection: Connection) -> list[Dimension]:
    """Return every scale in the study's order."""
    return [
        Dimension(*row[:6], anchors_from_stored(row.anchors), scale_kind(row.kind), row.is_required)
        for row in connection.execute(_DIMENSIONS)
    ]


def add_dimension(
    connection: Connection, name: str, low: float, high: float, annotator_id: str | None = None
) -> WriteResult[Dimension]:
    """Return the scale of a name; create it as an edit if new."""
    name = name.strip()
    before = dimensions(connection)
    if (known := next((scale for scale in before if scale.name == name), None)) is not None:
        return WriteResult(known, ChangeSet(frozenset()))
    made = Dimension(new_id(), name, low, high)
    written = edit_dimensions(connection, before, [*before, made], annotator_id)
    return WriteResult(made, written.changes)


def edit_dimensions(
    connection: Connection, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str | None
) -> WriteResult[EditReceipt]:
    """Write the difference of two lists of scales as one edit; removing a scale removes its ratings.

    Raises InputError where a scale is invalid or existing ratings would lie outside its range.
    Raises EditConflict where a scale differs from `before`.
    """
    check_dimensions(after)
    was, now = ({scale.id: scale for scale in scales} for scales in (before, after))
    rated = counts(connection)
    known = {scale.name for scale in before}
    for scale in after:
        if scale.name not in known and (fault := name_problem(scale.name)):
            raise InputError(f"This is not a valid name of a scale. {fault} Choose another name.")
        if refusal := edit_conflict(was.get(scale.id), scale, rated.get(scale.id, {})):
            raise InputError(refusal)
        _check_used_categories(connection, scale)
    positions = _new_positions(connection, before, after)
    edits = []
    for scale_id in dict.fromkeys((*was, *now)):
        old, new = (row_of(scales[scale_id]) if scale_id in scales else None for scales in (was, now))
        if new is not None and scale_id in positions:
            new["position"] = positions[scale_id]
        if old != new:
            edits.append(RowEdit("dimensions", scale_id, old, new))
    edits += _ratings_of(connection, [scale_id for scale_id in was if scale_id not in now])
    return edit_log.record(connection, EditHeader(_verb(was, now), annotator_id), edits)


def removed_dimensions(connection: Connection) -> frozenset[str]:
    """Return the names of scales that were removed and not added again."""
    names = select(DimensionRow.name)
    gone, present = (
        {row[0] for row in connection.execute(names.where(which))}
        for which in (DimensionRow.is_deleted, ~DimensionRow.is_deleted)
    )
    return frozenset(gone - present)


def _check_used_categories(connection: Connection, scale: Dimension) -> None:
    """Raise InputError where marked spans would have no category."""
    if scale.kind is ScaleKind.SPANS:
        rows = connection.execute(
            select(RatingRow.spans).where(RatingRow.dimension_id == scale.id, ~RatingRow.is_deleted)
        )
        used = {category for (stored,) in rows for _, _, category in spans_from_stored(stored)}
        if lost := [category for category in used if category > len(scale.anchors)]:
            raise InputError(
                f"Marked spans of {scale.name} have the category {min(lost)}, which would be removed. "
                "Categories that are in use can be renamed, not removed."
            )


def _new_positions(
    connection: Connection, before: Sequence[Dimension], after: Sequence[Dimension]
) -> dict[str, float]:
    staying = {scale.id for scale in after}
    if [scale.id for scale in before if scale.id in staying] == [scale.id for scale in after]:
        return {}
    known = connection.execute(select(DimensionRow.id, DimensionRow.position))
    return assign_positions([scale.id for scale in after], {row.id: row.position for row in known})


def _ratings_of(connection: Connection, scale_ids: Sequence[str]) -> list[RowEdit]:
    """Return edits that remove every rating on some scales."""
    chosen = RatingRow.dimension_id.in_(scale_ids), ~RatingRow.is_deleted
    rows = connection.execute(select(RatingRow.id, *_CONTENT).where(*chosen)).mappings()
    return [RowEdit("ratings", row["id"], _content_of(row), None) for row in rows]


def _verb(was: Mapping[str, Dimension], now: Mapping[str, Dimension]) -> str:
    """Return the verb of an edit of scales."""
    added, removed = (
        [scales[scale_id].name for scale_id in scales if scale_id not in others]
        for scales, others in ((now, was), (was, now))
    )
    changed = [now[scale_id].name for scale_id in now if scale_id in was and was[scale_id] != now[scale_id]]
    each = [
        *(f"add scale {name}" for name in added),
        *(f"remove scale {name}" for name in removed),
        *(f"change scale {name}" for name in changed),
    ]
    return each[0] if len(each) == 1 else "change scales" if each else "reorder scales"


def rate(
    connection: Connection,
    summary_id: str,
    dimension_id: str,
    annotator_id: str,
    value: float | None,
    active_seconds: float = 0.0,
    note: str | None = None,
    is_flagged: bool | None = None,
    spans: Sequence[MarkedSpan] | None = None,
    details: str = "",
) -> WriteResult[EditReceipt]:
    """Set a rating as one edit. value: None = not rated. note, is_flagged, spans: None = as before.

    A rating without value, note and flag is removed. On a scale that asks for words the note is the answer;
    on one that asks for spans the value follows from them.
    """
    dimension = next((scale for scale in dimensions(connection) if scale.id == dimension_id), None)
    topic_id = connection.scalar(select(SummaryRow.topic_id).where(SummaryRow.id == summary_id))
    if dimension is None or topic_id is None:
        raise InputError("This summary or scale is no longer in the study. Select another one.")
    if value is not None and (problem := dimension.value_problem(value)):
        raise InputError(f"{problem} Choose a value of the scale.")
    names = {"summary_id": summary_id, "dimension_id": dimension_id, "annotator_id": annotator_id}
    row_id, before = _stored(connection, names)
    text = before["note"] if before is not None and note is None else storable_text(note or "")
    flag = bool(before and before["is_flagged"]) if is_flagged is None else is_flagged
    if dimension.kind is ScaleKind.TEXT:
        value = 1.0 if text.strip() else None
    if dimension.kind is not ScaleKind.SPANS or value is None:
        spans = ()
    else:
        if spans is None:
            spans = spans_from_stored(before["spans"]) if before is not None else ()
        value, spans = rated_spans(connection, dimension, summary_id, spans)
    after = rating_row(value, text.strip(), spans, is_flagged=flag)
    verb = "rate" if before is None or before["value"] != value else "annotate rating of"
    header = EditHeader(f"{verb} {dimension.name}", annotator_id, topic_id, active_seconds, details)
    return edit_log.record(connection, header, _row_edit(names, row_id, before, after))


def rate_all(
    connection: Connection,
    topic_id: str,
    annotator_id: str,
    values: Mapping[tuple[str, str], float | None],
    verb: str,
    details: str = "",
) -> WriteResult[EditReceipt]:
    """Set ratings of a topic by id of summary and scale, as one edit. None = not rated."""
    scales = {scale.id: scale for scale in dimensions(connection)}
    edits: list[RowEdit] = []
    for (summary_id, scale_id), value in values.items():
        if scale_id not in scales:
            raise InputError("A scale is no longer in the study. Repeat it with the scales that are left.")
        if value is not None and (problem := scales[scale_id].value_problem(value)):
            raise InputError(problem)
        names = {"summary_id": summary_id, "dimension_id": scale_id, "annotator_id": annotator_id}
        edits += value_edits(connection, names, value)
    header = EditHeader(verb, annotator_id, topic_id, details=details)
    return edit_log.record(connection, header, edits)


def row_edits(connection: Connection, names: Row, after: Row | None) -> list[RowEdit]:
    """Return the edit that gives a rating this content, None = removes it; none if it has it."""
    row_id, before = _stored(connection, names)
    return _row_edit(names, row_id, before, after)


def value_edits(
    connection: Connection, names: Row, value: float | None, spans: Sequence[MarkedSpan] = ()
) -> list[RowEdit]:
    """Return the edit that gives a rating this value and keeps its note and flag; none if it has it.

    spans: of a scale that asks for them; the value follows from them.
    """
    row_id, before = _stored(connection, names)
    note, is_flagged = ("", False) if before is None else (before["note"], before["is_flagged"])
    scale = next((one for one in dimensions(connection) if one.id == names["dimension_id"]), None)
    if scale is not None and scale.kind is ScaleKind.SPANS and value is not None:
        value, spans = rated_spans(connection, scale, names["summary_id"], spans)
    return _row_edit(names, row_id, before, rating_row(value, note, spans, is_flagged=is_flagged))


def rating_row(
    value: float | None, note: str = "", spans: Sequence[MarkedSpan] = (), *, is_flagged: bool = False
) -> Row | None:
    """Return the content of a rating's row, None if it is empty."""
    if value is None and not note and not is_flagged:
        return None
    return {
        "value": None if value is None else float(value),
        "note": note,
        "is_flagged": is_flagged,
        "spans": spans_as_stored(spans),
    }


def rated_spans(
    connection: Connection, scale: Dimension, summary_id: str, spans: Sequence[MarkedSpan]
) -> tuple[float, tuple[MarkedSpan, ...]]:
    """Return the value of spans and the spans in order. Raises InputError if one is not in the summary."""
    return spans_in(texts.summary(connection, summary_id), scale, spans)


def spans_in(
    text: Text, scale: Dimension, spans: Sequence[MarkedSpan]
) -> tuple[float, tuple[MarkedSpan, ...]]:
    """Return the value of spans of a summary and the spans in order. Raises InputError if one is outside."""
    found = checked_spans(scale, text, spans)
    return share_of_unmarked_sentences(text, found), found


def spans_as_stored(spans: Sequence[MarkedSpan]) -> str:
    """Encode marked spans for the database."""
    return json.dumps(sorted(map(list, spans)), separators=(",", ":"))


def spans_from_stored(stored: str) -> tuple[MarkedSpan, ...]:
    """Decode marked spans from the database. Raises StudyDamaged where the stored value is invalid."""
    if stored == _NO_SPANS:
        return ()
    try:
        return tuple((int(start), int(end), int(category)) for start, end, category in parse_json(stored))
    except (TypeError, ValueError) as error:
        raise StudyDamaged(f"The marked spans of a rating cannot be read: {stored[:80]!r}.") from error


def _stored(connection: Connection, names: Row) -> tuple[str, Row | None]:
    """Return the id of a rating's row, new if there is none, and its content."""
    columns = RatingRow.id, RatingRow.is_deleted, *_CONTENT
    known = connection.execute(select(*columns).filter_by(**names)).mappings().first()
    if known is None:
        return new_id(), None
    return known["id"], None if known["is_deleted"] else _content_of(known)


def _row_edit(names: Row, row_id: str, before: Row | None, after: Row | None) -> list[RowEdit]:
    if before == after:
        return []
    return [RowEdit("ratings", row_id, before, None if after is None else names | after)]


def _content_of(row: RowMapping) -> Row:
    return {column.name: row[column.name] for column in _CONTENT}


def of_topic(connection: Connection, topic_id: str) -> list[Rating]:
    """Return all ratings of a topic's summaries."""
    columns = RatingRow.id, RatingRow.summary_id, RatingRow.dimension_id, RatingRow.annotator_id
    query = select(*columns, *_CONTENT).join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    living = query.where(SummaryRow.topic_id == topic_id, ~RatingRow.is_deleted).order_by(RatingRow.id)
    return [Rating(*row[:-1], spans_from_stored(row.spans)) for row in connection.execute(living)]


def cube(connection: Connection, dimension: str) -> RatingCube:
    """Return all ratings on one dimension. Raises InputError where the study has no such dimension."""
    scales = {scale.name: scale.id for scale in dimensions(connection)}
    dimension_id = scales.get(dimension)
    if dimension_id is None:
        raise InputError(unknown_name("scale", dimension, scales))
    rows = connection.execute(_CUBE, {"dimension": dimension_id}).all()
    raters = {row.annotator_id for row in rows}
    annotators = [a for a in texts.annotators(connection) if a.id in raters]
    systems, topics = texts.systems(connection), texts.heads(connection)
    rater = {a.id: at for at, a in enumerate(annotators)}
    system = {s.id: at for at, s in enumerate(systems)}
    topic = {t.id: at for at, t in enumerate(topics)}
    values = np.full((len(rater), len(system), len(topic)), np.nan)
    for row in rows:
        values[rater[row.annotator_id], system[row.system_id], topic[row.topic_id]] = row.value
    return RatingCube(
        dimension,
        tuple(a.name for a in annotators),
        tuple(a.group for a in annotators),
        tuple(s.name for s in systems),
        tuple(t.name for t in topics),
        values,
    )


def notes(connection: Connection) -> list[RatingNote]:
    """Return all ratings with a note, a flag or spans, by topic, scale, system and annotator."""
    columns = TopicRow.name, SystemRow.name, DimensionRow.name, AnnotatorRow.name
    query = (
        select(*columns, *_CONTENT)
        .select_from(RatingRow)
        .join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
        .join(TopicRow, TopicRow.id == SummaryRow.topic_id)
        .join(SystemRow, SystemRow.id == SummaryRow.system_id)
        .join(DimensionRow, DimensionRow.id == RatingRow.dimension_id)
        .join(AnnotatorRow, AnnotatorRow.id == RatingRow.annotator_id)
        .where(
            ~RatingRow.is_deleted,
            or_(RatingRow.note != "", RatingRow.is_flagged, RatingRow.spans != _NO_SPANS),
        )
        .order_by(TopicRow.name, DimensionRow.position, SystemRow.name, AnnotatorRow.name)
    )
    return [RatingNote(*row[:-1], spans_from_stored(row.spans)) for row in connection.execute(query)]


class Ratings(Repository):
    """Rating scales, and ratings of summaries; implements `RatingStore`."""

    dimensions = read(dimensions)
    edit_dimensions = write(edit_dimensions)
    counts = read(counts)
    rate = write(rate)
    rate_all = write(rate_all)
    notes = read(notes)
    of_topic = read(of_topic)
    cube = read(cube)

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        return self._transactions.write(lambda c: add_dimension(c, name, low, high, annotator_id))
