"""Export of the Compare page's table and figure to the clipboard, files and the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.pages.compare.choices import Choices
from gui.pages.compare.inference import Method
from gui.pages.compare.report_items import CompareReport
from gui.pages.compare.side_panel import SidePanelController
from gui.pages.compare.table_content import TableContent, export_of
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

    shown: return what is displayed; None = nothing.
    """

    def __init__(
        self,
        view: CompareView,
        context: Context,
        ask_path: AskPath,
        side: SidePanelController,
        shown: Callable[[], ExportContent | None],
    ) -> None:
        super().__init__(view)
        self._view, self.side_panel, self._shown = view, side, shown
        self._files = ResultExporter(ask_path, context.show_message)
        self._report = CompareReport(context)
        view.copy_table_requested.connect(self.copy_table)
        view.save_table_requested.connect(self.save_table)
        view.copy_figure_requested.connect(self.copy_figure)
        view.save_figure_requested.connect(self.save_figure)
        view.add_table_requested.connect(self.add_table)
        view.add_figure_requested.connect(self.add_figure)

    @Slot(str)
    def copy_table(self, name: str) -> None:
        """Put the table on the clipboard in a format."""
        if (shown := self._shown()) is not None:
            self._files.copy(export_of(shown.content), name)

    @Slot()
    def save_table(self) -> None:
        """Ask where, and write the table."""
        if (shown := self._shown()) is not None:
            self._files.save(export_of(shown.content))

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
        shown, table = self._shown(), self.side_panel.numbers_behind()
        if self.side_panel.content is not None and shown is not None and shown.cell is not None:
            name = "-".join((self.side_panel.kind.value, *shown.cell))
            self._files.save_figure(f"{name}.svg", self._view.figure.save)
        elif table is not None:
            self._files.save(table, "disagreement.csv")

    @Slot()
    def add_table(self) -> None:
        """Put the table into the report."""
        if (shown := self._shown()) is not None:
            self._report.add_table(shown.content, shown.choices, shown.method)

    @Slot()
    def add_figure(self) -> None:
        """Put the figure into the report; a list goes as a table."""
        shown, side = self._shown(), self.side_panel
        if shown is None or shown.cell is None:
            return
        asked = shown.content, shown.choices, shown.method
        if side.content is not None:
            self._report.add_figure(*asked, side.content, shown.cell, side.kind, self._view.figure.inches())
        elif (table := side.numbers_behind()) is not None:
            self._report.add_list(*asked, table, shown.cell)
