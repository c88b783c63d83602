"""Controller of a result panel: selects the part to display, copies, saves and adds it to the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.results.result import Chart, Result
from gui.results.result_content import NOTES_KEY, result_notes
from gui.results.table_and_figure_files import AddToReport, AskPath, ResultExporter
from gui.results.values import ResultDetails
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from core.figures.palette import Palette
    from gui.results.result_panel import ResultPanel


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
    """Show a result in its panel and handle its buttons."""

    def __init__(self, panel: ResultPanel, context: Context, ask_path: AskPath) -> None:
        super().__init__(panel)
        self._panel, self._show_message = panel, context.show_message
        self._exporter, self._report = ResultExporter(ask_path, context.show_message), AddToReport(context)
        self._displayed: DisplayedResult | None = None
        self._part = ""
        panel.part_chosen.connect(self.show_part)
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

    def show_empty(self, sentence: str, *, can_run: bool) -> None:
        """Show why there is no result."""
        self._displayed = None
        self._panel.show_empty(sentence, can_run=can_run)

    @property
    def part(self) -> str:
        """Key of the displayed part, empty = none."""
        return self._part if self._displayed is not None else ""

    def reset_part(self) -> None:
        """Select the first part again when the next result is shown."""
        self._part = ""

    @Slot(str)
    def show_part(self, key: str) -> None:
        """Show a part of the result."""
        if self._displayed is None or not key:
            return
        self._part = key
        result = self._displayed.result
        kind, index = self._current_part()
        if key == NOTES_KEY:
            self._panel.show_notes(result_notes(result))
        elif kind == "table":
            self._panel.show_table(result.tables[index])
        else:
            self._panel.show_chart(partial(_draw, result.charts[index]))

    @Slot()
    def show_notes(self) -> None:
        """Show the notes."""
        self._panel.parts_box.choose(NOTES_KEY)
        self.show_part(NOTES_KEY)

    @Slot(str)
    def copy(self, form: str) -> None:
        """Copy the displayed table or figure to the clipboard."""
        self._apply(
            tr("Notes cannot be copied as a table. Select text and press Ctrl+C."),
            lambda displayed, index: self._exporter.copy(displayed.result.tables[index], form),
            lambda displayed, index: self._copy_figure(),
        )

    @Slot()
    def save(self) -> None:
        """Ask for a path and save the displayed table or figure there."""
        figure = self._panel.figure
        self._apply(
            tr("Notes cannot be saved. Select a table or figure."),
            lambda displayed, index: self._exporter.save(
                displayed.result.tables[index], f"{displayed.name}.csv"
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
            partial(_draw, chart),
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


def _draw(data: Chart, palette: Palette, size: tuple[float, float] | None = None) -> Figure:
    from core.figures.charts import chart  # matplotlib is slow to import

    return chart(data, palette, size)
