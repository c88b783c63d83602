"""Presenter of the Agreement page, which compares the annotations of several people."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from core.adjudication.topics import AdjudicationSelection, survey
from core.agreement.result import agreement_result
from core.agreement.table import Grouping
from core.agreement.titles import annotations_name, annotations_title
from core.domain.assignment import Work
from core.domain.ratings import ScaleKind
from core.errors import InputError
from core.files.study_address import command_argument
from core.formatting.tables import Cell
from core.operations.agree import agree
from core.operations.options import AgreeRequest
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from gui.background.jobs import JobQueue
from gui.results.result_content import result_parts
from gui.results.run_presenter import RunPresenter
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context
from gui.widgets.controls.multi_choice import Choice

if TYPE_CHECKING:
    from gui.pages.agreement.view import AgreementView

PAGE = "agreement"
_RELEVANT_CHANGES = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.RATINGS,
        ChangeKind.MATCHES,
        ChangeKind.PYRAMIDS,
        ChangeKind.NUGGETS,
        ChangeKind.COMPARISONS,
        ChangeKind.PEOPLE,
    }
)
_RATING = "rating."
_UNITS = (Work.MATCHES, Work.PYRAMIDS, Work.NUGGETS)
_GROUPINGS = {
    Grouping.TOPIC: "Each topic",
    Grouping.PAIR: "Each pair of annotators",
    Grouping.UNIT: "Each SCU or nugget",
    Grouping.ANNOTATOR: "Each annotator (reliability)",
}
_ORDER = {"table": 0, "chart": 1, "notes": 2}
_NO_RESULT = "How far do the annotators agree, and does it change the ranking of the systems?"
_TOO_FEW = (
    "Agreement compares two or more annotators on the same items. Let a second person annotate some topics "
    "under their own name, or merge their copy of the study."
)
_OUTDATED = "The annotations have changed. Measure the agreement again."


@dataclass(frozen=True, slots=True)
class AgreementChoices:
    """What a study offers. scales: of ratings. annotators: names. groups: of annotators."""

    scales: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def build(context: Context) -> tuple[AgreementView, AgreementPresenter]:
    """Return the page's view and its presenter."""
    from gui.pages.agreement.view import AgreementView
    from gui.widgets.file_dialogs import ask_where_to_save

    view = AgreementView(groupings())

    return view, AgreementPresenter(view, context, partial(ask_where_to_save, view))


def groupings() -> list[Choice]:
    """Return the groups of items that can be shown besides all items."""
    return [Choice(grouping.value, title) for grouping, title in _GROUPINGS.items()]


def read_choices(study: Study) -> JobSteps[AgreementChoices]:
    """Return the scales and annotators of a study."""
    yield Progress(0, 0, "reading annotators")
    people = study.annotators.all()
    return AgreementChoices(
        tuple(s.name for s in study.ratings.dimensions() if s.kind is not ScaleKind.TEXT),
        tuple(person.name for person in people),
        tuple(sorted({person.group for person in people if person.group})),
    )


def measure(study: Study, request: AgreeRequest) -> JobSteps[Result | str]:
    """Return the agreement as a result with the number of differences, or why there is none."""
    try:
        table = yield from agree(study, request)
    except InputError as error:
        return str(error)
    try:
        counts = (yield from survey(study, AdjudicationSelection(annotators=request.annotators))).to_decide()
    except InputError:  # the chosen annotators are fewer than two
        counts = {}
    return agreement_result(table, counts)


class AgreementPresenter(RunPresenter):
    """Hold the options, measure the agreement, show the result.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: AgreementView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view = view
        self._choices: AgreementChoices | None = None
        self._request = AgreeRequest()
        self._has_answer = self._opens = False
        self._connect()
        self._results.show_empty(_NO_RESULT, can_run=False)
        self._show()

    def _connect(self) -> None:
        view = self._view
        view.shown.connect(self._open)
        view.annotations_box.chosen.connect(lambda keys: self._choose(**annotation_options(keys)))
        view.annotators_box.chosen.connect(lambda names: self._choose(annotators=tuple(names)))
        view.groupings_chosen.connect(lambda keys: self._choose(groupings=tuple(keys)))
        view.result.notice.remedy_button.clicked.connect(self._results.show_notes)
        view.result.table.row_activated.connect(self._open_topic)
        self._context.commands.bind("agreement.report", self._results.add_to_report, PAGE)
        self._context.changes.changed.connect(self._study_changed)

    # Options

    @Slot()
    def _open(self) -> None:
        """Read what can be chosen, then measure unless there is an answer."""
        self._opens = True
        self._load()

    def _load(self) -> None:
        job = self._context.jobs.start(
            "Reading annotators", read_choices(self._context.study), JobQueue.READING
        )
        job.finished.connect(self._show_choices)

    @Slot(object)
    def _show_choices(self, choices: AgreementChoices) -> None:
        if choices != self._choices:
            self._offer(choices)
        if self._opens and not self._has_answer:
            self.run()
        self._opens = False

    def _offer(self, choices: AgreementChoices) -> None:
        self._choices = choices
        scales = [Choice(f"{_RATING}{name}", f"Ratings of {name}") for name in choices.scales]
        units = [Choice(kind.value, kind.capitalize()) for kind in _UNITS]
        groups = [Choice(group, f"All of group {group}") for group in choices.groups]
        people = [Choice(name, name) for name in choices.annotators if name not in choices.groups]
        self._view.show_choices(
            [*scales, *units],
            [*(groups if len(groups) > 1 else []), *people],
        )
        current, names = self._view.annotations_box.current, self._view.annotators_box.current
        self._request = replace(self._request, **annotation_options(current), annotators=names)
        if not self._has_answer:
            self._results.show_empty(_NO_RESULT if self._can_run else _TOO_FEW, can_run=self._can_run)
        self._show()

    def _choose(self, **options: Any) -> None:
        self._request = replace(self._request, **options)
        self._update(has_answer=self._has_answer)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if not changes.kinds & _RELEVANT_CHANGES:
            return
        self._is_outdated = self._running is not None
        if self._has_answer:
            self._has_answer = False
            self._results.show_empty(_OUTDATED, can_run=self._can_run)
        if self._view.isVisible():
            self._load()

    @property
    def _can_run(self) -> bool:
        return self._choices is not None and len(self._choices.annotators) > 1

    # Measurement

    @Slot()
    def run(self) -> None:
        """Measure the agreement with the current options."""
        if self._running is None and self._can_run:
            self._start("Measuring agreement", measure(self._context.study, self._request))

    def _run_finished(self, result: Result | str) -> None:
        self._has_answer = True
        if isinstance(result, str):
            self._results.show_empty(result, can_run=False)
            return
        parts = sorted(result_parts(result), key=lambda part: _ORDER[part.key.partition("-")[0]])
        self._display(result, parts, self._command())

    @Slot(object)
    def _open_topic(self, row: Mapping[str, Cell]) -> None:
        """Open the differences of a verdict, or the topic of a row on the page of its annotations."""
        if "Verdict" in row:
            self._context.selection.select(annotation=annotations_name(_work_of(row["Annotation"])))
            self._context.show_page("adjudication")
            return
        named, unit = str(row.get("Topic", "")), str(row.get("Unit", ""))
        found = [
            topic
            for topic in self._context.study.texts.topics()
            if topic.name == named or unit.startswith(f"{topic.name}: ")
        ]
        if found:
            self._context.selection.select(topic_id=max(found, key=lambda topic: len(topic.name)).id)
            self._context.show_page(_work_of(row["Annotations"]))

    def _show(self) -> None:
        self._view.show_command(self._command())
        self._view.show_running(self._running is not None, self._can_run)

    def _command(self) -> str:
        """Return the equivalent command line."""
        path = command_argument(self._context.study.path)
        chosen = self._request.arguments("kinds", "scales", "annotators", "groupings")
        return shlex.join(["pyramidion", "agree", path, *chosen])


def _work_of(title: Cell) -> Work:
    """Return the kind of annotations by their title in a table."""
    return next(work for work in Work if str(title).startswith(annotations_title(annotations_name(work))))


def annotation_options(keys: Sequence[str]) -> dict[str, Any]:
    """Return the options for the chosen annotations."""
    scales = tuple(key.removeprefix(_RATING) for key in keys if key.startswith(_RATING))
    others = (key for key in keys if not key.startswith(_RATING))
    return {"kinds": (*(("ratings",) if scales else ()), *others), "scales": scales}
