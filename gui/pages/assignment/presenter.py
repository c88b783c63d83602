"""Presenter of the tab Assignment: each change of the plan is stored at once, as one edit."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from core.annotation.annotators import annotators_of, team_of, workers
from core.annotation.assignment import (
    assign,
    assignees_of,
    manager_needed,
    merged,
    plan_progress,
    propose,
    roles_of,
    toggled,
)
from core.annotation.shared_pyramid import share_pyramids, shared_owner, shares_only_done, sharing_problem
from core.domain.assignment import ASSIGNED, Assignees, PersonProgress, PlanOptions, PlanProgress, Work
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.formatting.numbers import format_duration
from core.ports import ChangeKind, EditReceipt, Study
from core.progress import JobSteps
from gui.pages.assignment.view import AssignmentView, GridCell, GridHead
from gui.session.context import Context, PageParts, PageReader
from gui.style.engine_words import engine_words
from gui.style.language import tr

KEY = "assignment"
_KINDS = {Work.MATCHES: UnitKind.SCU, Work.HITS: UnitKind.NUGGET}
"""Kinds of work against pyramids or nuggets, which can be shared."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """The plan of a kind of work, as stored.

    names: of the annotators. states: role, or inactive, by name.
    shared: against whose pyramids everyone matches, empty = against any; one of `owners`.
    problem: which of these pyramids are not ready, a sentence, may be empty.
    refusal: why the plan cannot be changed, empty = it can.
    """

    progress: PlanProgress
    names: tuple[str, ...]
    states: Mapping[str, str]
    owners: tuple[str, ...]
    shared: str
    only_done: bool
    problem: str
    refusal: str


def read_plan(study: Study, work: Work, me: str) -> JobSteps[StoredPlan]:
    """Return the plan of a kind of work with everybody's progress. me: name of who looks at it."""
    names = tuple(person.name for person in annotators_of(study))
    progress = yield from plan_progress(study, work, names)
    inactive, roles = team_of(study).inactive, roles_of(study)
    states = {name: "inactive" if name in inactive else str(roles.get(name, "")) for name in names}
    kind = _KINDS.get(work)
    shared = shared_owner(study, kind) if kind is not None else ""
    only_done = kind is not None and shares_only_done(study, kind)
    with_work = study.annotators.with_work()
    owners = {p.name for p in study.annotators.all() if p.id in with_work or p.name in names} | {shared}
    problem = ""
    if kind is not None and shared:
        problem = sharing_problem(study, kind)
    refusal = study.read_only or manager_needed(study, me)
    return StoredPlan(
        progress, names, states, tuple(sorted(owners - {""})), shared, only_done, problem, refusal
    )


class AssignmentPresenter(QObject):
    """Show the plan of one kind of work, and store what is changed."""

    def __init__(self, view: AssignmentView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._work = next((work for work in ASSIGNED if assignees_of(context.study, work)), Work.MATCHES)
        self._stored: StoredPlan | None = None
        self._plan: Assignees = {}
        self._reader = PageReader(
            view, context, tr("Reading the plan"), self._read, frozenset(ChangeKind) - {ChangeKind.SCORES}
        )
        self._reader.read.connect(self._take)
        view.show_work(self._work)
        view.work_choice.chosen.connect(self._choose_work)
        view.model.toggled.connect(lambda topic, name: self._change(toggled(self._plan, topic, name)))
        view.propose_button.clicked.connect(self._propose)
        for chosen in (view.shared_box.activated, view.only_done_box.clicked):
            chosen.connect(self._share)
        view.empty.primary.clicked.connect(lambda: context.show_page("progress"))

    def _read(self) -> JobSteps[StoredPlan]:
        return read_plan(self._context.study, self._work, self._context.annotator.name)

    @Slot(object)
    def _take(self, stored: StoredPlan) -> None:
        if stored.progress.work is not self._work:
            return
        self._stored, self._plan = stored, stored.progress.assignees
        self._view.show_shared(stored.owners, stored.shared, only_done=stored.only_done)
        self._view.show_refusal(stored.refusal)
        self._view.notice.show_message(stored.refusal or stored.problem)
        self._show()

    @Slot(str)
    def _choose_work(self, work: str) -> None:
        self._work = Work(work)
        self._view.show_work(self._work)
        self._reader.read_again()

    @Slot()
    def _propose(self) -> None:
        study, per_topic = self._context.study, self._view.per_topic_box.value()
        topics = {topic.name: topic.summaries for topic in study.texts.topics()}
        names = workers(study, [person.name for person in annotators_of(study)])
        try:
            overlap = self._view.overlap_box.value() / 100
            plan = propose(topics, names, PlanOptions(min(per_topic, max(len(names), 1)), overlap))
        except InputError as error:
            self._view.notice.show_message(str(error))
            return
        self._change(plan)

    def _change(self, plan: Assignees) -> None:
        """Store a plan; what others have changed of it meanwhile stays."""
        work, before = self._work, self._stored.progress.assignees if self._stored is not None else {}

        def store(context: Context) -> Future[EditReceipt]:
            current = assignees_of(context.study, work)
            return assign(context.study, work, merged(current, before, plan), context.annotator.id)

        if self._reader.edit(store):
            self._plan = plan
            self._show()

    @Slot()
    def _share(self) -> None:
        name, only_done = self._view.shared_box.currentData(), self._view.only_done_box.isChecked()
        kind = _KINDS[self._work]
        self._reader.edit(
            lambda context: share_pyramids(
                context.study, kind, name, context.annotator.id, only_done=only_done
            )
        )

    def _show(self) -> None:
        if self._stored is None:
            return
        progress, names = self._stored.progress, self._stored.names
        seconds = {person.name: person.seconds for person in progress.people}
        cells, heads = {}, {}
        for name in names:
            own = {topic for topic in progress.topics if name in self._plan.get(topic, ())}
            for topic in progress.topics:
                cell = progress.cell(topic, name)
                text, short = "", ""
                if cell.is_begun:
                    text = tr("{done} of {total}", done=cell.done, total=cell.total)
                    short = f"{cell.done}/{cell.total}"
                cells[topic, name] = GridCell(topic in own, text, short)
            done = sum(progress.cell(topic, name).is_done for topic in own)
            person = PersonProgress(name, len(own), done, seconds.get(name, 0.0))
            lines = "\n".join(filter(None, (engine_words(self._stored.states[name]), _summary(person))))
            heads[name] = GridHead(lines, f"{done}/{len(own)}")
        self._view.show_plan(progress.topics, heads, cells)


build = PageParts(AssignmentView, AssignmentPresenter)


def _summary(person: PersonProgress) -> str:
    """Return an annotator's topics, finished topics and time."""
    done = tr(", {topics_done} done", topics_done=person.topics_done) if person.topics else ""
    topics = tr("%n topics", "", person.topics) + done
    return f"{topics}, {format_duration(person.seconds)}" if person.seconds else topics
