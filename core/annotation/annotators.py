"""Annotators of a study: those who annotated, were added or have an assignment or a role.

A study stores a name for whoever opens it, so that a first edit has an owner; that alone makes nobody an
annotator.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass

from core.annotation.assignment import assignees_of, roles_of, stored_plan, stored_roles
from core.domain.annotator_filter import is_own_work, name_refusal
from core.domain.assignment import ASSIGNED, Assignees, Role
from core.domain.study import Annotator
from core.errors import InputError
from core.json_text import parse_json
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
        stored = parse_json(study.settings.get(_TEAM) or "{}")
        return Team(
            frozenset(map(str, stored.get("added", ()))), frozenset(map(str, stored.get("inactive", ())))
        )
    except (AttributeError, TypeError, ValueError):
        return Team()


def save_team(study: Study, team: Team, annotator_id: str | None) -> Future[EditReceipt]:
    """Store who was added and who is inactive, as one edit that the annotator can undo."""
    return study.settings.save_all(_stored(team), annotator_id)


def _stored(team: Team) -> dict[str, str]:
    listed = {"added": sorted(team.added), "inactive": sorted(team.inactive)}
    return {_TEAM: json.dumps(listed, ensure_ascii=False)}


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


def add_annotator(study: Study, name: str, editor_id: str | None) -> Future[EditReceipt]:
    """Add an annotator, or make one active again, as one edit.

    Raises InputError for names that cannot be used.
    """
    if refusal := name_refusal(name, study.annotators.all()):
        raise InputError(refusal)
    name, team = study.annotators.get_or_create(name).name, team_of(study)
    return save_team(study, Team(team.added | {name}, team.inactive - {name}), editor_id)


def has_work(study: Study, name: str) -> bool:
    """Return whether somebody has annotated, so that they cannot be removed."""
    with_work = study.annotators.with_work()
    return any(person.name == name and person.id in with_work for person in study.annotators.all())


def remove_annotator(study: Study, name: str, editor_id: str | None) -> Future[EditReceipt]:
    """Remove an annotator from team, plans and roles, as one edit; one with work becomes inactive instead."""
    team = team_of(study)
    if has_work(study, name):
        return save_team(study, Team(team.added, team.inactive | {name}), editor_id)
    values = _stored(Team(team.added - {name}, team.inactive - {name}))
    for work in ASSIGNED:
        plan = assignees_of(study, work)
        if any(name in names for names in plan.values()):
            values |= stored_plan(work, _without(plan, name))
    roles = roles_of(study)
    if roles.pop(name, None) is not None:
        values |= stored_roles(roles)
    return study.settings.save_all(values, editor_id)


def _without(plan: Assignees, name: str) -> dict[str, tuple[str, ...]]:
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
