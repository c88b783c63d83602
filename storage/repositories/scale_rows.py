"""Rows of rating scales as values, and the ratings on them, counted."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.domain.ratings import Anchor, Dimension, ScaleKind
from core.errors import StudyDamaged
from core.json_text import parse_json
from storage.database.schema import RatingRow


def counts(connection: Connection) -> dict[str, dict[float, int]]:
    """Return the number of ratings per value, by scale id."""
    columns = RatingRow.dimension_id, RatingRow.value
    query = select(*columns, func.count()).where(~RatingRow.is_deleted).group_by(*columns)
    result: dict[str, dict[float, int]] = defaultdict(dict)
    for scale_id, value, count in connection.execute(query):
        if value is not None:
            result[scale_id][value] = count
    return dict(result)


def row_of(scale: Dimension) -> dict[str, Any]:
    """Return the content of a scale's row."""
    return {
        "name": scale.name,
        "low": scale.low,
        "high": scale.high,
        "question": scale.question,
        "description": scale.description,
        "anchors": anchors_as_stored(scale.anchors),
        "kind": scale.kind.value,
        "is_required": scale.is_required,
    }


def dimension_of(row: Mapping[str, Any]) -> Dimension:
    """Return the scale of a row's content."""
    texts_of = row["question"], row["description"], anchors_from_stored(row["anchors"])
    kind = scale_kind(row["kind"])
    return Dimension(row["id"], row["name"], row["low"], row["high"], *texts_of, kind, row["is_required"])


def scale_kind(stored: str) -> ScaleKind:
    """Return a kind from the database. Raises StudyDamaged for an unknown one."""
    try:
        return ScaleKind(stored)
    except ValueError as error:
        raise StudyDamaged(f"A rating scale has the unknown kind {stored[:40]!r}.") from error


def anchors_as_stored(anchors: Sequence[Anchor]) -> str:
    """Encode anchors for the database."""
    return json.dumps(sorted(map(list, anchors)), ensure_ascii=False, separators=(",", ":"))


def anchors_from_stored(stored: str) -> tuple[Anchor, ...]:
    """Decode anchors from the database. Raises StudyDamaged where the stored value is invalid."""
    try:
        return tuple((float(value), str(text)) for value, text in parse_json(stored))
    except (TypeError, ValueError) as error:
        raise StudyDamaged(f"The anchors of a scale cannot be read: {stored[:80]!r}.") from error
