"""`pyramidion assign`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from cli.opening import editor_id
from core.annotation.annotators import add_annotator, annotators_of, remove_annotator, workers
from core.annotation.assignment import (
    assign,
    assignees_of,
    plan_progress,
    propose,
    roles_of,
    set_role,
)
from core.annotation.shared_pyramid import share_only_done, share_pyramids, shared_owner
from core.domain.annotator_filter import resolve_annotators, unknown_name_message
from core.domain.assignment import ASSIGNED, PlanOptions, PlanProgress, Role, Work
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.ports import Study
from storage.study_file import open_study

NOBODY = "none"
"""Name in --set and role in --role that removes."""


@dataclass(frozen=True, slots=True)
class PlanChanges:
    """What to change in a plan.

    options: of a proposal, None = none. annotators: names or groups of the proposal, empty = all.
    assigned: ``TOPIC=NAME,NAME``. roles: ``NAME=ROLE``. shared: whose pyramids everyone matches against.
    only_done: share only pyramids that are marked done. added, removed: annotators.
    editor: who makes the changes.
    """

    options: PlanOptions | None = None
    annotators: Sequence[str] = ()
    assigned: Sequence[str] = ()
    roles: Sequence[str] = ()
    shared: str = ""
    editor: str = ""
    only_done: bool = False
    added: Sequence[str] = ()
    removed: Sequence[str] = ()

    @property
    def change_nothing(self) -> bool:
        """Return whether the plan is only shown."""
        return self == PlanChanges(editor=self.editor)


def assign_topics(path: StudyAddress, work: Work, changes: PlanChanges, *, as_json: bool) -> None:
    """Print who does which topic and how far they are, after changing the plan.

    Raises InputError for unknown topics, annotators and roles, and for work that is not assigned by topic.
    """
    if work not in ASSIGNED:
        raise InputError(
            "Comparisons are divided among annotators by their plan. Use `pyramidion comparisons` instead."
        )
    with open_study(path) as study:
        if not changes.change_nothing:
            require_writable(study)
        editor = editor_id(study, changes.editor)
        kind = UnitKind.NUGGET if work in (Work.NUGGETS, Work.HITS) else UnitKind.SCU
        if changes.shared:
            known = [person.name for person in study.annotators.all()]
            if changes.shared not in (*known, NOBODY):
                raise InputError(unknown_name_message("annotator", changes.shared, known))
            name = "" if changes.shared == NOBODY else changes.shared
            share_pyramids(study, kind, name, editor).result()
            share_only_done(study, kind, changes.only_done, editor).result()
        for name in changes.added:
            add_annotator(study, name, editor)
        for name in changes.removed:
            _remove(study, name, editor)
        for change in changes.roles:
            name, role = _role_change(study, change)
            set_role(study, name, role, editor).result()
        if changes.options is not None or changes.assigned:
            assign(study, work, _changed_plan(study, work, changes), editor).result()
        progress = run_with_progress(plan_progress(study, work), "reading", "Nothing was printed.")
        roles, shared = roles_of(study), shared_owner(study, kind)
    if as_json:
        print_json({**_as_json(progress, roles), "shared": shared or None})
    else:
        _print(progress, roles)
        if shared:
            what = "nuggets" if kind is UnitKind.NUGGET else "pyramids"
            print_message(f"Everyone matches against the {what} of {shared}, which are locked.")


def _remove(study: Study, name: str, editor: str | None) -> None:
    known = [person.name for person in annotators_of(study)]
    if name not in known:
        raise InputError(unknown_name_message("annotator", name, known))
    if not remove_annotator(study, name, editor):
        print_message(f"{name} has annotated, so their work stays: they are inactive and get no more topics.")


def _changed_plan(study: Study, work: Work, changes: PlanChanges) -> dict[str, tuple[str, ...]]:
    topics = {topic.name: topic.summaries for topic in study.texts.topics()}
    people = study.annotators.all()
    plan = assignees_of(study, work)
    if changes.options is not None:
        chosen = resolve_annotators(changes.annotators, people)
        names = [person.name for person in people if chosen is None or person.name in chosen]
        names = names if changes.annotators else workers(study, names)
        plan = propose(topics, names, changes.options)
    known = [person.name for person in people]
    for change in changes.assigned:
        topic, separator, listed = change.rpartition("=")
        if not separator:
            raise InputError(f"{change!r} is not an assignment. Write it as TOPIC=NAME,NAME.")
        if topic not in topics:
            raise InputError(unknown_name_message("topic", topic, list(topics)))
        names = [name.strip() for name in listed.split(",") if name.strip() not in ("", NOBODY)]
        for name in names:
            if name not in known:
                raise InputError(unknown_name_message("annotator", name, known))
        plan[topic] = tuple(sorted(set(names)))
    return plan


def _role_change(study: Study, change: str) -> tuple[str, Role | None]:
    name, separator, role = change.rpartition("=")
    known = [person.name for person in study.annotators.all()]
    if not separator or role not in (*Role, NOBODY):
        raise InputError(f"{change!r} is not a role. Write NAME=manager, annotator, adjudicator or {NOBODY}.")
    if name not in known:
        raise InputError(unknown_name_message("annotator", name, known))
    return name, None if role == NOBODY else Role(role)


def _as_json(progress: PlanProgress, roles: dict[str, Role]) -> dict[str, object]:
    return {
        "work": progress.work.value,
        "annotators": [
            {
                "annotator": one.name,
                "role": roles[one.name].value if one.name in roles else None,
                "topics": one.topics,
                "done": one.topics_done,
                "seconds": one.seconds,
            }
            for one in progress.people
        ],
        "topics": [
            {
                "topic": topic,
                "annotators": list(progress.assignees.get(topic, ())),
                "progress": {
                    name: {"done": cell.done, "total": cell.total}
                    for (of, name), cell in progress.cells.items()
                    if of == topic
                },
            }
            for topic in progress.topics
        ],
    }


def _print(progress: PlanProgress, roles: dict[str, Role]) -> None:
    names = [one.name for one in progress.people]
    if not names:
        print_message("Nobody is assigned and nobody has begun. Propose a plan with --propose.")
        return
    rows = []
    for topic in progress.topics:
        row = {"topic": topic}
        for name in names:
            cell = progress.cells.get((topic, name))
            is_assigned = name in progress.assignees.get(topic, ())
            done = f"{cell.done}/{cell.total}" if cell is not None else ""
            row[name] = (
                done if is_assigned else f"({done})" if done and cell is not None and cell.is_begun else ""
            )
        rows.append(row)
    print_table(rows, {"topic": "Topic", **{name: name for name in names}}, right=tuple(names))
    for one in progress.people:
        role = f", {roles[one.name]}" if one.name in roles else ""
        print_message(
            f"{one.name}{role}: {one.topics_done} of {one.topics} topics done, {one.seconds / 60:.0f} min."
        )
