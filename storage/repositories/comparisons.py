"""Plans of comparisons, and the annotators' answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.domain.name_checks import name_problem, storable_text
from core.domain.preferences import (
    ComparisonItem,
    ComparisonKind,
    ComparisonPlan,
    Preference,
    check_plan,
    check_preference,
)
from core.domain.pyramid import new_id
from core.errors import InputError, StudyDamaged
from core.json_text import parse_json
from core.ports import EditReceipt
from storage.database.schema import ComparisonItemRow, ComparisonPlanRow, PreferenceRow
from storage.database.writer import WriteResult
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.repository import Repository, read, write

_PLAN = ("name", "kind", "question", "size", "per_summary", "overlap", "seed")
_GONE = "This comparison is no longer in the study. Select another one."


def plans(connection: Connection) -> list[ComparisonPlan]:
    """Return every plan, in the order of creation."""
    columns = [getattr(ComparisonPlanRow, name) for name in ("id", *_PLAN)]
    query = select(*columns).where(~ComparisonPlanRow.is_deleted)
    ordered = query.order_by(ComparisonPlanRow.position, ComparisonPlanRow.id)
    return [_plan(*row) for row in connection.execute(ordered)]


def items(connection: Connection, plan_id: str, topic_id: str = "") -> list[ComparisonItem]:
    """Return the comparisons of a plan, in order. topic_id: empty = of all topics."""
    columns = (
        ComparisonItemRow.id,
        ComparisonItemRow.topic_id,
        ComparisonItemRow.summary_ids,
        ComparisonItemRow.annotator_id,
    )
    query = select(*columns).where(ComparisonItemRow.plan_id == plan_id, ~ComparisonItemRow.is_deleted)
    if topic_id:
        query = query.where(ComparisonItemRow.topic_id == topic_id)
    ordered = query.order_by(ComparisonItemRow.position, ComparisonItemRow.id)
    return [
        ComparisonItem(row.id, row.topic_id, _summary_ids(row.summary_ids), row.annotator_id)
        for row in connection.execute(ordered)
    ]


def preferences(connection: Connection, plan_id: str, topic_id: str = "") -> list[Preference]:
    """Return all answers to the comparisons of a plan, in the order of its comparisons.

    topic_id: empty = of all topics.
    """
    columns = (
        PreferenceRow.id,
        PreferenceRow.item_id,
        PreferenceRow.annotator_id,
        PreferenceRow.best,
        PreferenceRow.worst,
    )
    query = select(*columns).join(ComparisonItemRow, ComparisonItemRow.id == PreferenceRow.item_id)
    its = query.where(
        ComparisonItemRow.plan_id == plan_id, ~PreferenceRow.is_deleted, ~ComparisonItemRow.is_deleted
    )
    if topic_id:
        its = its.where(ComparisonItemRow.topic_id == topic_id)
    ordered = its.order_by(ComparisonItemRow.position, ComparisonItemRow.id, PreferenceRow.annotator_id)
    return [Preference(*row) for row in connection.execute(ordered)]


def add_plan(
    connection: Connection,
    plan: ComparisonPlan,
    items: Sequence[ComparisonItem],
    annotator_id: str | None,
    verb: str = "plan comparisons",
) -> WriteResult[EditReceipt]:
    """Store a new plan with its comparisons as one edit.

    Raises InputError for invalid settings, an invalid name, and one that is used.
    """
    check_plan(plan)
    if fault := name_problem(plan.name):
        raise InputError(f"This is not a valid name of a plan. {fault} Choose another name.")
    if any(known.name == plan.name for known in plans(connection)):
        raise InputError(f"There is a plan named {plan.name} already. Choose another name.")
    if not items:
        raise InputError(
            "No topic has enough summaries to compare. Import summaries of at least "
            f"{'two' if plan.size == 2 else plan.size} systems."
        )
    last = connection.scalar(select(func.max(ComparisonPlanRow.position))) or 0.0
    row: Row = {name: getattr(plan, name) for name in _PLAN}
    row["question"] = storable_text(plan.question)
    edits = [
        RowEdit("comparison_plans", plan.id, None, {**row, "kind": plan.kind.value, "position": last + 1.0})
    ]
    edits += [
        RowEdit(
            "comparison_items",
            item.id,
            None,
            {
                "plan_id": plan.id,
                "topic_id": item.topic_id,
                "annotator_id": item.annotator_id,
                "summary_ids": json.dumps(list(item.summary_ids), separators=(",", ":")),
                "position": float(place),
            },
        )
        for place, item in enumerate(items)
    ]
    return edit_log.record(connection, EditHeader(verb, annotator_id), edits)


def remove_plan(connection: Connection, plan_id: str, annotator_id: str | None) -> WriteResult[EditReceipt]:
    """Remove a plan with its comparisons as one edit. Raises InputError if it has answers or is gone."""
    plan = next((one for one in plans(connection) if one.id == plan_id), None)
    if plan is None:
        raise InputError("This plan of comparisons is no longer in the study.")
    if answers := len(preferences(connection, plan_id)):
        raise InputError(
            f"{plan.name} has {answers:,} {'answer' if answers == 1 else 'answers'} and cannot be removed. "
            "Its annotators can undo their answers."
        )
    edits = [RowEdit("comparison_plans", plan_id, {"name": plan.name}, None)]
    edits += [
        RowEdit("comparison_items", item.id, {"plan_id": plan_id}, None)
        for item in items(connection, plan_id)
    ]
    return edit_log.record(connection, EditHeader("remove comparisons", annotator_id), edits)


def answer(
    connection: Connection,
    item_id: str,
    annotator_id: str,
    best: str | None,
    worst: str | None,
    active_seconds: float = 0.0,
) -> WriteResult[EditReceipt]:
    """Set an answer as one edit; both summaries None = a tie. Raises InputError if it is not allowed."""
    item, plan = _asked(connection, item_id)
    check_preference(plan, item, best, worst)
    edits = row_edits(connection, item_id, annotator_id, {"best": best, "worst": worst})
    header = EditHeader("compare summaries", annotator_id, item.topic_id, active_seconds)
    return edit_log.record(connection, header, edits)


def clear(
    connection: Connection, item_id: str, annotator_id: str, active_seconds: float = 0.0
) -> WriteResult[EditReceipt]:
    """Remove an answer as one edit."""
    item, _ = _asked(connection, item_id)
    header = EditHeader("compare summaries", annotator_id, item.topic_id, active_seconds)
    return edit_log.record(connection, header, row_edits(connection, item_id, annotator_id, None))


def row_edits(connection: Connection, item_id: str, annotator_id: str, after: Row | None) -> list[RowEdit]:
    """Return the edit that gives an annotator this answer, None = removes it; none if it is so already."""
    names = {"item_id": item_id, "annotator_id": annotator_id}
    columns = PreferenceRow.id, PreferenceRow.is_deleted, PreferenceRow.best, PreferenceRow.worst
    known = connection.execute(select(*columns).filter_by(**names)).first()
    is_there = known is not None and not known.is_deleted
    before = {"best": known.best, "worst": known.worst} if known is not None and is_there else None
    if before == after:
        return []
    row_id = new_id() if known is None else known.id
    return [RowEdit("preferences", row_id, before, None if after is None else names | after)]


def _asked(connection: Connection, item_id: str) -> tuple[ComparisonItem, ComparisonPlan]:
    """Return a comparison with its plan. Raises InputError if it is gone."""
    row = ComparisonItemRow
    columns = row.plan_id, row.topic_id, row.summary_ids, row.annotator_id
    found = connection.execute(select(*columns).where(row.id == item_id, ~row.is_deleted)).first()
    plan = next((one for one in plans(connection) if found is not None and one.id == found.plan_id), None)
    if found is None or plan is None:
        raise InputError(_GONE)
    ids = _summary_ids(found.summary_ids)
    return ComparisonItem(item_id, found.topic_id, ids, found.annotator_id), plan


def _plan(plan_id: str, name: str, kind: str, *settings: Any) -> ComparisonPlan:
    try:
        return ComparisonPlan(plan_id, name, ComparisonKind(kind), *settings)
    except ValueError as error:
        raise StudyDamaged(f"A plan of comparisons has the unknown kind {kind[:40]!r}.") from error


def _summary_ids(stored: str) -> tuple[str, ...]:
    try:
        ids = parse_json(stored)
        if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
            raise TypeError
    except (TypeError, ValueError) as error:
        raise StudyDamaged(f"The summaries of a comparison cannot be read: {stored[:80]!r}.") from error
    return tuple(ids)


class Comparisons(Repository):
    """Plans of comparisons, and the annotators' answers; implements `ComparisonStore`."""

    plans = read(plans)
    items = read(items)
    preferences = read(preferences)
    add_plan = write(add_plan)
    remove_plan = write(remove_plan)
    answer = write(answer)
    clear = write(clear)
