"""Presenter of the assignment: reads the plan with its progress, edits a copy, stores it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

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
from core.annotation.shared_pyramid import share_pyramids, shared_owner
from core.domain.annotator_filter import is_own_work
from core.domain.assignment import Assignees, PersonProgress, PlanOptions, PlanProgress, Role, Work
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
        self._before = {work: assignees_of(study, work) for work in Work}
        self._plans = dict(self._before)
        self._roles_before = roles_of(study)
        self._roles = dict(self._roles_before)
        self._shared_before = {kind: shared_owner(study, kind) for kind in UnitKind}
        self._shared = dict(self._shared_before)
        self._names = [person.name for person in study.annotators.all() if is_own_work(person)]
        self._work = next((work for work in Work if self._plans[work]), Work.MATCHES)
        dialog = self.dialog = AssignmentDialog(self._window)
        dialog.work_chosen.connect(self._choose_work)
        dialog.toggled.connect(self._toggle)
        dialog.proposed.connect(self._propose)
        dialog.person_added.connect(self._add_person)
        dialog.role_chosen.connect(self._choose_role)
        dialog.shared_chosen.connect(self._share)
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
        workers = [name for name in self._names if self._roles.get(name) in (None, Role.ANNOTATOR)]
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

    @Slot()
    def _save(self) -> None:
        study, me = self._context.study, self._context.annotator.id
        known = {person.name for person in study.annotators.all()}
        used = {name for plan in self._plans.values() for names in plan.values() for name in names}
        for name in sorted((used | set(self._roles)) - known):
            study.annotators.get_or_create(name, "")
        for work, plan in self._plans.items():
            if _listed(plan) != _listed(self._before[work]):
                merged = merged_plan(assignees_of(study, work), self._before[work], plan)
                self._context.writes.track(assign(study, work, merged, me))
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
            heads.append(PersonHead(name, _summary(person), self._roles.get(name, "")))
        self.dialog.show_plan(self._work, progress.topics, heads, cells)
        everybody = [person.name for person in study.annotators.all()]
        self.dialog.show_shared(self._work, everybody, self._shared[_kind_of(self._work)])
        self.dialog.show_problem(problem)


def _kind_of(work: Work) -> UnitKind:
    return UnitKind.NUGGET if work in (Work.NUGGETS, Work.HITS) else UnitKind.SCU


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
