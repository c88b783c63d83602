"""Scales and ratings."""

from __future__ import annotations

import math

import numpy as np
from sqlalchemy import Connection, insert, select

from core.domain.pyramid import new_id
from core.domain.ratings import Dimension, Rating, RatingCube
from core.errors import InputError
from core.ports import Changes, Kind, Receipt
from storage.repositories import edits, texts
from storage.repositories.deltas import Row
from storage.repositories.edits import Heading, Wanted
from storage.repositories.ordering import natural
from storage.tables import DimensionRow, RatingRow, SummaryRow
from storage.writer import Written

_DIMENSIONS = select(
    DimensionRow.id, DimensionRow.name, DimensionRow.low, DimensionRow.high, DimensionRow.guideline
)


def dimensions(connection: Connection) -> list[Dimension]:
    """Every scale, by name."""
    found = (Dimension(*row) for row in connection.execute(_DIMENSIONS))
    return sorted(found, key=lambda dimension: natural(dimension.name))


def add_dimension(connection: Connection, name: str, low: float, high: float) -> Written[Dimension]:
    """The scale of that name, made if new."""
    name = name.strip()
    if not name:
        raise InputError("A scale needs a name; type one.")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"The scale {name} goes from {low:g} to {high:g}; its end must lie above its start.")
    known = connection.execute(_DIMENSIONS.where(DimensionRow.name == name)).first()
    if known is not None:
        return Written(Dimension(*known), Changes(frozenset()))
    made = Dimension(new_id(), name, low, high)
    row = {"id": made.id, "name": name, "low": low, "high": high, "guideline": made.guideline}
    connection.execute(insert(DimensionRow), row)
    return Written(made, Changes(frozenset({Kind.RATINGS})))


def rate(
    connection: Connection,
    summary_id: str,
    dimension_id: str,
    annotator_id: str,
    value: float | None,
    active_seconds: float,
) -> Written[Receipt]:
    """Set a rating (None takes it back) as one edit."""
    dimension = connection.execute(_DIMENSIONS.where(DimensionRow.id == dimension_id)).first()
    topic_id = connection.scalar(select(SummaryRow.topic_id).where(SummaryRow.id == summary_id))
    if dimension is None or topic_id is None:
        raise InputError("This summary or scale is no longer in the study; choose another one.")
    if value is not None and not dimension.low <= value <= dimension.high:
        raise InputError(
            f"{value:g} is outside the scale {dimension.name}, which goes from {dimension.low:g} to "
            f"{dimension.high:g}. Choose a value on it."
        )
    heading = Heading(f"rate {dimension.name}", annotator_id, topic_id, active_seconds)
    names = {"summary_id": summary_id, "dimension_id": dimension_id, "annotator_id": annotator_id}
    return edits.record(connection, heading, _wanted(connection, names, value))


def _wanted(connection: Connection, names: Row, value: float | None) -> list[Wanted]:
    columns = RatingRow.id, RatingRow.value, RatingRow.is_deleted
    known = connection.execute(select(*columns).filter_by(**names)).first()
    before = None if known is None or known.is_deleted else {"value": known.value}
    after = None if value is None else {"value": float(value)}
    if before == after:
        return []
    row_id = new_id() if known is None else known.id
    return [Wanted("ratings", row_id, before, None if after is None else names | after)]


def of_topic(connection: Connection, topic_id: str) -> list[Rating]:
    """All ratings of a topic's summaries."""
    columns = RatingRow.id, RatingRow.summary_id, RatingRow.dimension_id, RatingRow.annotator_id
    query = select(*columns, RatingRow.value).join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    living = query.where(SummaryRow.topic_id == topic_id, ~RatingRow.is_deleted).order_by(RatingRow.id)
    return [Rating(*row) for row in connection.execute(living)]


def cube(connection: Connection, dimension: str) -> RatingCube:
    """All ratings on one dimension. Raises InputError where the study has none of that name."""
    dimension_id = connection.scalar(select(DimensionRow.id).where(DimensionRow.name == dimension))
    if dimension_id is None:
        known = ", ".join(d.name for d in dimensions(connection)) or "none"
        raise InputError(f"The study has no scale called {dimension}. It has: {known}.")
    columns = RatingRow.annotator_id, SummaryRow.system_id, SummaryRow.topic_id, RatingRow.value
    query = select(*columns).join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
    found = connection.execute(
        query.where(RatingRow.dimension_id == dimension_id, ~RatingRow.is_deleted)
    ).all()
    raters = {row.annotator_id for row in found}
    annotators = [a for a in texts.annotators(connection) if a.id in raters]
    systems, topics = texts.systems(connection), texts.heads(connection)
    rater = {a.id: at for at, a in enumerate(annotators)}
    system = {s.id: at for at, s in enumerate(systems)}
    topic = {t.id: at for at, t in enumerate(topics)}
    values = np.full((len(rater), len(system), len(topic)), np.nan)
    for row in found:
        values[rater[row.annotator_id], system[row.system_id], topic[row.topic_id]] = row.value
    return RatingCube(
        dimension,
        tuple(a.name for a in annotators),
        tuple(a.group for a in annotators),
        tuple(s.name for s in systems),
        tuple(t.name for t in topics),
        values,
    )
