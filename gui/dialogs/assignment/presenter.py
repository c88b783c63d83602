"""Presenter of the assignment: reads the plan with its progress, edits a copy, stores it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.annotators import Team, annotators_of, save_team, team_of, without
from core.annotation.assignment import (
    assign,
    assignees_of,
    manager_needed,
    merged_plan,
    plan_progress,
    propose,
    roles_of,
    set_role,
    toggled,
)
from core.annotation.shared_pyramid import (
    Unfinished,
    share_only_done,
    share_pyramids,
    shared_owner,
    shares_only_done,
    unfinished,
)
from core.domain.assignment import ASSIGNED, Assignees, PersonProgress, PlanOptions, PlanProgress, Role, Work
from core.domain.name_checks import name_problem
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.formatting.numbers import pluralize
from gui.dialogs.assignment.view import AssignmentDialog, GridCell, PersonHead
from gui.session.context import Context

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_MINUTE, _HOUR = 60.0, 3600.0


class AssignmentPresenter(QObject):
    """Open the dialog over a window and store its changes, one edit per kind of work.

    Signals:
        refused: why the plan cannot be changed, a sentence.
    """

    refused = Signal(str)

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._plans: dict[Work, Assignees] = {}
        self._before: dict[Work, Assignees] = {}
        self._progress: dict[Work, PlanProgress] = {}
        self._roles: dict[str, Role] = {}
        self._roles_before: dict[str, Role] = {}
        self._shared: dict[UnitKind, str] = {}
        self._shared_before: dict[UnitKind, str] = {}
        self._only_done: dict[UnitKind, bool] = {}
        self._only_done_before: dict[UnitKind, bool] = {}
        self._unfinished: dict[tuple[UnitKind, str], Unfinished] = {}
        self._team = self._team_before = Team()
        self._with_work: set[str] = set()
        self._names: list[str] = []
        self._work = Work.MATCHES
        self._reading: set[Work] = set()
        self._problem = ""
        self.dialog: AssignmentDialog | None = None

    def open(self) -> AssignmentDialog | None:
        """Return the dialog; None if only a manager may change the plan, which `refused` says."""
        study, me = self._context.study, self._context.annotator.name
        if refusal := manager_needed(study, me):
            self.refused.emit(refusal)
            return None
        self._progress, self._reading = {}, set()
        self._before = {work: assignees_of(study, work) for work in ASSIGNED}
        self._plans = dict(self._before)
        self._roles_before = roles_of(study)
        self._roles = dict(self._roles_before)
        self._shared_before = {kind: shared_owner(study, kind) for kind in UnitKind}
        self._shared = dict(self._shared_before)
        with_work = study.annotators.with_work()
        people = study.annotators.all()
        self._with_work = {person.name for person in people if person.id in with_work}
        self._names = [person.name for person in annotators_of(study)]
        self._team = self._team_before = team_of(study)
        self._only_done_before = {kind: shares_only_done(study, kind) for kind in UnitKind}
        self._only_done = dict(self._only_done_before)
        self._unfinished = {}
        self._work = next((work for work in ASSIGNED if self._plans[work]), Work.MATCHES)
        dialog = self.dialog = AssignmentDialog(self._window)
        dialog.work_choice.chosen.connect(self._choose_work)
        dialog.model.toggled.connect(self._toggle)
        dialog.proposed.connect(self._propose)
        dialog.person_added.connect(self._add_person)
        dialog.role_chosen.connect(self._choose_role)
        dialog.person_removed.connect(self._remove_person)
        dialog.shared_chosen.connect(self._share)
        dialog.only_done_box.clicked.connect(self._share_only_done)
        dialog.accepted.connect(self._save)
        self._show()
        return dialog

    @Slot(str)
    def _choose_work(self, work: str) -> None:
        self._work = Work(work)
        self._show()

    @Slot(str, str)
    def _toggle(self, topic: str, name: str) -> None:
        self._plans[self._work] = toggled(self._plans[self._work], topic, name)
        self._show()

    @Slot(int, float)
    def _propose(self, per_topic: int, overlap: float) -> None:
        topics = {topic.name: topic.summaries for topic in self._context.study.texts.topics()}
        active = (name for name in self._names if name not in self._team.inactive)
        workers = [name for name in active if self._roles.get(name) in (None, Role.ANNOTATOR)]
        try:
            self._plans[self._work] = propose(
                topics, workers, PlanOptions(min(per_topic, max(len(workers), 1)), overlap)
            )
        except InputError as error:
            self._show(str(error))
            return
        self._show()

    @Slot(str)
    def _add_person(self, name: str) -> None:
        if problem := name_problem(name):
            self._show(problem)
            return
        if name not in self._names:
            self._names = sorted([*self._names, name])
        self._team = replace(
            self._team, added=self._team.added | {name}, inactive=self._team.inactive - {name}
        )
        self._show()

    @Slot(str)
    def _remove_person(self, name: str) -> None:
        """Remove an annotator from team, plans and roles; who annotated becomes inactive, or active again."""
        if name in self._with_work:
            self._team = replace(self._team, inactive=self._team.inactive ^ {name})
            self._show()
            return
        self._names = [one for one in self._names if one != name]
        self._team = Team(self._team.added - {name}, self._team.inactive - {name})
        self._roles.pop(name, None)
        self._plans = {work: without(plan, name) for work, plan in self._plans.items()}
        self._show()

    @Slot(str, str)
    def _choose_role(self, name: str, role: str) -> None:
        self._roles.pop(name, None)
        if role:
            self._roles[name] = Role(role)
        self._show()

    @Slot(str)
    def _share(self, name: str) -> None:
        self._shared[_kind_of(self._work)] = name
        self._show()

    @Slot(bool)
    def _share_only_done(self, is_on: bool) -> None:
        self._only_done[_kind_of(self._work)] = is_on
        self._show()

    @Slot()
    def _save(self) -> None:
        study, me = self._context.study, self._context.annotator.id
        known = {person.name for person in study.annotators.all()}
        used = {name for plan in self._plans.values() for names in plan.values() for name in names}
        for name in sorted((used | set(self._roles) | self._team.added) - known):
            study.annotators.get_or_create(name, "")
        for work, plan in self._plans.items():
            if _listed(plan) != _listed(self._before[work]):
                merged = merged_plan(assignees_of(study, work), self._before[work], plan)
                self._context.writes.track(assign(study, work, merged, me))
        if self._team != self._team_before:
            self._context.writes.track(save_team(study, self._team, me))
        for kind, is_on in self._only_done.items():
            if is_on != self._only_done_before[kind]:
                self._context.writes.track(share_only_done(study, kind, is_on, me))
        for kind, name in self._shared.items():
            if name != self._shared_before[kind]:
                self._context.writes.track(share_pyramids(study, kind, name, me))
        for name in sorted({*self._roles, *self._roles_before}):
            if self._roles.get(name) is not self._roles_before.get(name):
                set_role(study, name, self._roles.get(name), me).result()

    def _read_progress(self) -> None:
        if self._work not in self._reading:
            self._reading.add(self._work)
            job = self._context.jobs.start(
                "Reading the progress", plan_progress(self._context.study, self._work)
            )
            job.finished.connect(self._show_progress)
            job.failed.connect(self._show_failure)

    @Slot(object)
    def _show_progress(self, progress: PlanProgress) -> None:
        self._progress[progress.work] = progress
        if progress.work is self._work:
            self._show(self._problem)

    @Slot(object)
    def _show_failure(self, error: Exception) -> None:
        self._show(str(error))

    def _show(self, problem: str = "") -> None:
        self._problem = problem
        if self.dialog is None:
            return
        study, plan = self._context.study, self._plans[self._work]
        progress = self._progress.get(self._work)
        if progress is None:  # shown without it until it is read
            self._read_progress()
            topics = tuple(topic.name for topic in study.texts.topics())
            progress = PlanProgress(self._work, topics, (), plan)
        seconds = {person.name: person.seconds for person in progress.people}
        cells = {}
        for topic in progress.topics:
            for name in self._names:
                cell = progress.cells.get((topic, name))
                text = f"{cell.done} of {cell.total}" if cell is not None and cell.is_begun else ""
                cells[topic, name] = GridCell(name in plan.get(topic, ()), text)
        heads = []
        for name in self._names:
            own = [topic for topic, names in plan.items() if name in names]
            done = sum((cell := progress.cells.get((t, name))) is not None and cell.is_done for t in own)
            person = PersonProgress(name, len(own), done, seconds.get(name, 0.0))
            is_inactive = name in self._team.inactive
            role = self._roles.get(name, "")
            heads.append(PersonHead(name, _summary(person), role, name in self._with_work, is_inactive))
        self.dialog.show_plan(self._work, progress.topics, heads, cells)
        kind = _kind_of(self._work)
        with_work = study.annotators.with_work()
        everybody = [p.name for p in study.annotators.all() if p.id in with_work or p.name in self._names]
        shared = self._shared[kind]
        self.dialog.show_shared(self._work, sorted({*everybody, shared} - {""}), shared)
        self.dialog.show_only_done(self._only_done[kind], is_offered=bool(shared))
        self.dialog.show_problem(problem or self._sharing_problem(kind, shared))
        self.dialog.ask_before_discarding(self._has_changes())

    def _sharing_problem(self, kind: UnitKind, name: str) -> str:
        """Return which of the pyramids to share are not ready; empty = all are, or nothing changes."""
        is_new = (name, self._only_done[kind]) != (self._shared_before[kind], self._only_done_before[kind])
        if not name or not is_new or self._work not in (Work.MATCHES, Work.HITS):
            return ""
        if (kind, name) not in self._unfinished:
            self._unfinished[kind, name] = unfinished(self._context.study, kind, name)
        return sharing_problem(kind, name, self._unfinished[kind, name], only_done=self._only_done[kind])

    def _has_changes(self) -> bool:
        plans = any(_listed(plan) != _listed(self._before[work]) for work, plan in self._plans.items())
        return plans or (self._team, self._roles, self._shared, self._only_done) != (
            self._team_before,
            self._roles_before,
            self._shared_before,
            self._only_done_before,
        )


def _kind_of(work: Work) -> UnitKind:
    return UnitKind.NUGGET if work in (Work.NUGGETS, Work.HITS) else UnitKind.SCU


def sharing_problem(kind: UnitKind, name: str, state: Unfinished, *, only_done: bool) -> str:
    """Return which of an annotator's pyramids are not ready to be shared, as a sentence; empty = all are."""
    what = "nuggets" if kind is UnitKind.NUGGET else "pyramid"
    facts = [f"{state.without} without {what}"] if state.without else []
    if state.not_done:
        facts.append(
            f"{state.not_done} not marked done, {'left out until then' if only_done else 'locked too'}"
        )
    listed = "; ".join(facts)
    return f"Of {pluralize(state.topics, 'topic')} of {name}: {listed}." if facts else ""


def _summary(person: PersonProgress) -> str:
    """Return an annotator's topics, finished topics and time."""
    topics = f"{pluralize(person.topics, 'topic')}, {person.topics_done} done"
    if not person.seconds:
        return topics
    is_long = person.seconds >= _HOUR
    time = f"{person.seconds / _HOUR:.1f} h" if is_long else f"{person.seconds / _MINUTE:.0f} min"
    return f"{topics}, {time}"


def _listed(plan: Assignees) -> dict[str, tuple[str, ...]]:
    return {topic: tuple(names) for topic, names in plan.items() if names}
