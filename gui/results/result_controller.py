"""Controller of a result panel, and base of presenters of pages that run one job and show its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from core.figures.palette import Palette
from core.progress import JobSteps
from core.results.result import Chart, Result
from gui.background.jobs import JobQueue, OneJob
from gui.results.result_content import NOTES_KEY, result_notes
from gui.results.result_panel import ResultPanel, RunPage
from gui.results.table_and_figure_files import AddToReport, AskPath, ResultExporter
from gui.results.values import ResultDetails, ResultPart
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False)
class DisplayedResult:
    """A result with its texts.

    name: stem of suggested file names.
    command: the command that reproduces it.
    is_stale: its inputs have changed since it was computed.
    """

    result: Result
    details: ResultDetails
    name: str
    command: str
    is_stale: bool = False


PartAction = Callable[[DisplayedResult, int], None]
"""An action on a table or figure of a result, given by its index."""


class ResultController(QObject):
    """Show a result in its panel and handle its buttons.

    own_parts: keys of parts that the page shows itself, by a widget of its own.
    """

    def __init__(self, panel: ResultPanel, context: Context, ask_path: AskPath) -> None:
        super().__init__(panel)
        self._panel, self._show_message = panel, context.show_message
        self._exporter, self._report = ResultExporter(ask_path, context.show_message), AddToReport(context)
        self._displayed: DisplayedResult | None = None
        self._part = ""
        self.own_parts: frozenset[str] = frozenset()
        panel.parts_box.chosen.connect(self.show_part)
        panel.copy_requested.connect(self.copy)
        panel.save_button.clicked.connect(self.save)
        panel.report_button.clicked.connect(self.add_to_report)

    def show(self, displayed: DisplayedResult) -> None:
        """Show a result. The part with the same key as the previous one stays selected."""
        self._displayed = displayed
        keys = [part.key for part in displayed.details.parts]
        self._part = self._part if self._part in keys else (keys[0] if keys else "")
        self._panel.show_result(displayed.details, self._part)
        self.show_part(self._part)

    def show_empty(self, sentence: str, *, can_run: bool, remedy: str = "") -> None:
        """Show why there is no result, as `ResultPanel.show_empty` says."""
        self._displayed = None
        self._panel.show_empty(sentence, can_run=can_run, remedy=remedy)

    @property
    def part(self) -> str:
        """Key of the displayed part, empty = none."""
        return self._part if self._displayed is not None else ""

    def reset_part(self) -> None:
        """Select the first part again when the next result is shown."""
        self._part = ""

    @Slot(object)
    def show_part(self, key: str) -> None:
        if self._displayed is None or not key:
            return
        self._part = key
        if key in self.own_parts:
            return
        result = self._displayed.result
        kind, index = self._current_part()
        if key == NOTES_KEY:
            self._panel.show_notes(result_notes(result))
        elif kind == "table":
            self._panel.show_table(result.tables[index])
        else:
            self._panel.show_chart(partial(_draw, result.charts[index], result.chart_alone(index)))

    @Slot()
    def show_notes(self) -> None:
        self._panel.parts_box.choose(NOTES_KEY)
        self.show_part(NOTES_KEY)

    @Slot(str)
    def copy(self, form: str) -> None:
        """Copy the displayed table or figure to the clipboard."""
        self._apply(
            tr("Notes cannot be copied as a table. Select text and press Ctrl+C."),
            lambda displayed, index: self._exporter.copy(displayed.result.table_alone(index), form),
            lambda displayed, index: self._copy_figure(),
        )

    @Slot()
    def save(self) -> None:
        """Ask for a path and save the displayed table or figure there."""
        figure = self._panel.figure
        self._apply(
            tr("Notes cannot be saved. Select a table or figure."),
            lambda displayed, index: self._exporter.save(
                displayed.result.table_alone(index), f"{displayed.name}.csv"
            ),
            lambda displayed, index: self._exporter.save_figure(f"{displayed.name}.svg", figure.save),
        )

    @Slot()
    def add_to_report(self) -> None:
        """Add the displayed table or figure to the report."""
        self._apply(
            tr("Notes are added with their table or figure. Select one of those."),
            self._add_table,
            self._add_figure,
        )

    def _add_table(self, displayed: DisplayedResult, index: int) -> None:
        table = displayed.result.tables[index]
        self._report.table(table, _policy(displayed), displayed.command, is_stale=displayed.is_stale)

    def _add_figure(self, displayed: DisplayedResult, index: int) -> None:
        chart = displayed.result.charts[index]
        self._report.figure(
            chart.title,
            _policy(displayed),
            displayed.command,
            partial(_draw, chart, chart),
            is_stale=displayed.is_stale,
        )

    def _copy_figure(self) -> None:
        self._panel.figure.copy()
        self._show_message(tr("Figure copied to the clipboard."))

    def _apply(self, notes_message: str, on_table: PartAction, on_figure: PartAction) -> None:
        """Run the action for the kind of the displayed part; for notes, show a message."""
        if self._displayed is None:
            return
        kind, index = self._current_part()
        if self._part == NOTES_KEY:
            self._show_message(notes_message)
        elif kind == "table":
            on_table(self._displayed, index)
        else:
            on_figure(self._displayed, index)

    def _current_part(self) -> tuple[str, int]:
        kind, _, index = self._part.partition("-")
        return kind, int(index or 0)


def _policy(displayed: DisplayedResult) -> tuple[str, ...]:
    return (*displayed.result.policy, *result_notes(displayed.result))


def _draw(shown: Chart, saved: Chart, palette: Palette, size: tuple[float, float] | None = None) -> Figure:
    from core.figures.charts import chart  # matplotlib is slow to import

    return chart(shown if palette.is_screen else saved, palette, size)


class RunPresenter(QObject):
    """Runs the page's job, again if its options have changed meanwhile, and passes on its result.

    Pages define `run`, `_run_finished` and `_show`; the metaclass of QObject excludes abstract methods.

    ask_path: asks where to save a file; returns None if the user cancels.
    key: of the page, in its commands.
    """

    def __init__(self, view: RunPage, context: Context, ask_path: AskPath, key: str) -> None:
        super().__init__(view)
        self._context, self._key = context, key
        self._results = ResultController(view.result, context, ask_path)
        self._running = OneJob(context.jobs, self)
        self._is_outdated = False  # the options have changed since the running job began
        for requested in (view.run_button.clicked, view.result.empty.quiet.clicked):
            requested.connect(self.run)
        view.stop_button.clicked.connect(self._stop)
        view.result.notice.remedy_button.clicked.connect(self._follow_notice)
        context.commands.bind(f"{key}.run", self.run, key)
        context.commands.bind(f"{key}.save", self._results.save, key)
        context.commands.bind("edit.copy_table", lambda: self._results.copy("tsv"), key)

    @Slot()
    def run(self) -> None:
        """Start the job with the current options, unless it runs or cannot."""
        raise NotImplementedError

    def _run_finished(self, result: Any) -> None:
        raise NotImplementedError

    def _show(self) -> None:
        """Show the options, and whether the job runs."""
        raise NotImplementedError

    @Slot()
    def _follow_notice(self) -> None:
        self._results.show_notes()

    def _start(self, title: str, work: JobSteps[Any], queue: JobQueue = JobQueue.RESAMPLING) -> None:
        self._is_outdated = False
        job = self._running.start(title, work, queue)
        job.finished.connect(self._finish)
        job.ended.connect(self._end)
        self._show()

    def _update(self, *, has_answer: bool) -> None:
        """Show changed options, and run again if an answer is visible, since it was made with others."""
        self._is_outdated = self._running.current is not None
        self._show()
        if has_answer:
            self.run()

    def _display(self, result: Result, parts: Sequence[ResultPart], command: str) -> None:
        """Display a result that is not stored."""
        details = ResultDetails(result.title, "", tuple(parts), result_notes(result), " ".join(result.policy))
        self._results.show(DisplayedResult(result, details, self._key, command))

    @Slot()
    def _stop(self) -> None:
        self._is_outdated = False
        self._running.stop()

    @Slot(object)
    def _finish(self, result: object) -> None:
        if not self._is_outdated:
            self._run_finished(result)

    @Slot()
    def _end(self) -> None:
        self._show()
        if self._is_outdated:
            self.run()
