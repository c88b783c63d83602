"""Rating scales and ratings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import Connection, func, select

from core.domain.name_checks import name_problem
from core.domain.pyramid import new_id
from core.domain.ratings import Anchor, Dimension, Rating, RatingCube, check_dimensions, range_conflict
from core.errors import InputError, StudyDamaged
from core.ports import ChangeSet, EditReceipt
from storage.database.schema import DimensionRow, RatingRow, SummaryRow
from storage.database.writer import WriteResult
from storage.repositories import texts
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.positions import assign_positions

_DIMENSIONS = (
    select(
        DimensionRow.id,
        DimensionRow.name,
        DimensionRow.low,
        DimensionRow.high,
        DimensionRow.question,
        DimensionRow.description,
        DimensionRow.anchors,
    )
    .where(~DimensionRow.is_deleted)
    .order_by(DimensionRow.position, DimensionRow.id)
)


def dimensions(connection: Connection) -> list[Dimension]:
    """Return every scale in the study's order."""
    return [
        Dimension(*row[:-1], anchors=anchors_from_stored(row.anchors))
        for row in connection.execute(_DIMENSIONS)
    ]


def add_dimension(
    connection: Connection, name: str, low: float, high: float, annotator_id: str | None
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
    connection: Connection,
    before: Sequence[Dimension],
    after: Sequence[Dimension],
    annotator_id: str | None,
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
        if refusal := range_conflict(scale, rated.get(scale.id, {})):
            raise InputError(refusal)
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


def counts(connection: Connection) -> dict[str, dict[float, int]]:
    """Return the number of ratings per value, by scale id."""
    columns = RatingRow.dimension_id, RatingRow.value
    query = select(*columns, func.count()).where(~RatingRow.is_deleted).group_by(*columns)
    result: dict[str, dict[float, int]] = defaultdict(dict)
    for scale_id, value, count in connection.execute(query):
        result[scale_id][value] = count
    return dict(result)


def row_of(scale: Dimension) -> Row:
    """Return the content of a scale's row."""
    return {
        "name": scale.name,
        "low": scale.low,
        "high": scale.high,
        "question": scale.question,
        "description": scale.description,
        "anchors": anchors_as_stored(scale.anchors),
    }


def anchors_as_stored(anchors: Sequence[Anchor]) -> str:
    """Encode anchors for the database."""
    return json.dumps(sorted(map(list, anchors)), ensure_ascii=False, separators=(",", ":"))


def anchors_from_stored(stored: str) -> tuple[Anchor, ...]:
    """Decode anchors from the database. Raises StudyDamaged where the stored value is invalid."""
    try:
        return tuple((float(value), str(text)) for value, text in json.loads(stored))
    except (TypeError, ValueError) as error:
        raise StudyDamaged(f"The anchors of a scale cannot be read: {stored[:80]!r}.") from error


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
    rows = connection.execute(select(RatingRow.id, RatingRow.value).where(*chosen))
    return [RowEdit("ratings", row.id, {"value": row.value}, None) for row in rows]


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
    active_seconds: float,
) -> WriteResult[EditReceipt]:
    """Set a rating, None = remove it, as one edit."""
    dimension = next((scale for scale in dimensions(connection) if scale.id == dimension_id), None)
    topic_id = connection.scalar(select(SummaryRow.topic_id).where(SummaryRow.id == summary_id))
    if dimension is None or topic_id is None:
        raise InputError("This summary or scale is no longer in the study. Select another one.")
    if value is not None and not dimension.low <= value <= dimension.high:
        raise InputError(
            f"{value:g} is outside the scale {dimension.name} ({dimension.low:g} to "
            f"{dimension.high:g}). Choose a value within the scale."
        )
    header = EditHeader(f"rate {dimension.name}", annotator_id, topic_id, active_seconds)
    names = {"summary_id": summary_id, "dimension_id": dimension_id, "annotator_id": annotator_id}
    return edit_log.record(connection, header, row_edits(connection, names, value))


def row_edits(connection: Connection, names: Row, value: float | None) -> list[RowEdit]:
    columns = RatingRow.id, RatingRow.value, RatingRow.is_deleted
    known = connection.execute(select(*columns).filter_by(**names)).first()
    before = None if known is None or known.is_deleted else {"value": known.value}
    after = None if value is None else {"value": float(value)}
    if before == after:
        return []
    row_id = new_id() if known is None else known.id
    return [RowEdit("ratings", row_id, before, None if after is None else names | after)]


def of_topic(connection: Connection, topic_id: str) -> list[Rating]:
    """Return all ratings of a topic's summaries."""
    columns = RatingRow.id, RatingRow.summary_id, RatingRow.dimension_id, RatingRow.annotator_id
    query = select(*columns, RatingRow.value).join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    living = query.where(SummaryRow.topic_id == topic_id, ~RatingRow.is_deleted).order_by(RatingRow.id)
    return [Rating(*row) for row in connection.execute(living)]


def cube(connection: Connection, dimension: str) -> RatingCube:
    """Return all ratings on one dimension. Raises InputError where the study has no such dimension."""
    scales = {scale.name: scale.id for scale in dimensions(connection)}
    dimension_id = scales.get(dimension)
    if dimension_id is None:
        known = ", ".join(scales) or "none"
        raise InputError(f"The study has no scale called {dimension}. It has: {known}.")
    columns = RatingRow.annotator_id, SummaryRow.system_id, SummaryRow.topic_id, RatingRow.value
    query = select(*columns).join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    rows = connection.execute(
        query.where(RatingRow.dimension_id == dimension_id, ~RatingRow.is_deleted)
    ).all()
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
