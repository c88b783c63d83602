"""Export of the Compare page's table and figure to the clipboard, files and the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.pages.compare.correlations.choices import Choices
from gui.pages.compare.correlations.inference import Method
from gui.pages.compare.page.report_items import CompareReport
from gui.pages.compare.page.side_panel import SidePanelController
from gui.pages.compare.table.table_content import TableContent, export_of
from gui.results.table_and_figure_files import AskPath, ResultExporter
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.compare.view import CompareView


@dataclass(frozen=True, slots=True, eq=False)
class ExportContent:
    """The displayed content. cell: a measure's label and a judgement's name; None = none is current."""

    content: TableContent
    cell: tuple[str, str] | None
    choices: Choices
    method: Method


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
        current: Callable[[], ExportContent | None],
    ) -> None:
        super().__init__(view)
        self._view, self.side_panel, self._current = view, side, current
        self._files = ResultExporter(ask_path, context.show_message)
        self._report = CompareReport(context)
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
            self._files.copy(export_of(current.content), name)

    @Slot()
    def save_table(self) -> None:
        """Ask where, and write the table."""
        if (current := self._current()) is not None:
            self._files.save(export_of(current.content))

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
        if self.side_panel.content is not None and current is not None and current.cell is not None:
            name = "-".join((self.side_panel.kind.value, *current.cell))
            self._files.save_figure(f"{name}.svg", self._view.figure.save)
        elif table is not None:
            self._files.save(table, f"{self.side_panel.kind.value}.csv")

    @Slot()
    def add_table(self) -> None:
        """Put the table into the report."""
        if (current := self._current()) is not None:
            self._report.add_table(current.content, current.choices, current.method)

    @Slot()
    def add_figure(self) -> None:
        """Put the figure into the report; a list goes as a table."""
        current, side = self._current(), self.side_panel
        if current is None or current.cell is None:
            return
        inputs = current.content, current.choices, current.method
        if side.content is not None:
            self._report.add_figure(
                *inputs, side.content, current.cell, side.kind, self._view.figure.inches()
            )
        elif (table := side.numbers_behind()) is not None:
            self._report.add_list(*inputs, table, current.cell, side.kind)
