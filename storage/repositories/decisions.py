"""Decisions of adjudicators, and the edits of an adjudication."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, select

from core.domain.decisions import Choice, Decision, DecisionKind
from core.errors import StudyDamaged
from core.ports import AdjudicationEdit, EditReceipt
from storage.database.schema import DecisionRow
from storage.database.writer import WriteResult
from storage.repositories import comparisons, pyramids, ratings
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.repository import Repository, read, write

_COLUMNS = tuple(Decision.__dataclass_fields__)


def of_topic(connection: Connection, topic_id: str) -> list[Decision]:
    """Return the decisions on a topic, in the order of time."""
    columns = [getattr(DecisionRow, name) for name in _COLUMNS]
    query = select(*columns).where(DecisionRow.topic_id == topic_id, ~DecisionRow.is_deleted)
    return [
        _decision(*row) for row in connection.execute(query.order_by(DecisionRow.decided_at, DecisionRow.id))
    ]


def commit(
    connection: Connection, edit: AdjudicationEdit, annotator_id: str, active_seconds: float = 0.0
) -> WriteResult[EditReceipt]:
    """Write a step of an adjudication as one edit of the adjudicator."""
    rows: list[RowEdit] = []
    for before, after in edit.annotations:
        rows += pyramids.row_edits(connection, before, after)
    for rating in edit.ratings:
        names = {
            "summary_id": rating.summary_id,
            "dimension_id": rating.dimension_id,
            "annotator_id": edit.annotator_id,
        }
        rows += ratings.value_edits(connection, names, rating.value, rating.spans)
    for one in edit.preferences:
        row = None if one.chosen is None else dict(zip(("best", "worst"), one.chosen, strict=True))
        rows += comparisons.row_edits(connection, one.item_id, edit.annotator_id, row)
    rows += row_edits(connection, edit.decisions, ())
    details = json.dumps({"result": edit.annotator_id})
    header = EditHeader(edit.verb, annotator_id, edit.topic_id, active_seconds, details)
    return edit_log.record(connection, header, rows)


def row_edits(
    connection: Connection, after: Sequence[Decision], removed: Sequence[Decision]
) -> list[RowEdit]:
    """Return the changes that store some decisions and remove others."""
    ids = [decision.id for decision in (*after, *removed)]
    columns = [getattr(DecisionRow, name) for name in _COLUMNS]
    query = select(DecisionRow.id, *columns).where(DecisionRow.id.in_(ids), ~DecisionRow.is_deleted)
    known = {row[0]: dict(zip(_COLUMNS, row[1:], strict=True)) for row in connection.execute(query)}
    edits = [RowEdit("decisions", one.id, known.get(one.id), asdict(one)) for one in after]
    edits += [RowEdit("decisions", one.id, known[one.id], None) for one in removed if one.id in known]
    return [edit for edit in edits if edit.before != edit.after]


def _decision(
    topic_id: str, annotator_id: str, kind: str, subject: str, summary_id: str, choice: str, *rest: str
) -> Decision:
    try:
        return Decision(
            topic_id, annotator_id, DecisionKind(kind), subject, summary_id, Choice(choice), *rest
        )
    except ValueError as error:
        raise StudyDamaged(f"A decision of an adjudicator cannot be read: {error}.") from error


class Adjudication(Repository):
    """Decisions of adjudicators; implements `AdjudicationStore`."""

    decisions = read(of_topic)
    commit = write(commit)
