"""Presenter of the Agreement page, which compares the annotations of several people."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from core.adjudication.topics import AdjudicationSelection, survey
from core.agreement.analysis import RANKING_COEFFICIENTS
from core.agreement.result import agreement_result
from core.agreement.table import AgreementTable, Grouping
from core.agreement.titles import annotations_name, annotations_title, annotations_work
from core.agreement.verdicts import THRESHOLDS, VerdictLine, ranking_effect, verdict_lines
from core.comparison.differing_annotators import PairAgreement, pair_agreement
from core.domain.assignment import Work
from core.errors import InputError
from core.files.study_address import command_argument
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell
from core.operations.agree import agree, agreement_selection
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
_GROUPINGS = {
    Grouping.TOPIC: "Each topic",
    Grouping.PAIR: "Each pair of annotators",
    Grouping.UNIT: "Each SCU or nugget",
    Grouping.ANNOTATOR: "Each annotator (reliability)",
}
_ORDER, _VERDICTS = {"table": 0, "chart": 1, "notes": 2}, "table-0"
_NO_RESULT = "How far do the annotators agree, and does it change the ranking of the systems?"
_TOO_FEW = (
    "Agreement compares two or more annotators on the same items. Let a second person annotate some topics "
    "under their own name, or merge their copy of the study."
)


@dataclass(frozen=True, slots=True)
class AgreementChoices:
    """What a study offers. annotators: names. groups: of annotators."""

    annotators: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """The agreement, with the verdicts and what is behind them. differences: number to decide in all."""

    table: AgreementTable
    result: Result
    lines: tuple[VerdictLine, ...]
    pairs: PairAgreement
    differences: int


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
    """Return the annotators of a study."""
    yield Progress(0, 0, "reading annotators")
    people = study.annotators.all()
    return AgreementChoices(
        tuple(person.name for person in people),
        tuple(sorted({person.group for person in people if person.group})),
    )


def measure(study: Study, request: AgreeRequest) -> JobSteps[Measured | str]:
    """Return the agreement with the number of differences, or why there is none."""
    try:
        table = yield from agree(study, request)
    except InputError as error:
        return str(error)
    pairs = yield from pair_agreement(study, agreement_selection(request), table)
    try:
        counts = (yield from survey(study, AdjudicationSelection(annotators=request.annotators))).to_decide()
    except InputError:  # the chosen annotators are fewer than two
        counts = {}
    lines = verdict_lines(table, counts)
    return Measured(table, agreement_result(table, lines), tuple(lines), pairs, sum(counts.values()))


class AgreementPresenter(RunPresenter):
    """Hold the options, measure the agreement, show the result.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: AgreementView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view = view
        self._choices: AgreementChoices | None = None
        self._request = AgreeRequest()
        self._measured: Measured | None = None
        self._has_answer = self._opens = False
        self._connect()
        self._results.show_empty(_NO_RESULT, can_run=False)
        self._show()

    def _connect(self) -> None:
        view, commands = self._view, self._context.commands
        view.shown.connect(self._open)
        view.annotators_box.chosen.connect(lambda names: self._choose(annotators=tuple(names)))
        view.groupings_box.chosen.connect(lambda keys: self._choose(groupings=tuple(keys)))
        view.result.part_chosen.connect(self._show_part)
        view.result.notice.remedy_button.clicked.connect(self._results.show_notes)
        view.result.table.row_activated.connect(self._open_topic)
        view.verdicts.line_chosen.connect(self._show_line)
        view.verdicts.differences_requested.connect(self._open_differences)
        view.verdicts.copy_requested.connect(lambda: self._results.copy("tsv"))
        view.details.differences_button.clicked.connect(self._open_current)
        view.decide_button.clicked.connect(self._open_all)
        commands.bind("agreement.report", self._results.add_to_report, PAGE)
        commands.bind("agreement.details", view.toggle_details, PAGE)
        view.offer_side_panel(commands.action("agreement.details"))
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
        groups = [Choice(group, f"All of group {group}") for group in choices.groups]
        people = [Choice(name, name) for name in choices.annotators if name not in choices.groups]
        self._view.show_choices([*(groups if len(groups) > 1 else []), *people])
        self._request = replace(self._request, annotators=self._view.annotators_box.current)
        if not self._has_answer:
            self._results.show_empty(_NO_RESULT if self._can_run else _TOO_FEW, can_run=self._can_run)
        self._show()

    def _choose(self, **options: Any) -> None:
        self._request = replace(self._request, **options)
        self._update(has_answer=self._has_answer)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        """Measure again, once the page is visible."""
        if not changes.kinds & _RELEVANT_CHANGES:
            return
        self._is_outdated = self._running is not None
        self._has_answer = False
        if self._view.isVisible():
            self._open()

    @property
    def _can_run(self) -> bool:
        return self._choices is not None and len(self._choices.annotators) > 1

    # Measurement

    @Slot()
    def run(self) -> None:
        """Measure the agreement with the current options."""
        if self._running is None and self._can_run:
            self._start("Measuring agreement", measure(self._context.study, self._request))

    def _run_finished(self, result: Measured | str) -> None:
        self._has_answer = True
        self._measured = None if isinstance(result, str) else result
        self._view.details.setEnabled(self._measured is not None)
        if isinstance(result, str):
            self._view.show_verdicts((), 0)
            self._results.show_empty(result, can_run=False)
            return
        annotators = {name for line in result.lines for name in line.row.annotators}
        now = f"{datetime.now():%H:%M}"
        self._view.state_label.setText(f"{pluralize(len(annotators), 'annotator')} · measured {now}")
        self._view.show_verdicts(result.lines, result.differences)
        self._context.show_progress({"adjudication": str(result.differences or "")})
        named = ((part, part.title or part.label) for part in result_parts(result.result))
        parts = sorted(
            (
                replace(part, label="Verdicts" if part.key == _VERDICTS else name, title="")
                for part, name in named
            ),
            key=lambda part: _ORDER[part.key.partition("-")[0]],
        )
        self._display(result.result, parts, self._command())
        self._show_part()

    @Slot()
    def _show_part(self) -> None:
        """Show the verdicts as a table of their own, the other tables and figures as everywhere."""
        if self._measured is not None and self._measured.lines and self._results.part == _VERDICTS:
            self._view.result.show_content(self._view.verdicts, self._effect())
            self._show_line()

    @Slot()
    def _show_line(self) -> None:
        """Show the current line in detail."""
        line = self._view.verdicts.current
        if line is None or self._measured is None:
            return
        table, pairs = self._measured.table, self._measured.pairs
        rows = [
            row
            for row in table.select(grouping=Grouping.ALL)
            if row.what in (line.what, f"{line.what} spans") and row.coefficient not in RANKING_COEFFICIENTS
        ]
        found = pairs.differing.get(line.what)
        note = found.sentence if found is not None else ""
        self._view.details.show_line(line, rows, pairs.pairs.get(line.what, ()), note)
        if self._results.part == _VERDICTS:
            self._view.result.show_content(self._view.verdicts, self._effect())

    def _effect(self) -> str:
        """Return what the differences in the current line do to the ranking, and the thresholds."""
        line = self._view.verdicts.current
        assert self._measured is not None
        rows = self._measured.table.select(line.what if line else "", Grouping.ALL, "ranking-kendall")
        return "\n".join([*(ranking_effect(row) for row in rows), THRESHOLDS])

    @Slot()
    def _open_current(self) -> None:
        if (line := self._view.verdicts.current) is not None:
            self._open_differences(line)

    @Slot()
    def _open_all(self) -> None:
        """Show the differences of the first kind of annotation that has some."""
        if self._measured is not None:
            work = next(annotations_work(line.what) for line in self._measured.lines if line.differences)
            self._open_what(annotations_name(work))

    @Slot(object)
    def _open_differences(self, line: VerdictLine) -> None:
        if self._measured is not None:
            self._open_what(line.decided_with)

    def _open_what(self, what: str) -> None:
        self._context.selection.select(annotation=what)
        self._context.show_page("adjudication")

    @Slot(object)
    def _open_topic(self, row: Mapping[str, Cell]) -> None:
        """Open the topic of a row on the page of its annotations."""
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
        self._view.show_running(self._running is not None, self._can_run)

    def _command(self) -> str:
        """Return the equivalent command line."""
        path = command_argument(self._context.study.path)
        return shlex.join(["pyramidion", "agree", path, *self._request.arguments("annotators", "groupings")])


def _work_of(title: Cell) -> Work:
    """Return the kind of annotations by their title in a table."""
    return next(work for work in Work if str(title).startswith(annotations_title(annotations_name(work))))
