"""What the Compare page does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.comparing import Adjustment, DifferenceTest, IntervalKind
from core.comparison import Systems
from core.ports import Changes, Kind
from core.report.tables import Table
from core.stats.correlation import Coefficient, Level, Undefined
from gui.context import Context
from gui.jobs import Job, Lane
from gui.presenters.compare_answers import Answers
from gui.presenters.compare_choices import Choices, suggested
from gui.presenters.compare_files import AskPath, CompareFiles
from gui.presenters.compare_inference import Inferences, Method, test_words
from gui.presenters.compare_numbers import (
    Condition,
    Numbers,
    Scope,
    finding_stale,
    kept_judgements,
    loading,
)
from gui.presenters.compare_power import Needed, finding_needed, needed_words
from gui.presenters.compare_questions import Answer
from gui.presenters.compare_report import CompareReport
from gui.presenters.compare_sheets import Sheet, export_of, stale_words, table_of, unscored_words
from gui.presenters.compare_side import CompareSide, InHand, OpenSummary
from gui.presenters.compare_words import formula_words, is_small, left_out_words, warnings_of
from gui.presenters.score_survey import first_device
from gui.presenters.summary import SummaryPresenter
from gui.values.compare import MeasureTable, SystemChoice, View
from gui.values.score import Choice

if TYPE_CHECKING:
    from gui.views.compare import CompareView

PAGE = "compare"

_CONCERNED = frozenset({Kind.TEXTS, Kind.SCORES, Kind.RATINGS, Kind.MATCHES, Kind.PYRAMIDS, Kind.PEOPLE})
AskSystems = Callable[[Sequence[SystemChoice], str], Sequence[str] | None]
"""Which systems take part: the systems, the judgement that their means are of; None = as it was."""

Say = Callable[[str, Sequence[str]], None]
"""Says sentences below a title."""


def build(context: Context) -> tuple[CompareView, ComparePresenter]:
    """The page and what works it."""
    from gui.views.compare import CompareView
    from gui.views.compare_dialogs import ask_systems, say
    from gui.views.files import ask_where_to_save
    from gui.views.summary import SummaryView

    view = CompareView()

    def ask(question: str, suggested: str, kinds: Sequence[tuple[str, str]]) -> Path | None:
        return ask_where_to_save(view, question, suggested, kinds)

    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    return view, ComparePresenter(
        view,
        context,
        ask,
        summaries.open,
        lambda choices, title: ask_systems(view, choices, title),
        lambda title, sentences: say(view, title, sentences),
    )


class ComparePresenter(QObject):
    """Reads the numbers once, answers every change of a choice from memory.

    ask_path: where to save, None = nowhere. open_summary: shows the summary of a topic's id by a system, and
    why a measure gives it what it gives.
    """

    def __init__(
        self,
        view: CompareView,
        context: Context,
        ask_path: AskPath,
        open_summary: OpenSummary,
        ask_systems: AskSystems,
        say: Say,
    ) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._files = CompareFiles(ask_path, context.tell)
        self._report = CompareReport(context)
        self._ask_systems, self._say = ask_systems, say
        self._numbers: Numbers | None = None
        self._choices = Choices()
        self._answers = Answers(context.jobs, self)
        self._inferences = Inferences(context.jobs, self)
        self._method = Method()
        self._side = CompareSide(view, context, open_summary)
        self._stale: frozenset[str] = frozenset()
        self._notes: tuple[str, ...] = ()
        self._cell: tuple[str, str] | None = None
        self._sheet: Sheet | None = None
        self._table: MeasureTable | None = None
        self._loading: Job | None = None
        self._is_outdated = True
        self._connect()
        self._connect_commands()

    def _connect(self) -> None:
        view = self._view
        view.shown.connect(self._catch_up)
        view.level_chosen.connect(lambda key: self._choose(level=Level(key)))
        view.coefficient_chosen.connect(lambda key: self._choose(coefficient=Coefficient(key)))
        view.judgements_chosen.connect(lambda humans: self._choose(humans=tuple(humans)))
        view.topics_chosen.connect(lambda name: self._rescope(replace(self._choices.scope, topics=name)))
        view.systems_chosen.connect(self._choose_systems)
        view.option_chosen.connect(self._choose_option)
        view.cell_chosen.connect(self._choose_cell)
        view.filtered.connect(self._show_side)
        view.only_marked_requested.connect(lambda: self._keep_marked(True))
        view.without_marked_requested.connect(lambda: self._keep_marked(False))
        view.unmark_requested.connect(lambda: self._context.selection.mark(()))
        view.copy_table_requested.connect(self.copy_table)
        view.save_table_requested.connect(self.save_table)
        view.copy_figure_requested.connect(self.copy_figure)
        view.save_figure_requested.connect(self.save_figure)
        view.add_table_requested.connect(self.add_table)
        view.add_figure_requested.connect(self.add_figure)
        view.formula_requested.connect(self.explain)
        view.remedy_requested.connect(self.ask_how_many)
        view.stale_remedy_requested.connect(lambda: self._context.show_page("score"))
        view.scope_remedy_requested.connect(self._bring_back)
        view.empty_remedy_requested.connect(self._mend_emptiness)
        self._side.measure_chosen.connect(self._choose_measure)
        self._answers.answered.connect(self._show_answer)
        self._inferences.inferred.connect(self._show_inference)
        self._context.changes.changed.connect(self._heed)

    def _connect_commands(self) -> None:
        view, commands = self._view, self._context.commands
        commands.on("edit.copy_table", lambda: self.copy_table("tsv"), PAGE)
        commands.on("edit.find", view.focus_find, PAGE)
        commands.on("compare.save_table", self.save_table, PAGE)
        commands.on("compare.save_figure", self.save_figure, PAGE)
        commands.on("compare.add_table", self.add_table, PAGE)
        commands.on("compare.add_figure", self.add_figure, PAGE)
        commands.on("compare.formula", self.explain, PAGE)
        commands.on("compare.needed", self.ask_how_many, PAGE)
        commands.on("compare.larger", view.figure_panel.larger_button.click, PAGE)
        commands.on("compare.unmark", lambda: self._context.selection.mark(()), PAGE)
        commands.on("list.next", lambda: view.table.step(1), PAGE)
        commands.on("list.previous", lambda: view.table.step(-1), PAGE)
        for kind in View:
            commands.on(f"compare.{kind.value}", partial(self._side.choose_view, kind), PAGE)

    # Reading

    @Slot()
    def _catch_up(self) -> None:
        """Read the numbers anew if they changed while the page was not in front."""
        if self._is_outdated and self._loading is None:
            self._is_outdated = False
            work = loading(self._context.study, self._choices.systems)
            self._loading = self._context.jobs.start("Reading scores", work, Lane.COMPARING)
            self._loading.finished.connect(self._take_numbers)
            self._loading.ended.connect(self._end_loading)

    @Slot(object)
    def _heed(self, changes: Changes) -> None:
        if changes.kinds & _CONCERNED or changes.elsewhere:
            self._is_outdated = True
            if self._view.isVisible():
                self._catch_up()

    @Slot()
    def _end_loading(self) -> None:
        self._loading = None
        if self._view.isVisible():
            self._catch_up()

    @Slot(object)
    def _take_numbers(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._answers.start_over(numbers)
        self._answers.get_ready()
        self._inferences.start_over()
        self._side.forget()
        known = tuple(numbers.judgements)
        scope = self._choices.scope
        if scope.topics not in numbers.topic_sets():
            scope = replace(scope, topics="")
        humans = kept_judgements(self._choices.humans, known) or suggested(known)
        self._choices = replace(self._choices, humans=humans, scope=scope)
        choices = [Choice(name, ref.title) for name, ref in numbers.judgements.items()]
        self._view.show_judgements(choices, humans)
        self._view.show_topic_sets(numbers.topic_sets(), scope.topics)
        self._show_scope()
        if not numbers.comparison.refs:
            self._view.show_empty(unscored_words(self._choices.systems), "Go to Score")
        elif not known:
            self._view.show_empty(
                "There is no human judgement yet. Match summaries with a pyramid and mark them done, "
                "or import ratings.",
                "Go to Matches",
            )
        else:
            self._ask()
            self._look_for_stale()

    def _look_for_stale(self) -> None:
        work = finding_stale(self._context.study, first_device(self._context.settings.now.device))
        job = self._context.jobs.start("Looking for stale scores", work, Lane.READING)
        job.finished.connect(self._take_condition)

    @Slot(object)
    def _take_condition(self, found: Condition) -> None:
        if found != Condition(self._stale, self._notes):
            self._stale, self._notes = found.stale, found.notes
            self._view.show_stale(stale_words(found.stale))
            self._show_table()

    # Choices

    def _choose(self, **changed: object) -> None:
        self._choices = replace(self._choices, **changed)  # type: ignore[arg-type]
        self._ask()

    @Slot(str, str)
    def _choose_option(self, key: str, value: str) -> None:
        match key:
            case "undefined":
                self._choose(undefined=Undefined(value))
                return
            case "interval":
                self._method = replace(self._method, interval=IntervalKind(value))
            case "test":
                self._method = replace(self._method, test=None if value == "none" else DifferenceTest(value))
            case "adjust":
                self._method = replace(self._method, adjustment=Adjustment(value))
        self._infer()
        self._show_inference()

    @Slot(str)
    def _choose_systems(self, systems: str) -> None:
        if systems not in set(Systems):
            self._choose_single_systems()
            return
        self._choices = replace(self._choices, systems=Systems(systems))
        self._show_scope()
        self._is_outdated = True
        self._catch_up()

    def _choose_single_systems(self) -> None:
        """Ask which systems take part."""
        if self._numbers is None or not self._choices.humans:
            return
        human = self._cell[1] if self._cell else self._choices.humans[0]
        judged = self._numbers.comparison.judgements[human]
        means = dict(zip(judged.systems, judged.system_means().tolist(), strict=True))
        names = self._numbers.system_names()
        without = self._choices.scope.without
        found = [SystemChoice(name, means.get(name, float("nan")), name not in without) for name in names]
        chosen = self._ask_systems(found, self._numbers.judgements[human].title)
        if chosen is not None:
            self._leave_out(set(names) - set(chosen))

    def _keep_marked(self, are_kept: bool) -> None:
        """Let only the marked systems take part, or all but them."""
        marked = {system for system, _ in self._context.selection.marks}
        if self._numbers is not None and marked:
            names = set(self._numbers.system_names()) - self._choices.scope.without
            gone = names - marked if are_kept else names & marked
            self._context.selection.mark(())
            self._leave_out(gone | self._choices.scope.without)

    def _leave_out(self, systems: set[str]) -> None:
        self._rescope(replace(self._choices.scope, without=frozenset(systems)))

    @Slot()
    def _bring_back(self) -> None:
        self._leave_out(set())

    def _rescope(self, scope: Scope) -> None:
        self._choices = replace(self._choices, scope=scope)
        self._show_scope()
        self._ask()

    def _show_scope(self) -> None:
        count = len(self._numbers.system_names()) if self._numbers is not None else 0
        words = left_out_words(self._choices.scope.without, count)
        self._view.show_systems(self._choices.systems.value, words)

    # Answers

    def _ask(self) -> None:
        """Answer what is chosen now: from what is known, else by a job."""
        if self._numbers is None or not self._choices.humans or not self._numbers.comparison.refs:
            return
        self._inferences.pause()
        self._answers.ask(self._choices.questions(), self._view.table.measures_in_sight())
        self._show_answer()

    def _found(self) -> list[Answer] | None:
        """The answers to what is chosen now, None = not all are there."""
        if self._numbers is None or not self._choices.humans:
            return None
        found = [self._answers.find(question) for question in self._choices.questions()]
        known = [answer for answer in found if answer is not None]
        return known if len(known) == len(found) else None

    @Slot()
    def _show_answer(self) -> None:
        answers = self._found()
        if answers is None or self._numbers is None:
            return
        if self._sheet is not None and list(self._sheet.answers) == answers:
            return  # what was looked up ahead changes nothing in sight
        self._show_table()
        self._keep_cell()
        self._show_side()
        if not any(answer.coming for answer in answers):
            self._answers.look_ahead(self._choices.likely(tuple(self._numbers.judgements)))
            self._infer()

    def _infer(self) -> None:
        """Find intervals and tests of what is shown, those of the judgement in hand first."""
        if self._sheet is not None:
            answers = list(self._sheet.answers)
            column = self._column()
            self._inferences.ask(self._sheet.numbers, [*answers[column:], *answers[:column]], self._method)

    @Slot()
    def _show_inference(self) -> None:
        self._show_table()
        if (in_hand := self._in_hand()) is not None:
            self._side.refresh(in_hand)

    def _show_table(self) -> None:
        answers = self._found()
        if answers is None:
            return
        numbers = self._answers.numbers(self._choices.scope)
        column = self._column()
        self._sheet = Sheet(
            numbers,
            answers,
            [self._inferences.find(answer, self._method) for answer in answers],
            self._stale,
            column,
            method=self._method_words(),
            adjusted=self._method.adjusted_words,
            warnings=(*warnings_of(numbers, answers[column]), *self._notes),
            remedy="How many are needed?" if is_small(answers[column]) else "",
        )
        self._table = table_of(self._sheet)
        self._view.show_table(self._table)

    def _method_words(self) -> str:
        test = test_words(self._method.test_for(self._choices.coefficient))
        return " · ".join(words for words in (self._method.interval_words, test) if words)

    # Cell

    def _column(self) -> int:
        """The place of the judgement in hand among the columns."""
        humans = self._choices.humans
        return humans.index(self._cell[1]) if self._cell is not None and self._cell[1] in humans else 0

    def _keep_cell(self) -> None:
        """Keep the current cell if it is still there, else choose one."""
        cell = self._cell
        if cell is None or cell[1] not in self._choices.humans or not self._has_measure(cell[0]):
            self._cell = self._first_cell()
        if self._cell is not None:
            self._view.choose_cell(self._cell[0], self._column())

    def _has_measure(self, label: str) -> bool:
        return self._numbers is not None and self._numbers.ref(label) is not None

    def _first_cell(self) -> tuple[str, str] | None:
        """The measure selected elsewhere, else the best by the first judgement."""
        if self._table is None or not self._table.rows:
            return None
        human = self._choices.humans[0]
        wanted = self._context.selection.measure
        if self._has_measure(wanted):
            return wanted, human
        rows = self._table.rows
        return next((row.label for row in rows if row.cells[0].is_best), rows[0].label), human

    @Slot(str, int)
    def _choose_cell(self, measure: str, column: int) -> None:
        humans = self._choices.humans
        if column >= len(humans) or not self._has_measure(measure):
            return  # of a table that goes: other numbers are here
        if (measure, humans[column]) == self._cell:
            return
        self._cell = measure, humans[column]
        self._context.selection.select(measure=measure)
        self._show_side()

    @Slot(str)
    def _choose_measure(self, measure: str) -> None:
        """Make a measure current that was chosen in a figure, whatever the table is narrowed to."""
        if not self._view.choose_cell(measure, self._column()):
            self._choose_cell(measure, self._column())

    @Slot()
    def _show_side(self) -> None:
        self._side.show(self._in_hand())

    def _in_hand(self) -> InHand | None:
        if self._table is None or self._sheet is None or self._cell is None:
            return None
        if self._cell[1] not in self._sheet.humans:
            return None  # the table with its judgement is on the way
        shown = self._view.table.shown_measures()
        return InHand(self._sheet, *self._cell, self._table, shown, self._method)

    # Words

    @Slot()
    def explain(self) -> None:
        """Say how the numbers in sight came about."""
        if self._sheet is not None:
            self._say("How did these numbers come about?", formula_words(self._sheet))

    @Slot()
    def ask_how_many(self) -> None:
        """Find out how many systems or topics would tell the measure in hand from the best."""
        pair = self._rivals()
        if self._sheet is None or pair is None:
            self._context.tell("There must be two measures with a correlation to be told apart.")
            return
        question = self._sheet.answers[self._column()].question
        work = finding_needed(self._sheet.numbers, question, pair)
        job = self._context.jobs.start("Simulating studies", work, Lane.DRAWING)
        job.finished.connect(self._say_needed)

    @Slot(object)
    def _say_needed(self, needed: Needed) -> None:
        self._say("How many are needed?", needed_words(needed))

    def _rivals(self) -> tuple[str, str] | None:
        """The best measure of the judgement in hand, and the one in hand or else the next best."""
        in_hand = self._in_hand()
        if in_hand is None:
            return None
        labels = [row.label for row in in_hand.table.rows]
        ranked = [label for label in in_hand.by_strength(labels) if in_hand.is_defined(label)]
        if len(ranked) < 2:
            return None
        is_rival = in_hand.measure in ranked[1:]
        return ranked[0], in_hand.measure if is_rival else ranked[1]

    # Files

    @Slot(str)
    def copy_table(self, name: str) -> None:
        """Put the table on the clipboard in a format."""
        if self._sheet is not None:
            self._files.copy(export_of(self._sheet), name)

    @Slot()
    def save_table(self) -> None:
        """Ask where, and write the table."""
        if self._sheet is not None:
            self._files.save(export_of(self._sheet))

    @Slot(str)
    def copy_figure(self, what: str) -> None:
        """Put the figure on the clipboard, as a picture or its numbers in a format."""
        table = self._side.numbers_behind()
        if what == "picture" and self._side.sheet is not None:
            self._view.figure.copy()
        elif table is not None:
            self._files.copy(table, what if what != "picture" else "tsv")

    @Slot()
    def save_figure(self) -> None:
        """Ask where, and write the figure; a list goes as a table."""
        table: Table | None = self._side.numbers_behind()
        if self._side.sheet is not None and self._cell is not None:
            name = "-".join((self._side.kind.value, *self._cell))
            self._files.save_figure(f"{name}.svg", self._view.figure.save)
        elif table is not None:
            self._files.save(table, "disagreement.csv")

    @Slot()
    def add_table(self) -> None:
        """Put the table into the report."""
        if self._sheet is not None:
            self._report.add_table(self._sheet, self._choices, self._method)

    @Slot()
    def add_figure(self) -> None:
        """Put the figure into the report; a list goes as a table."""
        if self._sheet is None or self._cell is None:
            return
        asked, side = (self._sheet, self._choices, self._method), self._side
        if side.sheet is not None:
            self._report.add_figure(*asked, side.sheet, self._cell, side.kind, self._view.figure.inches())
        elif (table := side.numbers_behind()) is not None:
            self._report.add_list(*asked, table, self._cell)

    @Slot()
    def _mend_emptiness(self) -> None:
        is_scored = self._numbers is not None and bool(self._numbers.comparison.refs)
        self._context.show_page("matches" if is_scored else "score")
