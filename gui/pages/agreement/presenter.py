"""Presenter of the Agreement page, which compares the annotations of several people."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Slot

from core.agreement.table import Grouping
from core.agreement.titles import annotations_name, annotations_title, annotations_work
from core.agreement.verdicts import THRESHOLDS, VerdictLine
from core.domain.assignment import Work
from core.errors import InputError
from core.files.study_address import command_argument
from core.formatting.tables import Cell
from core.operations.agree import MeasuredAgreement, measure_agreement
from core.operations.options import AgreeRequest
from core.ports import ANNOTATION_CHANGES, ChangeSet, Study
from core.progress import JobSteps
from gui.annotation.guidelines_pane import SidePanelToggle
from gui.background.turn_queue import TurnQueue
from gui.pages.agreement.view import AgreementView
from gui.results.result_content import result_parts
from gui.results.result_controller import RunPresenter
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.controls import Choice
from gui.widgets.file_dialogs import ask_where_to_save

PAGE = "agreement"
GROUPINGS = (
    Choice(Grouping.TOPIC, tr("Each topic")),
    Choice(Grouping.PAIR, tr("Each pair of annotators")),
    Choice(Grouping.UNIT, tr("Each SCU or nugget")),
    Choice(Grouping.ANNOTATOR, tr("Each annotator (reliability)")),
)
"""Groups of items that can be measured besides all items."""
_ORDER, _VERDICTS = {"table": 0, "chart": 1, "notes": 2}, "table-0"
_NO_RESULT = tr("How far do the annotators agree, and does it change the ranking of the systems?")
_TOO_FEW = tr(
    "Agreement compares two or more annotators on the same items. Let a second person "
    "annotate some topics under their own name, or merge their copy of the study."
)


def build(context: Context) -> tuple[AgreementView, AgreementPresenter]:
    view = AgreementView(GROUPINGS)
    return view, AgreementPresenter(view, context, partial(ask_where_to_save, view))


def measure(study: Study, request: AgreeRequest) -> JobSteps[MeasuredAgreement | str]:
    """Return the agreement, or why there is none."""
    try:
        return (yield from measure_agreement(study, request))
    except InputError as error:
        return str(error)


class AgreementPresenter(RunPresenter):
    """Hold the options, measure the agreement, show the result.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: AgreementView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view = view
        self._request = AgreeRequest()
        self._measured: MeasuredAgreement | None = None
        self._has_answer = self._can_run = False
        self._turns = TurnQueue(self)
        commands = context.commands
        view.shown.connect(self._open)
        view.annotators_box.chosen.connect(lambda names: self._choose(annotators=tuple(names)))
        view.groupings_box.chosen.connect(lambda keys: self._choose(groupings=tuple(keys)))
        view.result.parts_box.chosen.connect(self._show_line)
        view.result.table.row_opened.connect(self._open_topic)
        view.verdicts.row_chosen.connect(self._show_line)
        view.verdicts.differences_requested.connect(self._open_what)
        view.verdicts.copy_requested.connect(lambda: self._results.copy("tsv"))
        view.details.differences_button.clicked.connect(view.verdicts.open_current)
        view.decide_button.clicked.connect(self._open_all)
        commands.bind("agreement.report", self._results.add_to_report, PAGE)
        SidePanelToggle(view, view.details, self._context, PAGE, "agreement.details")
        self._context.changes.changed.connect(self._study_changed)
        self._results.show_empty(_NO_RESULT, can_run=False)
        self._show()

    # Options

    @Slot()
    def _open(self) -> None:
        """Show what can be chosen, and measure unless there is an answer."""
        people = self._context.study.annotators.all()
        groups = sorted({person.group for person in people if person.group})
        offered = [
            Choice(group, tr("All of group {group}", group=group)) for group in groups if len(groups) > 1
        ]
        offered += [Choice(one.name, one.name) for one in people if one.name not in groups]
        self._view.annotators_box.show_choices(offered, self._view.annotators_box.current)
        self._request = replace(self._request, annotators=self._view.annotators_box.current)
        self._can_run = len(people) > 1
        if not self._can_run:
            self._show_nothing(_TOO_FEW)
        self._show()
        if not self._has_answer:
            self.run()

    def _choose(self, **options: Any) -> None:
        self._request = replace(self._request, **options)
        self._update(has_answer=self._has_answer)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        """Measure again, once the page is visible."""
        if not changes.kinds & ANNOTATION_CHANGES:
            return
        self._is_outdated = self._running.current is not None
        self._has_answer = False
        if self._view.isVisible():
            self._open()

    # Measurement

    @Slot()
    def run(self) -> None:
        """Measure the agreement with the current options."""
        if self._running.current is None and self._can_run:
            self._start(tr("Measuring agreement"), measure(self._context.study, self._request))

    def _run_finished(self, result: MeasuredAgreement | str) -> None:
        self._has_answer = True
        if isinstance(result, str):
            self._show_nothing(result)
            return
        self._measured = None  # so that its current line is shown once, at the end
        annotators = {name for line in result.lines for name in line.row.annotators}
        measured = tr(
            "{annotators} · measured {now:%H:%M}",
            annotators=tr("%n annotators", "", len(annotators)),
            now=datetime.now(),
        )
        self._view.state_label.setText(measured)
        self._show_verdicts((*result.lines, *result.alone), result.differences)
        self._measured = result
        parts = sorted(result_parts(result.result), key=lambda part: _ORDER[part.key.partition("-")[0]])
        if result.lines:
            parts[0] = replace(parts[0], label=tr("Verdicts"), title="")
        has_verdicts = self._view.verdicts.current is not None
        self._results.own_parts = frozenset((_VERDICTS,) if has_verdicts else ())
        self._display(result.result, parts, self._command())
        self._turns.add(self._show_line)

    def _show_nothing(self, reason: str) -> None:
        """Show why there is no agreement."""
        self._measured = None
        self._view.details.show_line(None, (), (), "")
        self._show_verdicts((), 0)
        self._results.show_empty(reason, can_run=False)

    def _show_verdicts(self, lines: Sequence[VerdictLine], differences: int) -> None:
        """Show the verdicts; the tab of the differences counts those of all annotators."""
        self._view.show_verdicts(lines, differences)
        if not self._request.annotators:
            self._context.show_progress({"adjudication": f"{differences:,}" if differences else ""})

    @Slot()
    def _show_line(self) -> None:
        """Show the current line in detail, and the verdicts as a table of their own."""
        line = self._view.verdicts.current
        if line is None or self._measured is None:
            return
        pairs = self._measured.pairs
        found = pairs.differing.get(line.what)
        rows = self._measured.coefficients_of(line)
        note = found.sentence if found is not None else "" if rows else line.row.reason
        self._view.details.show_line(line, rows, pairs.pairs.get(line.what, ()), note)
        if self._results.part == _VERDICTS:
            effect = self._measured.effect_of(line)
            self._view.result.show_content(self._view.verdicts, f"{effect}\n{THRESHOLDS}".lstrip())
            if self._view.hasFocus():  # as there was no table yet
                self._view.focus_default()

    @Slot()
    def _open_all(self) -> None:
        """Show the differences of the first kind of annotation that has some."""
        if self._measured is not None:
            work = next(annotations_work(line.what) for line in self._measured.lines if line.differences)
            self._open_what(annotations_name(work))

    @Slot(str)
    def _open_what(self, what: str) -> None:
        self._context.selection.select(annotation=what)
        self._context.show_page("adjudication")

    @Slot(object)
    def _open_topic(self, row: tuple[Cell, ...]) -> None:
        cells = self._view.result.table.cells(row)
        named, unit = str(cells.get("Topic", "")), str(cells.get("Unit", ""))
        found = [
            topic
            for topic in self._context.study.texts.topics()
            if topic.name == named or unit.startswith(f"{topic.name}: ")
        ]
        if found:
            self._context.selection.select(topic_id=max(found, key=lambda topic: len(topic.name)).id)
            what = str(cells["Annotations"])
            titles = {work: annotations_title(annotations_name(work)) for work in Work}
            self._context.show_page(next(work for work in Work if what.startswith(titles[work])))

    def _show(self) -> None:
        self._view.show_running(self._running.current is not None, self._can_run)

    def _command(self) -> str:
        path = command_argument(self._context.study.path)
        return shlex.join(["pyramidion", "agree", path, *self._request.arguments("annotators", "groupings")])
