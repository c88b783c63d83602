"""Presenter of the Compare page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.comparison.noise_ceiling import UpperBound
from core.ports import ChangeKind
from core.progress import JobSteps
from gui.background.job_cache import JobCache
from gui.background.jobs import JobQueue
from gui.pages.compare.correlations.choices import Choices
from gui.pages.compare.correlations.correlation_cache import CorrelationCache
from gui.pages.compare.correlations.inference import (
    Known,
    Method,
    Task,
    compute_agreement,
    find_inference,
    inference_tasks,
    inference_title,
)
from gui.pages.compare.correlations.queries import CorrelationColumn, CorrelationQuery
from gui.pages.compare.correlations.study_data import ComparisonData, ScoreStatus, find_stale, load_data
from gui.pages.compare.page.choice_controller import AskSystems, ChoiceController
from gui.pages.compare.page.explanations import ExplanationController, ShowText
from gui.pages.compare.page.export import ExportContent, ExportController
from gui.pages.compare.page.side_panel import OpenSummary, SidePanelController
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.table.current_cell import CurrentCell
from gui.pages.compare.table.table_content import TableContent, stale_text, table_of, unscored_text
from gui.pages.compare.table.texts import has_incomplete, is_small, warnings_of
from gui.pages.compare.values import MeasureTable, View
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context
from gui.session.devices import available_device
from gui.session.page_reader import PageReader

if TYPE_CHECKING:
    from gui.pages.compare.view import CompareView

PAGE = "compare"
_RELEVANT_CHANGES = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.SCORES,
        ChangeKind.RATINGS,
        ChangeKind.MATCHES,
        ChangeKind.PYRAMIDS,
        ChangeKind.PEOPLE,
        ChangeKind.EXPERIMENTS,
    }
)
"""Changes after which the data are read again; an experiment may add scores."""

_COMMON, _ALL, _NEEDED = "Compare on common topics", "Use all topics", "How many are needed?"
"""Labels of the notice's button."""


def build(context: Context) -> tuple[CompareView, ComparePresenter]:
    """Return the page and its presenter."""
    from gui.pages.compare.page.dialogs import ask_systems, show_text
    from gui.pages.compare.summary.summary_view import SummaryView
    from gui.pages.compare.view import CompareView
    from gui.widgets.file_dialogs import ask_where_to_save

    view = CompareView()

    def ask(question: str, suggested: str, kinds: Sequence[tuple[str, str]]) -> Path | None:
        return ask_where_to_save(view, question, suggested, kinds)

    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    presenter = ComparePresenter(
        view,
        context,
        ask,
        summaries.open,
        lambda choices, title: ask_systems(view, choices, title),
        lambda title, sentences: show_text(view, title, sentences),
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
        self._numbers: ComparisonData | None = None
        self._choosing = ChoiceController(
            view, context.selection, ask_systems, lambda: self._cell[1] if self._cell else ""
        )
        self._answers = CorrelationCache(context.jobs, self)
        self._inferences: JobCache[Task, Known] = JobCache(
            context.jobs, inference_title, JobQueue.DRAWING, self
        )
        self._agreements: JobCache[CorrelationQuery, UpperBound | None] = JobCache(
            context.jobs, lambda _: "Measuring agreement", JobQueue.DRAWING, self
        )
        self.side_panel = SidePanelController(view, context, open_summary)
        self.outputs = ExportController(view, context, ask_path, self.side_panel, self._current_content)
        self._stale: frozenset[str] = frozenset()
        self._notes: tuple[str, ...] = ()
        self._cell: tuple[str, str] | None = None
        self._content: TableContent | None = None
        self._table: MeasureTable | None = None
        self._explaining = ExplanationController(
            context, show_text, lambda: self._content, self._current_cell, self
        )
        self._reading = PageReader(
            view, context, "Reading scores", self._load, _RELEVANT_CHANGES, JobQueue.COMPARING
        )
        self._connect()
        self._connect_commands()

    def _connect(self) -> None:
        view = self._view
        view.table_panel.table.cell_chosen.connect(self._choose_cell)
        view.table_panel.filtered.connect(self._show_side)
        view.unmark_button.clicked.connect(lambda: self._context.selection.mark(()))
        view.table_panel.formula_button.clicked.connect(self._explaining.explain)
        view.notice.remedy_button.clicked.connect(self._apply_remedy)
        view.stale_notice.remedy_button.clicked.connect(lambda: self._context.show_page("score"))
        view.empty.primary.clicked.connect(self._resolve_empty_page)
        self._choosing.chosen.connect(self._ask)
        self._choosing.method_chosen.connect(self._infer)
        self._choosing.method_chosen.connect(self._show_inference)
        self._choosing.systems_chosen.connect(self._reading.read_again)
        self.side_panel.measure_chosen.connect(self._choose_measure)
        self._answers.answered.connect(self._show_answer)
        self._inferences.computed.connect(self._show_inference)
        self._agreements.computed.connect(self._show_inference)
        self._reading.read.connect(self._take_data)

    def _connect_commands(self) -> None:
        view, commands, outputs = self._view, self._context.commands, self.outputs
        commands.bind("edit.copy_table", lambda: outputs.copy_table("tsv"), PAGE)
        commands.bind("edit.find", view.focus_find, PAGE)
        commands.bind("compare.save_table", outputs.save_table, PAGE)
        commands.bind("compare.save_figure", outputs.save_figure, PAGE)
        commands.bind("compare.add_table", outputs.add_table, PAGE)
        commands.bind("compare.add_figure", outputs.add_figure, PAGE)
        commands.bind("compare.formula", self._explaining.explain, PAGE)
        commands.bind("compare.needed", self._explaining.estimate_required_sizes, PAGE)
        commands.bind("compare.larger", view.figure_panel.larger_button.click, PAGE)
        commands.bind("compare.unmark", lambda: self._context.selection.mark(()), PAGE)
        commands.bind("list.next", lambda: view.table.step(1), PAGE)
        commands.bind("list.previous", lambda: view.table.step(-1), PAGE)
        for kind in View:
            commands.bind(f"compare.{kind.value}", partial(self.side_panel.choose_view, kind), PAGE)

    @property
    def choices(self) -> Choices:
        """The current choices."""
        return self._choosing.choices

    @property
    def numbers(self) -> ComparisonData | None:
        """The scores and judgements of the study; None = not read yet."""
        return self._numbers

    @property
    def cell(self) -> tuple[str, str] | None:
        """The measure and the judgement of the current cell; None = no cell is current."""
        return self._cell

    @property
    def content(self) -> TableContent | None:
        """The content of the table; None = not computed yet."""
        return self._content

    @property
    def _method(self) -> Method:
        return self._choosing.method

    # Reading

    @Slot(object)
    def _take_data(self, numbers: ComparisonData) -> None:
        self._numbers = numbers
        self._answers.start_over(numbers)
        self._answers.warm_up()
        self._inferences.clear()
        self._agreements.clear()
        self.side_panel.forget()
        self._choosing.fit(numbers)
        if not numbers.comparison.refs:
            self._view.show_empty(unscored_text(self.choices.systems), "Go to Score")
        elif not numbers.judgements:
            self._view.show_empty(
                "There is no human judgement yet. Match summaries with a pyramid and mark them done, "
                "or import ratings.",
                "Go to Matches",
            )
        else:
            self._ask()
            self._look_for_stale()

    def _load(self) -> JobSteps[ComparisonData]:
        choices = self.choices
        return load_data(self._context.study, choices.systems, with_made=choices.with_made)

    def _look_for_stale(self) -> None:
        """Compare the scores with the current texts to find stale ones."""
        device = available_device(self._context.settings.now.device)
        work = find_stale(self._context.study, device, with_made=self.choices.with_made)
        job = self._context.jobs.start("Checking for stale scores", work, JobQueue.READING)
        job.finished.connect(self._take_status)

    @Slot(object)
    def _take_status(self, status: ScoreStatus) -> None:
        if status != ScoreStatus(self._stale, self._notes):
            self._stale, self._notes = status.stale, status.notes
            self._view.show_stale(stale_text(status.stale))
            self._show_table()

    # Answers

    @Slot()
    def _ask(self) -> None:
        """Request the correlations of the current choices, from the cache or by a job."""
        if self._numbers is None or not self.choices.humans or not self._numbers.comparison.refs:
            return
        self._inferences.pause()
        self._agreements.pause()
        self._answers.ask(self.choices.questions(), self._view.table.measures_in_sight())
        self._show_answer()

    def _answered(self) -> list[CorrelationColumn] | None:
        """Return the columns of the current choices; None = not all are computed."""
        if self._numbers is None or not self.choices.humans:
            return None
        answers = [self._answers.find(question) for question in self.choices.questions()]
        known = [answer for answer in answers if answer is not None]
        return known if len(known) == len(answers) else None

    @Slot()
    def _show_answer(self) -> None:
        answers = self._answered()
        if answers is None or self._numbers is None:
            return
        if self._content is not None and list(self._content.answers) == answers:
            return  # columns computed ahead change nothing on screen
        is_whole = not any(answer.coming for answer in answers)
        if self._cell is None and not is_whole:
            return  # the best measure, which becomes current first, is not known yet
        self._show_table()
        self._restore_cell()
        self._show_side()
        if is_whole:
            self._answers.look_ahead(self.choices.likely(tuple(self._numbers.judgements)))
            self._infer()

    @Slot()
    def _infer(self) -> None:
        """Compute intervals and tests of the table, those of the current judgement first."""
        if self._content is not None:
            answers, numbers, column = list(self._content.answers), self._content.numbers, self._column()
            ordered = [*answers[column:], *answers[:column]]
            questions = [answer.question for answer in ordered]
            study = self._context.study
            self._agreements.ask({one: compute_agreement(study, numbers, one) for one in questions})
            self._inferences.ask(inference_tasks(numbers, ordered, self._method))

    @Slot()
    def _show_inference(self) -> None:
        self._show_table()
        if (cell := self._current_cell()) is not None:
            self.side_panel.refresh(cell)

    def _show_table(self) -> None:
        answers = self._answered()
        if answers is None:
            return
        numbers = self._answers.numbers(self.choices.scope)
        column = self._column()
        self._content = TableContent(
            numbers,
            answers,
            [find_inference(self._inferences, answer, self._method) for answer in answers],
            self._stale,
            column,
            method=self._method.text_for(self.choices.level, self.choices.coefficient),
            adjusted=self._method.adjustment_label,
            variants=self._method.variants,
            options=self._method.options(self.choices.level, self.choices.coefficient),
            warnings=(*warnings_of(numbers, answers[column]), *self._notes),
            remedy=self._remedy(numbers, answers[column]),
            agreements=[self._agreements.get(answer.question) for answer in answers],
        )
        self._table = table_of(self._content)
        self._view.show_table(self._table)

    @staticmethod
    def _remedy(numbers: ComparisonData, answer: CorrelationColumn) -> str:
        if numbers.is_common:
            return _ALL
        if has_incomplete(numbers, answer):
            return _COMMON
        return _NEEDED if is_small(answer) else ""

    @Slot()
    def _apply_remedy(self) -> None:
        """Apply the remedy that the notice offers."""
        remedy = self._content.remedy if self._content is not None else ""
        if remedy in (_COMMON, _ALL):
            self._choosing.use_common_topics(remedy == _COMMON)
        else:
            self._explaining.estimate_required_sizes()

    # Cell

    def _column(self) -> int:
        """Return the column of the current judgement."""
        humans = self.choices.humans
        return humans.index(self._cell[1]) if self._cell is not None and self._cell[1] in humans else 0

    def _restore_cell(self) -> None:
        """Keep the current cell if it still exists, else choose one."""
        cell = self._cell
        if cell is None or cell[1] not in self.choices.humans or not self._has_measure(cell[0]):
            self._cell = self._first_cell()
        if self._cell is not None:
            self._view.choose_cell(self._cell[0], self._column())

    def _has_measure(self, label: str) -> bool:
        return self._numbers is not None and self._numbers.ref(label) is not None

    def _first_cell(self) -> tuple[str, str] | None:
        """Return the measure selected on another page, else the best for the first judgement."""
        if self._table is None or not self._table.rows:
            return None
        human = self.choices.humans[0]
        requested = self._context.selection.measure
        if self._has_measure(requested):
            return requested, human
        rows = self._table.rows
        return next((row.label for row in rows if row.cells[0].is_best), rows[0].label), human

    @Slot(str, int)
    def _choose_cell(self, measure: str, column: int) -> None:
        humans = self.choices.humans
        if column >= len(humans) or not self._has_measure(measure):
            return  # from an outdated table
        if (measure, humans[column]) == self._cell:
            return
        self._cell = measure, humans[column]
        self._context.selection.select(measure=measure)
        self._show_side()

    @Slot(str)
    def _choose_measure(self, measure: str) -> None:
        """Make a measure current that was chosen in a figure, even if the filter hides it."""
        if not self._view.choose_cell(measure, self._column()):
            self._choose_cell(measure, self._column())

    @Slot()
    def _show_side(self) -> None:
        self.side_panel.show(self._current_cell())

    def _current_cell(self) -> CurrentCell | None:
        if self._table is None or self._content is None or self._cell is None:
            return None
        if self._cell[1] not in self._content.humans:
            return None  # the table with its judgement is not computed yet
        measures = self._view.table.visible_measures()
        return CurrentCell(self._content, *self._cell, self._table, measures, self._method)

    def _current_content(self) -> ExportContent | None:
        """Return what is displayed, for copying and saving."""
        return (
            None
            if self._content is None
            else ExportContent(self._content, self._cell, self.choices, self._method)
        )

    @Slot()
    def _resolve_empty_page(self) -> None:
        is_scored = self._numbers is not None and bool(self._numbers.comparison.refs)
        self._context.show_page("matches" if is_scored else "score")
