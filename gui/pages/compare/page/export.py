"""Export of the Compare page's table and figure to the clipboard, files and the report."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.figures.palette import Palette
from core.files.study_address import command_argument
from core.operations.options import CorrelateRequest
from gui.pages.compare.figure.scatter_view import DrawSized
from gui.pages.compare.page.side_panel import SidePanelController
from gui.pages.compare.table.table_content import TableContent, export_of, formula_text
from gui.pages.compare.values import View
from gui.results.report_items import PAPER_SIZE, AddToReport
from gui.results.table_and_figure_files import AskPath, ResultExporter
from gui.session.context import Context

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gui.pages.compare.view import CompareView

_OF_ONE = frozenset({View.SCATTER, View.RANKS, View.DISTRIBUTION, View.TOPICS, View.DISAGREEMENT})
"""Figures about the current measure only."""

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
            content = current[0]
            command = self._command(content.request)
            self._report.table(
                export_of(content), formula_text(content), command, is_stale=bool(content.stale)
            )

    @Slot()
    def add_figure(self) -> None:
        """Put the figure into the report, at least as large as on screen; a list goes as a table."""
        side, (content, cell) = self.side_panel, self._current() or (None, None)
        if content is None or cell is None:
            return
        measure, human = cell
        is_stale, policy = measure in content.stale, formula_text(content)
        of_one = (measure,) if side.kind in _OF_ONE else ()
        request = replace(content.request, judgements=(human,), measures=of_one, compare=None)
        if side.content is not None:
            head, inches = side.content.head, self._view.figure.inches()
            size = max(PAPER_SIZE[0], inches[0]), max(PAPER_SIZE[1], inches[1])
            policy = (f"{head.result}: {head.rest}" if head.rest else head.result, *policy)
            title, draw = f"{head.title} {head.fact}".strip(), partial(_sized, side.content.draw, size)
            self._report.figure(title, policy, self._command(request), draw, is_stale=is_stale)
        elif (table := side.numbers_behind()) is not None:
            is_by_topic = side.kind is View.TOPICS
            command = self._command(request.with_only() if is_by_topic else request)
            command += " --per-topic" if is_by_topic else ""
            self._report.table(table, policy, command, is_stale=is_stale)

    def _command(self, request: CorrelateRequest) -> str:
        """Return the command that prints the same correlations."""
        path = command_argument(self._context.study.path)
        return shlex.join(["pyramidion", "correlate", path, *request.arguments()])


def _sized(draw: DrawSized, size: tuple[float, float], palette: Palette) -> Figure:
    return draw(palette, size)
