"""Presenter of the Compare page."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from core.comparison.cautions import SMALL_SAMPLE, metric_notes
from core.comparison.eligibility import Status
from core.comparison.measures import measures
from core.comparison.staleness_text import measures_text, stale_texts
from core.files.study_address import command_argument
from core.models.runtime.devices import available_device
from core.operations.columns import CorrelationColumn, likely_requests, load_whole
from core.operations.correlate import CorrelationData
from core.operations.options import CorrelateRequest
from core.operations.required_sizes import RequiredSizes, find_required_sizes, required_sizes_text
from core.ports import SCORED_CHANGES, ChangeKind, Study
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.stats.types import Level
from gui.background.jobs import JobQueue
from gui.background.turn_queue import TurnQueue
from gui.pages.compare.correlation_cache import CorrelationCache
from gui.pages.compare.page.choice_controller import AskSystems, ChoiceController, ask_systems, show_text
from gui.pages.compare.page.side_panel import OpenSummary, SidePanelController
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.summary.summary_view import SummaryView
from gui.pages.compare.table.table_content import (
    CurrentCell,
    TableContent,
    export_of,
    formula_text,
    table_of,
    unscored_text,
)
from gui.pages.compare.values import MeasureTable, View
from gui.pages.compare.view import CompareView
from gui.results.table_and_figure_files import PAPER_SIZE, AddToReport, AskPath, ResultExporter
from gui.session.context import Context, PageReader
from gui.style.language import tr
from gui.widgets.file_dialogs import ask_where_to_save

PAGE = "compare"
ShowText = Callable[[str, Sequence[str]], None]
"""Display sentences below a title."""
_RELEVANT_CHANGES = SCORED_CHANGES | {ChangeKind.EXPERIMENTS}  # which may add scores

_COMMON, _ALL, _NEEDED = tr("Compare on common topics"), tr("Use all topics"), tr("How many are needed?")
"""Labels of the notice's button."""


def build(context: Context) -> tuple[CompareView, ComparePresenter]:
    view = CompareView()
    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    presenter = ComparePresenter(
        view,
        context,
        partial(ask_where_to_save, view),
        summaries.open,
        partial(ask_systems, view),
        partial(show_text, view),
    )
    presenter.side_panel.summary_near.connect(summaries.prepare)
    return view, presenter


class ComparePresenter(QObject):
    """Reads the scores once and answers every change of a choice from memory.

    ask_path: ask where to save a file; None = cancelled.
    open_summary: show a summary, by topic id and system, with the explanation of a measure.
    """

    def __init__(
        self,
        view: CompareView,
        context: Context,
        ask_path: AskPath,
        open_summary: OpenSummary,
        ask_systems: AskSystems,
        show_text: ShowText,
    ) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self.data: CorrelationData | None = None  # scores and judgements of the study; None = not read yet
        self._choosing = ChoiceController(
            view, context.selection, ask_systems, lambda: self.cell[1] if self.cell else ""
        )
        self._cache = CorrelationCache(context.jobs, self)
        self.side_panel = SidePanelController(view, context, open_summary)
        self.outputs = ExportController(view, context, ask_path, self.side_panel, self._displayed)
        self._status = ScoreStatus({}, "", ())
        self.cell: tuple[str, str] | None = None
        self.content: TableContent | None = None  # content of the table; None = not computed yet
        self._table: MeasureTable | None = None
        self._show_text = show_text
        self._turns = TurnQueue(self)  # which also takes what several jobs found as one
        self._reading = PageReader(
            view, context, tr("Reading scores"), self._load, _RELEVANT_CHANGES, JobQueue.COMPARING
        )
        view.table_panel.table.cell_chosen.connect(self._choose_cell)
        view.table_panel.filtered.connect(self._show_side)
        view.unmark_button.clicked.connect(lambda: self._context.selection.mark(()))
        view.table_panel.formula_button.clicked.connect(self._explain)
        view.notice.remedy_button.clicked.connect(self._apply_remedy)
        view.stale_notice.remedy_button.clicked.connect(lambda: self._context.show_page("score"))
        view.empty.primary.clicked.connect(self._resolve_empty_page)
        self._choosing.chosen.connect(self._ask)
        self._choosing.method_chosen.connect(self._infer)
        self._choosing.method_chosen.connect(self._show_inference)
        self._choosing.systems_chosen.connect(self._reading.read_again)
        self.side_panel.measure_chosen.connect(self._choose_measure)
        self._cache.answered.connect(self._show_columns)
        self._cache.inferred.connect(self._show_inference)
        self._reading.read.connect(self._take_data)
        self._connect_commands()

    def _connect_commands(self) -> None:
        view, commands, outputs = self._view, self._context.commands, self.outputs
        commands.bind("edit.copy_table", lambda: outputs.copy_table("tsv"), PAGE)
        commands.bind("edit.find", view.table_panel.focus_find, PAGE)
        commands.bind("compare.save_table", outputs.save_table, PAGE)
        commands.bind("compare.save_figure", outputs.save_figure, PAGE)
        commands.bind("compare.add_table", outputs.add_table, PAGE)
        commands.bind("compare.add_figure", outputs.add_figure, PAGE)
        commands.bind("compare.formula", self._explain, PAGE)
        commands.bind("compare.needed", self._estimate_required_sizes, PAGE)
        commands.bind("compare.larger", view.figure_panel.larger_button.click, PAGE)
        commands.bind("compare.unmark", lambda: self._context.selection.mark(()), PAGE)
        commands.bind("list.next", lambda: view.table.step(1), PAGE)
        commands.bind("list.previous", lambda: view.table.step(-1), PAGE)
        for kind in View:
            commands.bind(f"compare.{kind.value}", partial(self.side_panel.choose_view, kind), PAGE)

    @property
    def request(self) -> CorrelateRequest:
        return self._choosing.request

    # Reading

    @Slot(object)
    def _take_data(self, data: CorrelationData) -> None:
        self.data = data
        self._turns.forget()  # what waits is of the former data
        self._cache.start_over(data)
        self._cache.warm_up()
        self.side_panel.forget()
        self._choosing.fit(data)
        if not data.comparison.refs:
            self._view.show_empty(unscored_text(self.request.systems), tr("Go to Score"))
        elif not data.judgements:
            self._view.show_empty(
                tr(
                    "There is no human judgement yet. Match summaries with a pyramid and mark them done, "
                    "or import ratings."
                ),
                tr("Go to Match"),
            )
        else:
            self._view.show_body()
            self._ask()
            self._look_for_stale()

    def _load(self) -> JobSteps[CorrelationData]:
        return load_whole(self._context.study, self.request)

    def _look_for_stale(self) -> None:
        """Compare the scores with the current texts to find stale ones."""
        device = available_device(self._context.settings.now.device)
        work = find_stale(self._context.study, device, with_made=self.request.include_experiments)
        job = self._context.jobs.start(tr("Checking for stale scores"), work, JobQueue.READING)
        job.finished.connect(self._take_status)

    @Slot(object)
    def _take_status(self, status: ScoreStatus) -> None:
        if status != self._status:
            has_same_stale, self._status = status.stale == self._status.stale, status
            self._view.show_stale(status.changed)
            self._turns.add(self._show_table, self._refresh_side if has_same_stale else self._show_side)

    # Correlations

    @Slot()
    def _ask(self) -> None:
        """Request the correlations of the current choices, from the cache or by a job."""
        if self.data is None or not self.request.judgements or not self.data.comparison.refs:
            return
        self._cache.ask(self.request, self._view.table.measures_in_sight())
        self._show_columns()

    @Slot()
    def _show_columns(self) -> None:
        columns = self._columns()
        if columns is None or self.data is None:
            return
        if self.content is not None and list(self.content.columns) == columns:
            return  # columns computed ahead change nothing on screen
        is_whole = not any(column.coming for column in columns)
        if self.cell is None and not is_whole:
            return  # the best measure, which becomes current first, is not known yet
        self._show_table()
        self._restore_cell()
        self._turns.add(self._show_side)
        if is_whole:
            self._turns.add(self._infer, self._look_ahead)

    def _columns(self) -> list[CorrelationColumn] | None:
        """Return the columns of the current choices; None = not all are computed."""
        if self.data is None or not self.request.judgements:
            return None
        return self._cache.columns(self.request)

    @Slot()
    def _look_ahead(self) -> None:
        if self.data is not None:
            self._cache.look_ahead(likely_requests(self.request, tuple(self.data.judgements)))

    @Slot()
    def _infer(self) -> None:
        """Compute intervals and tests of the table, those of the current judgement first."""
        columns, current = self._columns() or (), self._column()
        if columns and not any(column.coming for column in columns):  # else they come first
            self._cache.infer(self.request, [*columns[current:], *columns[:current]])

    @Slot()
    def _show_inference(self) -> None:
        self._turns.add(self._show_table, self._refresh_side)

    def _refresh_side(self) -> None:
        if (cell := self._current_cell()) is not None:
            self.side_panel.refresh(cell)

    def _show_table(self) -> None:
        columns = self._columns()
        if columns is None:
            return
        request, cache = self.request, self._cache
        content = TableContent(
            cache.data(request),
            columns,
            [cache.inference(request, human) for human in request.judgements],
            request,
            self._status.stale,
            self._column(),
            self._status.notes,
            agreements=[cache.agreement(request, human) for human in request.judgements],
        )
        self.content = replace(content, remedy=_remedy(content))
        self._table = table_of(self.content)
        self._view.show_table(self._table)

    @Slot()
    def _apply_remedy(self) -> None:
        remedy = self.content.remedy if self.content is not None else ""
        if remedy in (_COMMON, _ALL):
            self._choosing.use_common_topics(remedy == _COMMON)
        else:
            self._estimate_required_sizes()

    # Cell

    def _column(self) -> int:
        humans = self.request.judgements
        return humans.index(self.cell[1]) if self.cell is not None and self.cell[1] in humans else 0

    def _restore_cell(self) -> None:
        """Keep the current cell if it still exists, else choose one."""
        cell = self.cell
        if cell is None or cell[1] not in self.request.judgements or not self._has_measure(cell[0]):
            self.cell = self._first_cell()
        if self.cell is not None:
            self._view.choose_cell(self.cell[0], self._column())

    def _has_measure(self, label: str) -> bool:
        return self.data is not None and self.data.ref(label) is not None

    def _first_cell(self) -> tuple[str, str] | None:
        """Return the measure selected on another page, else the best for the first judgement."""
        if self._table is None or not self._table.rows:
            return None
        human = self.request.judgements[0]
        requested = self._context.selection.measure
        if self._has_measure(requested):
            return requested, human
        rows = self._table.rows
        return next((row.label for row in rows if row.cells[0].is_best), rows[0].label), human

    @Slot(str, int)
    def _choose_cell(self, measure: str, column: int) -> None:
        humans = self.request.judgements
        if column >= len(humans) or not self._has_measure(measure):
            return  # from an outdated table
        if (measure, humans[column]) == self.cell:
            return
        is_other_judgement = self.cell is None or self.cell[1] != humans[column]
        self.cell = measure, humans[column]
        self._context.selection.select(measure=measure)
        self._show_side()
        if is_other_judgement:  # notice and footer are of one judgement; not while the view moves its cell
            self._turns.add(self._show_table)

    @Slot(str)
    def _choose_measure(self, measure: str) -> None:
        """Make a measure current that was chosen in a figure, even if the filter hides it."""
        if not self._view.choose_cell(measure, self._column()):
            self._choose_cell(measure, self._column())

    @Slot()
    def _show_side(self) -> None:
        self.side_panel.show(self._current_cell())

    def _current_cell(self) -> CurrentCell | None:
        if self._table is None or self.content is None or self.cell is None:
            return None
        if self.cell[1] not in self.content.humans:
            return None  # the table with its judgement is not computed yet
        measures = self._view.table.visible_measures()
        return CurrentCell(self.content, *self.cell, self._table, measures)

    @Slot()
    def _explain(self) -> None:
        """Display how the numbers are computed."""
        if self.content is not None:
            self._show_text(tr("How are these numbers computed?"), formula_text(self.content))

    def _estimate_required_sizes(self) -> None:
        """Estimate how many systems or topics are required to separate the current measure from the best."""
        cell = self._current_cell()
        pair = cell.rivals() if cell is not None else None
        if cell is None or pair is None:
            self._context.show_message(tr("At least two measures with a defined correlation are required."))
            return
        work = find_required_sizes(cell.data, cell.request, cell.human, pair)
        job = self._context.jobs.start(tr("Simulating studies"), work, JobQueue.DRAWING)
        job.finished.connect(self._show_required_sizes)

    @Slot(object)
    def _show_required_sizes(self, needed: RequiredSizes) -> None:
        self._show_text(tr("How many are needed?"), required_sizes_text(needed))

    def _displayed(self) -> Displayed | None:
        """Return what is displayed, for copying and saving."""
        return None if self.content is None else (self.content, self.cell)

    @Slot()
    def _resolve_empty_page(self) -> None:
        is_scored = self.data is not None and bool(self.data.comparison.refs)
        self._context.show_page("matches" if is_scored else "score")


def _remedy(content: TableContent) -> str:
    """Return the label of the button that addresses the first warning; empty = none does."""
    if content.data.is_common:
        return _ALL
    request, current = content.request, content.current_column
    eligible = content.eligibility(current)
    if not request.common_topics and any(one.status is Status.INCOMPLETE for one in eligible):
        return _COMMON
    is_few = max((row.n for row in content.columns[current].rows), default=SMALL_SAMPLE) < SMALL_SAMPLE
    return _NEEDED if is_few and request.level is not Level.GLOBAL else ""


@dataclass(frozen=True, slots=True)
class ScoreStatus:
    """Status of the scores.

    stale: by label of each measure whose inputs have changed since scoring which have, as a sentence.
    changed: the same, short.
    notes: sentences recorded by metrics during scoring.
    """

    stale: Mapping[str, str]
    changed: str
    notes: tuple[str, ...]


def find_stale(study: Study, device: str, *, with_made: bool = False) -> JobSteps[ScoreStatus]:
    """Compare the scores with the current texts to find stale ones."""
    yield Progress(0, 0, tr("comparing scores with the texts"))
    refs = measures(study, StudyResources(study, device), with_made=with_made)
    yield Progress(0, 0, tr("reading notes of metrics"))
    return ScoreStatus(stale_texts(study, refs), measures_text(study, refs), tuple(metric_notes(study, refs)))


Displayed = tuple[TableContent, tuple[str, str] | None]
"""The table, and the measure and the judgement of the current cell; None = no cell is current."""


class ExportController(QObject):
    """Copies, saves and adds to the report what is displayed.

    current: return what is displayed; None = nothing.
    """

    def __init__(
        self,
        view: CompareView,
        context: Context,
        ask_path: AskPath,
        side: SidePanelController,
        current: Callable[[], Displayed | None],
    ) -> None:
        super().__init__(view)
        self._view, self.side_panel, self._current, self._context = view, side, current, context
        self._files = ResultExporter(ask_path, context.show_message)
        self._report = AddToReport(context)
        view.table_panel.copy_requested.connect(self.copy_table)
        view.table_panel.save_button.clicked.connect(self.save_table)
        view.figure_panel.copy_requested.connect(self.copy_figure)
        view.figure_panel.save_button.clicked.connect(self.save_figure)
        view.table_panel.report_button.clicked.connect(self.add_table)
        view.figure_panel.report_button.clicked.connect(self.add_figure)

    @Slot(str)
    def copy_table(self, name: str) -> None:
        """Put the table on the clipboard in a format."""
        if (current := self._current()) is not None:
            self._files.copy(export_of(current[0]), name)

    @Slot()
    def save_table(self) -> None:
        """Ask where, and write the table."""
        if (current := self._current()) is not None:
            self._files.save(export_of(current[0]))

    @Slot(str)
    def copy_figure(self, what: str) -> None:
        """Put the figure on the clipboard, as a picture or its numbers in a format."""
        table = self.side_panel.numbers_behind()
        if what == "picture" and self.side_panel.content is not None:
            self._view.figure.copy()
        elif table is not None:
            self._files.copy(table, what if what != "picture" else "tsv")

    @Slot()
    def save_figure(self) -> None:
        """Ask where, and write the figure; a list goes as a table."""
        current, table = self._current(), self.side_panel.numbers_behind()
        if self.side_panel.content is not None and current is not None and current[1] is not None:
            name = "-".join((self.side_panel.kind.value, *current[1]))
            self._files.save_figure(f"{name}.svg", self._view.figure.save)
        elif table is not None:
            self._files.save(table, f"{self.side_panel.kind.value}.csv")

    @Slot()
    def add_table(self) -> None:
        """Put the table into the report."""
        if (current := self._current()) is not None:
            content, is_stale = current[0], bool(current[0].stale)
            command, words = self._command(content.request), formula_text(content)
            self._report.table(export_of(content), words, command, is_stale=is_stale)

    @Slot()
    def add_figure(self) -> None:
        """Put the figure into the report, at least as large as on screen; a list goes as a table."""
        side, (content, cell) = self.side_panel, self._current() or (None, None)
        if content is None or cell is None:
            return
        measures, policy = side.measures, formula_text(content)
        is_stale = bool(content.stale.keys() & measures if measures else content.stale)
        humans = (side.human or cell[1],)
        request = replace(content.request, judgements=humans, measures=tuple(measures), compare=None)
        if side.content is not None:
            head, inches = side.content.head, self._view.figure.inches()
            size = max(PAPER_SIZE[0], inches[0]), max(PAPER_SIZE[1], inches[1])
            policy = (f"{head.result}: {head.rest}" if head.rest else head.result, *policy)
            title, draw = f"{head.title} {head.fact}".strip(), side.content.draw
            command = self._command(request)
            self._report.figure(
                title, policy, command, lambda palette: draw(palette, size), is_stale=is_stale
            )
        elif (table := side.numbers_behind()) is not None:
            is_by_topic = side.kind is View.TOPICS
            command = self._command(request.with_only() if is_by_topic else request)
            command += " --per-topic" if is_by_topic else ""
            self._report.table(table, policy, command, is_stale=is_stale)

    def _command(self, request: CorrelateRequest) -> str:
        """Return the command that prints the same correlations."""
        path = command_argument(self._context.study.path)
        return shlex.join(["pyramidion", "correlate", path, *request.arguments()])
