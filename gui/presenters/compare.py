"""What the Compare page does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.comparison import ScatterPoints, Systems
from core.ports import Changes, Kind
from core.report.palette import Palette
from core.stats.correlation import CLASSIC, Coefficient, Level
from gui.context import Context
from gui.jobs import Job, Lane
from gui.presenters.compare_files import AskPath, CompareFiles
from gui.presenters.compare_numbers import (
    Answer,
    Numbers,
    Question,
    answering,
    answering_all,
    finding_stale,
    kept_judgements,
    loading,
)
from gui.presenters.compare_sheets import (
    export_of,
    head_of,
    stale_words,
    subject_of,
    table_of,
    unscored_words,
)
from gui.presenters.score_survey import first_device
from gui.presenters.summary import SummaryPresenter
from gui.values.compare import Dots
from gui.values.score import Choice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gui.views.compare import CompareView

PAGE = "compare"
MOST_COLUMNS = 4
"""Judgements shown unasked; the others can be chosen."""

_CONCERNED = frozenset({Kind.TEXTS, Kind.SCORES, Kind.RATINGS, Kind.MATCHES, Kind.PYRAMIDS, Kind.PEOPLE})
OpenSummary = Callable[[Numbers, str, str, str], None]


def build(context: Context) -> tuple[CompareView, ComparePresenter]:
    """The page and what works it."""
    from gui.views.compare import CompareView
    from gui.views.files import ask_where_to_save
    from gui.views.summary import SummaryView

    view = CompareView()

    def ask(question: str, suggested: str, kinds: Sequence[tuple[str, str]]) -> Path | None:
        return ask_where_to_save(view, question, suggested, kinds)

    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    return view, ComparePresenter(view, context, ask, summaries.open)


class ComparePresenter(QObject):
    """Reads the numbers once, answers every change of a choice from memory.

    ask_path: where to save, None = nowhere. open_summary: shows the summary of a topic's id by a system, and
    why a measure gives it what it gives.
    """

    def __init__(
        self, view: CompareView, context: Context, ask_path: AskPath, open_summary: OpenSummary
    ) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._files, self._open_summary = CompareFiles(ask_path, context.tell), open_summary
        self._numbers: Numbers | None = None
        self._answers: dict[Question, Answer] = {}
        self._question: Question | None = None
        self._systems = Systems.AUTOMATIC
        self._level, self._coefficient = Level.SYSTEM, Coefficient.PEARSON
        self._humans: tuple[str, ...] = ()
        self._stale: frozenset[str] = frozenset()
        self._cell: tuple[str, str] | None = None
        self._points: ScatterPoints | None = None
        self._dot: int | None = None
        self._loading: Job | None = None
        self._ahead: Job | None = None
        self._is_outdated = True
        self._connect()

    def _connect(self) -> None:
        view, commands, selection = self._view, self._context.commands, self._context.selection
        view.shown.connect(self._catch_up)
        view.level_chosen.connect(self._choose_level)
        view.coefficient_chosen.connect(self._choose_coefficient)
        view.systems_chosen.connect(self._choose_systems)
        view.judgements_chosen.connect(self._choose_judgements)
        view.cell_chosen.connect(self._choose_cell)
        view.dot_chosen.connect(self._choose_dot)
        view.dot_opened.connect(self._open_dot)
        view.topic_opened.connect(self._open_topic)
        view.texts_requested.connect(self._open_texts)
        view.copy_table_requested.connect(self.copy_table)
        view.save_table_requested.connect(self.save_table)
        view.copy_figure_requested.connect(view.figure.copy)
        view.save_figure_requested.connect(self.save_figure)
        view.stale_remedy_requested.connect(lambda: self._context.show_page("score"))
        view.empty_remedy_requested.connect(self._mend_emptiness)
        selection.system_changed.connect(self._follow_system)
        commands.on("edit.copy_table", lambda: self.copy_table("tsv"), PAGE)
        commands.on("edit.find", view.focus_find, PAGE)
        commands.on("compare.save_table", self.save_table, PAGE)
        commands.on("compare.save_figure", self.save_figure, PAGE)
        commands.on("list.next", lambda: view.table.step(1), PAGE)
        commands.on("list.previous", lambda: view.table.step(-1), PAGE)
        self._context.changes.changed.connect(self._heed)

    # Reading

    @Slot()
    def _catch_up(self) -> None:
        """Read the numbers anew if they changed while the page was not in front."""
        if self._is_outdated and self._loading is None:
            self._is_outdated = False
            work = loading(self._context.study, self._systems)
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
        self._answers.clear()
        self._question = None
        known = tuple(numbers.judgements)
        self._humans = kept_judgements(self._humans, known) or suggested(known)
        choices = [Choice(name, ref.title) for name, ref in numbers.judgements.items()]
        self._view.show_judgements(choices, self._humans)
        if not numbers.comparison.refs:
            self._view.show_empty(unscored_words(self._systems), "Go to Score")
            return
        if not known:
            self._view.show_empty(
                "There is no human judgement yet. Match summaries with a pyramid and mark them done, "
                "or import ratings.",
                "Go to Matches",
            )
            return
        self._ask()
        self._look_for_stale()

    def _look_for_stale(self) -> None:
        work = finding_stale(self._context.study, first_device(self._context.settings.now.device))
        job = self._context.jobs.start("Looking for stale scores", work, Lane.READING)
        job.finished.connect(self._take_stale)

    @Slot(object)
    def _take_stale(self, stale: frozenset[str]) -> None:
        if stale != self._stale:
            self._stale = stale
            self._view.show_stale(stale_words(stale))
            self._show_table()

    # Choices

    @Slot(str)
    def _choose_level(self, level: str) -> None:
        self._level = Level(level)
        self._ask()

    @Slot(str)
    def _choose_coefficient(self, coefficient: str) -> None:
        self._coefficient = Coefficient(coefficient)
        self._ask()

    @Slot(object)
    def _choose_judgements(self, humans: Sequence[str]) -> None:
        self._humans = tuple(humans)
        self._ask()

    @Slot(str)
    def _choose_systems(self, systems: str) -> None:
        self._systems = Systems(systems)
        self._is_outdated = True
        self._catch_up()

    def _ask(self) -> None:
        """Answer what is chosen now: from what is known, else by a job."""
        if self._numbers is None or not self._humans or not self._numbers.comparison.refs:
            return
        self._question = Question(self._level, self._coefficient, self._humans)
        if self._question in self._answers:
            self._show_answer()
            return
        if self._ahead is not None:
            self._ahead.cancel()
        work = answering(self._numbers, self._question)
        job = self._context.jobs.start("Comparing", work, Lane.COMPARING)
        job.finished.connect(self._take_answer)

    @Slot(object)
    def _take_answer(self, answer: Answer) -> None:
        if answer.numbers is not self._numbers:
            return
        self._answers[answer.question] = answer
        if answer.question == self._question:
            self._show_answer()
            self._look_ahead()

    def _look_ahead(self) -> None:
        """Answer the other levels and coefficients while nobody asks."""
        every = (Question(level, coefficient, self._humans) for level in Level for coefficient in CLASSIC)
        unknown = [question for question in every if question not in self._answers]
        if self._numbers is None or self._ahead is not None or not unknown:
            return
        work = answering_all(self._numbers, unknown)
        self._ahead = self._context.jobs.start("Comparing", work, Lane.COMPARING)
        self._ahead.finished.connect(self._take_more)
        self._ahead.ended.connect(self._end_ahead)

    @Slot(object)
    def _take_more(self, answers: Sequence[Answer]) -> None:
        self._answers |= {a.question: a for a in answers if a.numbers is self._numbers}

    @Slot()
    def _end_ahead(self) -> None:
        self._ahead = None

    @property
    def _answer(self) -> Answer | None:
        return self._answers.get(self._question) if self._question is not None else None

    # Table

    def _show_answer(self) -> None:
        self._show_table()
        cell = self._cell
        if cell is None or cell[1] not in self._humans or not self._has_measure(cell[0]):
            self._cell = self._first_cell()
        if self._cell is not None:
            measure, human = self._cell
            self._view.choose_cell(measure, self._humans.index(human))
        self._show_figure()

    def _show_table(self) -> None:
        if self._answer is not None:
            self._view.show_table(table_of(self._answer, self._stale))

    def _has_measure(self, label: str) -> bool:
        return self._numbers is not None and any(r.label == label for r in self._numbers.comparison.refs)

    def _first_cell(self) -> tuple[str, str] | None:
        """The measure selected elsewhere, else the best by the first judgement."""
        if self._answer is None:
            return None
        human = self._humans[0]
        wanted = self._context.selection.measure
        if self._has_measure(wanted):
            return wanted, human
        table = table_of(self._answer, ())
        best = next((row.label for row in table.rows if row.cells[0].is_best), table.rows[0].label)
        return best, human

    @Slot(str, int)
    def _choose_cell(self, measure: str, column: int) -> None:
        if column >= len(self._humans) or not self._has_measure(measure):
            return  # of a table that goes: other numbers are here
        if (measure, self._humans[column]) == self._cell:
            return
        self._cell = (measure, self._humans[column])
        self._context.selection.select(measure=measure)
        self._show_figure()

    # Figure

    def _show_figure(self) -> None:
        if self._numbers is None or self._cell is None:
            self._view.show_no_figure()
            return
        measure, human = self._cell
        points = self._numbers.comparison.points(measure, human, self._level, self._coefficient)
        if self._points is None or points.names != self._points.names:
            self._dot = self._dot_of(points, self._context.selection.system)
            if self._dot is None and self._level is Level.SYSTEM and points.names:
                self._dot = int(points.y.argmax())
        self._points = points
        self._draw()

    def _draw(self) -> None:
        numbers, points = self._numbers, self._points
        if numbers is None or points is None:
            return
        title, dot = numbers.judgements[points.human].title, self._dot

        def draw(palette: Palette, size: tuple[float, float]) -> Figure:
            from core.report.figures import scatter

            return scatter(points, palette, size, selected=dot, human_title=title)

        dots = Dots(points.names, points.x, points.y)
        self._view.show_figure(head_of(numbers, points), dots, dot, draw)
        system = points.systems[dot] if dot is not None else ""
        topic = numbers.topics.get(points.topics[dot]) if dot is not None else None
        subject = subject_of(numbers, points, system) if system else None
        self._view.show_subject(subject, topic.id if topic is not None else "")

    @Slot(int)
    def _choose_dot(self, dot: int) -> None:
        if self._points is None or self._numbers is None or dot == self._dot:
            return
        self._dot = dot
        system, topic = self._points.systems[dot], self._numbers.topics.get(self._points.topics[dot])
        self._context.selection.select(system=system, topic_id=topic.id if topic is not None else None)
        self._draw()

    @Slot(str)
    def _follow_system(self, system: str) -> None:
        """Select the dot of a system that was selected elsewhere."""
        points = self._points
        if points is None or self._level is not Level.SYSTEM:
            return
        dot = self._dot_of(points, system)
        if dot is not None and dot != self._dot:
            self._dot = dot
            self._draw()

    @staticmethod
    def _dot_of(points: ScatterPoints, system: str) -> int | None:
        return points.systems.index(system) if system in points.systems else None

    # Summaries

    @Slot(int)
    def _open_dot(self, dot: int) -> None:
        self._choose_dot(dot)
        self._open_texts()

    @Slot()
    def _open_texts(self) -> None:
        """Open the summary of the dot; of a system's dot, where metric and people disagree most."""
        if self._points is None or self._dot is None or self._numbers is None:
            return
        topic = self._numbers.topics.get(self._points.topics[self._dot])
        if topic is not None:
            self._open_topic(topic.id)
            return
        subject = subject_of(self._numbers, self._points, self._points.systems[self._dot])
        if subject is not None and subject.topics:
            self._open_topic(subject.topics[0].topic_id)

    @Slot(str)
    def _open_topic(self, topic_id: str) -> None:
        if self._numbers is not None and self._points is not None and self._dot is not None:
            system = self._points.systems[self._dot]
            self._open_summary(self._numbers, topic_id, system, self._points.measure)

    # Files

    @Slot(str)
    def copy_table(self, name: str) -> None:
        """Put the table on the clipboard in a format."""
        if self._answer is not None:
            self._files.copy(export_of(self._answer), name)

    @Slot()
    def save_table(self) -> None:
        """Ask where, and write the table."""
        if self._answer is not None:
            self._files.save(export_of(self._answer))

    @Slot()
    def save_figure(self) -> None:
        """Ask where, and write the figure."""
        if self._points is not None:
            name = f"{self._points.measure}-{self._points.human}.svg"
            self._files.save_figure(name, self._view.figure.save)

    @Slot()
    def _mend_emptiness(self) -> None:
        is_scored = self._numbers is not None and bool(self._numbers.comparison.refs)
        self._context.show_page("matches" if is_scored else "score")


def suggested(known: Sequence[str]) -> tuple[str, ...]:
    """The judgements shown unasked: one kind of pyramid score, and ratings."""
    wanted = [n for n in known if not n.startswith("pyramid.") or n.startswith("pyramid.modified")]
    return tuple((wanted or list(known))[:MOST_COLUMNS])
