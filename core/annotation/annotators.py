"""Annotators of a study: those who annotated, were added or have an assignment or a role.

A study stores a name for whoever opens it, so that a first edit has an owner; that alone makes nobody an
annotator.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass

from core.annotation.assignment import assign, assignees_of, roles_of, set_role
from core.domain.annotator_filter import is_own_work
from core.domain.assignment import ASSIGNED, Assignees, Role
from core.domain.study import Annotator
from core.ports import EditReceipt, Study

_TEAM = "annotators"


@dataclass(frozen=True, slots=True)
class Team:
    """What is stored about the annotators of a study, by name.

    added: they are annotators without any work. inactive: they get no topics in proposals.
    """

    added: frozenset[str] = frozenset()
    inactive: frozenset[str] = frozenset()


def team_of(study: Study) -> Team:
    """Return what is stored about annotators; nothing if it is damaged."""
    try:
        stored = json.loads(study.settings.get(_TEAM) or "{}")
        return Team(
            frozenset(map(str, stored.get("added", ()))), frozenset(map(str, stored.get("inactive", ())))
        )
    except (AttributeError, TypeError, ValueError):
        return Team()


def save_team(study: Study, team: Team, annotator_id: str | None) -> Future[EditReceipt]:
    """Store who was added and who is inactive, as one edit that the annotator can undo."""
    stored = {"added": sorted(team.added), "inactive": sorted(team.inactive)}
    return study.settings.save(_TEAM, json.dumps(stored, ensure_ascii=False), annotator_id)


def annotators_of(study: Study) -> list[Annotator]:
    """Return the people who annotated, were added, or have an assignment or a role, by name."""
    named = {*team_of(study).added, *roles_of(study)}
    for work in ASSIGNED:
        named.update(name for names in assignees_of(study, work).values() for name in names)
    with_work = study.annotators.with_work()
    return [
        person
        for person in study.annotators.all()
        if is_own_work(person) and (person.id in with_work or person.name in named)
    ]


def add_annotator(study: Study, name: str, editor_id: str | None) -> Annotator:
    """Return the annotator of a name, added to the study. Raises InputError for names that cannot be used."""
    person, team = study.annotators.get_or_create(name), team_of(study)
    added = Team(team.added | {person.name}, team.inactive - {person.name})
    if added != team:
        save_team(study, added, editor_id).result()
    return person


def remove_annotator(study: Study, name: str, editor_id: str | None) -> bool:
    """Remove an annotator from team, plans and roles.

    Returns False for one with work, who becomes inactive instead.
    """
    team, with_work = team_of(study), study.annotators.with_work()
    if any(person.name == name and person.id in with_work for person in study.annotators.all()):
        save_team(study, Team(team.added, team.inactive | {name}), editor_id).result()
        return False
    for work in ASSIGNED:
        plan = assignees_of(study, work)
        if any(name in names for names in plan.values()):
            assign(study, work, without(plan, name), editor_id).result()
    if name in roles_of(study):
        set_role(study, name, None, editor_id).result()
    if name in team.added:
        save_team(study, Team(team.added - {name}, team.inactive - {name}), editor_id).result()
    return True


def without(plan: Assignees, name: str) -> dict[str, tuple[str, ...]]:
    """Return a plan without one annotator."""
    return {topic: tuple(one for one in names if one != name) for topic, names in plan.items()}


def is_annotator(study: Study, person: Annotator) -> bool:
    """Return whether somebody is an annotator; in a study without any, whoever opens it is."""
    people = annotators_of(study)
    return not people or any(each.id == person.id for each in people)


def workers(study: Study, names: Iterable[str]) -> list[str]:
    """Return those whom topics can be proposed for: active people, neither managers nor adjudicators."""
    roles, inactive = roles_of(study), team_of(study).inactive
    people = {person.name for person in annotators_of(study)}
    return [
        name
        for name in names
        if roles.get(name) in (None, Role.ANNOTATOR) and name in people and name not in inactive
    ]
