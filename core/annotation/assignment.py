"""Assignment of topics to annotators: the plan, a balanced proposal, and the progress of each person."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import TypeVar

from core.annotation.team_progress import work_progress
from core.domain.annotator_filter import name_refusal
from core.domain.assignment import (
    ROLES,
    Assignees,
    PersonProgress,
    PlanOptions,
    PlanProgress,
    Role,
    Work,
    refusal_of,
    roles_from,
)
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.json_text import stored_values
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress

_Value = TypeVar("_Value")


def assignees_of(study: Study, work: Work) -> dict[str, tuple[str, ...]]:
    """Return who does which topic; topics without an annotator are left out."""
    plan = stored_values(study.settings.get(_key(work)), lambda names: tuple(map(str, names)))
    return {topic: names for topic, names in plan.items() if names}


def assigned_topics(study: Study, work: Work, name: str) -> frozenset[str]:
    """Return the names of the topics that an annotator is to work on; empty = none is assigned to them.

    A plan may name topics that are no longer in the study; these are left out.
    """
    return assigned_by_work(study, (work,), name)[work]


def assigned_by_work(study: Study, works: Iterable[Work], name: str) -> dict[Work, frozenset[str]]:
    """Return the names of the topics assigned to an annotator for several kinds of work."""
    plans = {work: assignees_of(study, work) for work in works}
    known = frozenset(head.name for head in study.texts.topics()) if any(plans.values()) else frozenset()
    return {
        work: known.intersection(topic for topic, names in plan.items() if name in names)
        for work, plan in plans.items()
    }


def roles_of(study: Study) -> dict[str, Role]:
    """Return the roles of annotators by name; those without one are left out."""
    return roles_from(study.settings.get(ROLES))


def set_role(study: Study, name: str, role: Role | None, annotator_id: str | None) -> Future[EditReceipt]:
    """Give an annotator a role, None = none, as one edit.

    Raises InputError for a name under which nobody works.
    """
    if role is not None:
        _check_workers(study, (name,))
    roles = {**roles_of(study), name: role}
    given = {one: role for one, role in roles.items() if role is not None}
    return study.settings.save_all(stored_roles(given), annotator_id)


def stored_roles(roles: Mapping[str, Role]) -> dict[str, str]:
    """Return roles by name as the setting that stores them."""
    return {ROLES: json.dumps(dict(sorted(roles.items())), ensure_ascii=False)}


def manager_needed(study: Study, name: str) -> str:
    """Return who has to do what only managers do, as a sentence; empty = this annotator may do it."""
    return refusal_of(name, roles_of(study))


def merged(
    current: Mapping[str, _Value], before: Mapping[str, _Value], after: Mapping[str, _Value]
) -> dict[str, _Value]:
    """Return what is stored by topic with what one editor changed, topic by topic.

    current: as stored now, perhaps by another editor. before, after: as the editor began, and as edited.
    """
    changed = {topic for topic in {*before, *after} if before.get(topic) != after.get(topic)}
    others = {topic: value for topic, value in current.items() if topic not in changed}
    return others | {topic: after[topic] for topic in changed if topic in after}


def assign(study: Study, work: Work, plan: Assignees, annotator_id: str | None) -> Future[EditReceipt]:
    """Store who does which topic, as one edit that the annotator can undo.

    Raises InputError for a name under which nobody works, unless the stored plan has it.
    """
    known = {name for names in assignees_of(study, work).values() for name in names}
    _check_workers(study, sorted({name for names in plan.values() for name in names} - known))
    return study.settings.save_all(stored_plan(work, plan), annotator_id)


def _check_workers(study: Study, names: Iterable[str]) -> None:
    people = study.annotators.all()
    for name in names:
        if refusal := name_refusal(name, people):
            raise InputError(refusal)


def stored_plan(work: Work, plan: Assignees) -> dict[str, str]:
    """Return a plan as the setting that stores it."""
    named = {topic: list(names) for topic, names in sorted(plan.items()) if names}
    return {_key(work): json.dumps(named, ensure_ascii=False)}


def toggled(plan: Assignees, topic: str, name: str) -> dict[str, tuple[str, ...]]:
    """Return a plan in which one annotator of a topic is added or removed."""
    names = plan.get(topic, ())
    after = tuple(one for one in names if one != name) if name in names else tuple(sorted((*names, name)))
    return {one: who for one, who in {**plan, topic: after}.items() if who}


def propose(
    topics: Mapping[str, int], annotators: Sequence[str], options: PlanOptions, fixed: Assignees | None = None
) -> dict[str, tuple[str, ...]]:
    """Return a plan in which annotators have equal work and share topics with everybody else alike.

    topics: amount of work by name, such as the number of summaries.
    fixed: topics that stay as they are; they count in everybody's work.
    Raises InputError for fewer annotators than a topic needs.
    """
    if len(set(annotators)) < options.per_topic:
        raise InputError(
            f"A topic needs {pluralize(options.per_topic, 'annotator')}, but there are "
            f"{len(set(annotators))}. Add annotators, or reduce the number per topic."
        )
    chance = random.Random(options.seed)
    plan = {topic: tuple(who) for topic, who in (fixed or {}).items() if topic in topics and who}
    load: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    for topic, who in plan.items():
        _count(load, together, who, topics[topic])
    free = [topic for topic in topics if topic not in plan]
    chance.shuffle(free)
    shared = math.floor(len(topics) * options.overlap + 0.5)
    shared -= sum(len(names) > 1 for names in plan.values())
    free.sort(key=lambda topic: -topics[topic])  # large ones first, so that small ones even out the rest
    chosen = set(chance.sample(free, max(0, min(shared, len(free)))))
    for topic in sorted(free, key=lambda topic: topic not in chosen):
        count = options.per_topic if topic in chosen else 1
        names: list[str] = []
        for _ in range(count):
            order = [one for one in dict.fromkeys(annotators) if one not in names]
            chance.shuffle(order)
            names.append(
                min(order, key=lambda one: (load[one], sum(together[_pair(one, other)] for other in names)))
            )
        _count(load, together, names, topics[topic])
        plan[topic] = tuple(sorted(names))
    return {topic: plan[topic] for topic in topics if topic in plan}


def plan_progress(study: Study, work: Work, people: Iterable[str] = ()) -> JobSteps[PlanProgress]:
    """Return a plan with everybody's progress. people: names to list even without a plan or work."""
    yield Progress(0, 0, "reading the plan")
    heads = study.texts.topics()
    topics = tuple(head.name for head in heads)
    assignees = {topic: who for topic, who in assignees_of(study, work).items() if topic in topics}
    progress = (yield from work_progress(study, (work,)))[work]
    named = {*people, *progress.names, *(name for who in assignees.values() for name in who)}
    listed = [person for person in study.annotators.all() if person.name in named]
    cells = {
        (topic, name): progress.cell(topic, name)
        for topic in topics
        for name in sorted(named)
        if (topic, name) in progress.done or name in assignees.get(topic, ())
    }
    found = []
    for person in listed:
        own = [topic for topic, who in assignees.items() if person.name in who]
        done = sum(cells[topic, person.name].is_done for topic in own)
        seconds = sum(study.edits.seconds_worked(person.id).values())
        found.append(PersonProgress(person.name, len(own), done, seconds))
    return PlanProgress(work, topics, tuple(found), assignees, cells)


def _count(load: Counter[str], together: Counter[tuple[str, str]], names: Iterable[str], amount: int) -> None:
    who = sorted(names)
    for place, one in enumerate(who):
        load[one] += max(amount, 1)
        for other in who[place + 1 :]:
            together[_pair(one, other)] += 1


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _key(work: Work) -> str:
    return f"assignment.{work}"
