"""Compare imported answers to comparisons of summaries with the study."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from core.domain.import_batch import ImportContent, NewPreference
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan, check_preference
from core.errors import InputError
from storage.database.schema import ComparisonItemRow, ComparisonPlanRow, PreferenceRow
from storage.repositories import comparisons
from storage.repositories.imports.plan import Plan

Answer = tuple[str | None, str | None]
"""Ids of the best and the worst summary, None = a tie."""

_ANSWERS = "answers"


@dataclass(slots=True)
class _Target:
    """A plan with its comparisons by what they compare, and the answers by comparison and annotator."""

    plan: ComparisonPlan
    items: dict[tuple[str, frozenset[str]], list[ComparisonItem]] = field(
        default_factory=lambda: defaultdict(list)
    )
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    count: int = 0


def plan(
    connection: Connection,
    incoming: ImportContent,
    planned: Plan,
    topics: Mapping[str, str],
    summaries: Mapping[tuple[str, str], str],
    annotators: Mapping[str, str],
) -> None:
    """Plan every answer, and the comparisons and plans that the study lacks.

    topics, annotators: ids by name. summaries: ids by the names of topic and system.
    A plan that was drawn gets no other comparisons.
    """
    if incoming.preferences:
        _Importer(connection, planned, topics, summaries, annotators).add_all(incoming.preferences)


class _Importer:
    def __init__(
        self,
        connection: Connection,
        planned: Plan,
        topics: Mapping[str, str],
        summaries: Mapping[tuple[str, str], str],
        annotators: Mapping[str, str],
    ) -> None:
        self._planned, self._topics, self._summaries = planned, topics, summaries
        self._annotators, self._connection = annotators, connection
        self._last = connection.scalar(select(func.max(ComparisonPlanRow.position))) or 0.0
        self._targets = {one.name: self._stored(one) for one in comparisons.plans(connection)}
        self._marks = {"version": 1, "is_deleted": False, "edit_id": planned.edit_id}

    def add_all(self, answers: tuple[NewPreference, ...]) -> None:
        sizes: dict[str, int] = defaultdict(int)
        for answer in answers:
            sizes[answer.plan] = max(sizes[answer.plan], len(answer.systems))
        for answer in answers:
            place = f"topic {answer.topic}, {' and '.join(answer.systems)}"
            try:
                self._add(answer, place, sizes[answer.plan])
            except InputError as error:
                self._planned.refuse_row(place, f"comparisons {answer.plan}", str(error), "Correct the row.")

    def _add(self, answer: NewPreference, place: str, size: int) -> None:
        """Plan one answer. Raises InputError where it does not fit."""
        lost = [one for one in answer.systems if (answer.topic, one) not in self._summaries]
        if answer.topic not in self._topics or lost:
            what = f"The study has no summary of {' and '.join(lost or answer.systems)} on this topic."
            raise InputError(what + " Import the summaries first.")
        ids = {one: self._summaries[answer.topic, one] for one in answer.systems}
        target = self._target(answer, size)
        if target.plan.kind is not answer.kind:
            raise InputError(
                f"These comparisons are {target.plan.kind} in the study, and {answer.kind} here."
            )
        person = self._annotators[answer.annotator]
        chosen: Answer = (ids.get(answer.best), ids.get(answer.worst))
        item = self._item(target, answer, ids, person)
        check_preference(target.plan, item, *chosen)
        key = item.id, person
        if key not in target.answers:
            names = {"item_id": item.id, "annotator_id": person, "best": chosen[0], "worst": chosen[1]}
            self._add_answer(names)
            target.answers[key] = chosen
        else:
            what = f"The answer of {answer.annotator} on {place}"
            self._planned.keep(_ANSWERS, what, target.answers[key] == chosen)

    def _add_answer(self, names: dict[str, str | None]) -> None:
        row = PreferenceRow
        query = select(row.id, row.version).filter_by(
            item_id=names["item_id"], annotator_id=names["annotator_id"]
        )
        removed = self._connection.execute(query).first()
        if removed is None:
            self._planned.add(row, {**names, **self._marks}, _ANSWERS)
        else:  # it was removed in the study and is added again
            marks = {**self._marks, "version": removed.version + 1}
            self._planned.filled.append((row, removed.id, {**names, **marks}))
            self._planned.added[_ANSWERS] += 1

    def _target(self, answer: NewPreference, size: int) -> _Target:
        if answer.plan not in self._targets:
            self._last += 1.0
            settings = {"kind": answer.kind.value, "question": "", "size": size}
            if answer.kind is ComparisonKind.BEST_WORST and size < 3:
                raise InputError("Best–worst scaling compares at least 3 summaries.")
            about = {"name": answer.plan, **settings, "per_summary": 0, "overlap": 1.0, "seed": 0}
            row = {**about, "position": self._last, **self._marks}
            row_id = self._planned.add(ComparisonPlanRow, row, "plans of comparisons")
            self._targets[answer.plan] = _Target(ComparisonPlan(row_id, answer.plan, answer.kind, "", size))
        return self._targets[answer.plan]

    def _item(
        self, target: _Target, answer: NewPreference, ids: Mapping[str, str], person: str
    ) -> ComparisonItem:
        """Return the comparison of the same summaries, preferably without an answer of the annotator."""
        same = target.items[answer.topic, frozenset(ids.values())]
        mine = [one for one in same if one.is_for(person)]
        shown = [one for one in mine if one.summary_ids == tuple(ids.values())]
        if mine:
            return (shown or mine)[0]
        plan_of = target.plan
        if plan_of.per_summary or (plan_of.kind is ComparisonKind.PAIRWISE and len(ids) != 2):
            raise InputError(f"{plan_of.name} has no such comparison for {answer.annotator}.")
        row = {
            "plan_id": plan_of.id,
            "topic_id": self._topics[answer.topic],
            "annotator_id": None,
            "summary_ids": json.dumps(list(ids.values()), separators=(",", ":")),
            "position": float(target.count),
        }
        row_id = self._planned.add(ComparisonItemRow, {**row, **self._marks}, "comparisons")
        item = ComparisonItem(row_id, self._topics[answer.topic], tuple(ids.values()))
        same.append(item)
        target.count += 1
        return item

    def _stored(self, known: ComparisonPlan) -> _Target:
        names = {row_id: name for name, row_id in self._topics.items()}
        target = _Target(known)
        for item in comparisons.items(self._connection, known.id):
            target.items[names[item.topic_id], frozenset(item.summary_ids)].append(item)
            target.count += 1
        for answer in comparisons.preferences(self._connection, known.id):
            target.answers[answer.item_id, answer.annotator_id] = answer.best, answer.worst
        return target
