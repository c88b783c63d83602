"""One result on a page: which part of it is in front, and that part copied, saved or put into the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.results.result import Chart, Result
from gui.results.report_items import AddToReport
from gui.results.result_content import NOTES_KEY, result_notes
from gui.results.table_and_figure_files import AskPath, ResultExporter
from gui.results.values import ResultDetails
from gui.session.context import Context

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from core.figures.palette import Palette
    from gui.results.result_panel import ResultPanel


@dataclass(frozen=True, slots=True, eq=False)
class DisplayedResult:
    """A result and what belongs to it. name: of files. command: what repeats it."""

    result: Result
    sheet: ResultDetails
    name: str
    command: str
    is_stale: bool = False


PartAction = Callable[[DisplayedResult, int], None]
"""What is done to a table or a figure of a result, by its place."""


class ResultController(QObject):
    """Shows a result in its panel."""

    def __init__(self, panel: ResultPanel, context: Context, ask_path: AskPath) -> None:
        super().__init__(panel)
        self._panel, self._tell = panel, context.show_message
        self._files, self._report = ResultExporter(ask_path, context.show_message), AddToReport(context)
        self._standing: DisplayedResult | None = None
        self._part = ""
        panel.part_chosen.connect(self.show_part)
        panel.copy_requested.connect(self.copy)
        panel.save_requested.connect(self.save)
        panel.report_requested.connect(self.add_to_report)

    def show(self, standing: DisplayedResult) -> None:
        """Show a result, the same part of it in front as before where it has that."""
        self._standing = standing
        keys = [part.key for part in standing.sheet.parts]
        self._part = self._part if self._part in keys else (keys[0] if keys else "")
        self._panel.show_result(standing.sheet, self._part)
        self.show_part(self._part)

    def show_empty(self, sentence: str, *, can_run: bool) -> None:
        """Say why there is no result."""
        self._standing = None
        self._panel.show_empty(sentence, can_run=can_run)

    def begin_anew(self) -> None:
        """Forget which part was in front: another question is asked."""
        self._part = ""

    @Slot(str)
    def show_part(self, key: str) -> None:
        """Bring a part to the front."""
        if self._standing is None or not key:
            return
        self._part = key
        result = self._standing.result
        kind, place = self._in_front()
        if key == NOTES_KEY:
            self._panel.show_notes(result_notes(result))
        elif kind == "table":
            self._panel.show_table(result.tables[place])
        else:
            self._panel.show_chart(partial(_draw, result.charts[place]))

    @Slot()
    def show_notes(self) -> None:
        """Bring the notes to the front."""
        self._panel.choose_part(NOTES_KEY)
        self.show_part(NOTES_KEY)

    @Slot(str)
    def copy(self, form: str) -> None:
        """Put the table or figure in front on the clipboard."""
        self._do(
            "Notes are no table: select what you want of them and press Ctrl+C.",
            lambda standing, place: self._files.copy(standing.result.tables[place], form),
            lambda standing, place: self._copy_figure(),
        )

    @Slot()
    def save(self) -> None:
        """Ask where, and save the table or figure in front."""
        self._do(
            "Choose a table or a figure to save.",
            lambda standing, place: self._files.save(standing.result.tables[place], f"{standing.name}.csv"),
            lambda standing, place: self._files.save_figure(f"{standing.name}.svg", self._panel.figure.save),
        )

    @Slot()
    def add_to_report(self) -> None:
        """Put the table or figure in front into the report."""
        self._do(
            "Choose a table or a figure; its notes go with it.",
            lambda standing, place: self._report.table(
                standing.result.tables[place], _policy(standing), standing.command, is_stale=standing.is_stale
            ),
            self._add_figure,
        )

    def _add_figure(self, standing: DisplayedResult, place: int) -> None:
        drawn = standing.result.charts[place]
        draw = partial(_draw, drawn)
        self._report.figure(
            drawn.title, _policy(standing), standing.command, draw, is_stale=standing.is_stale
        )

    def _copy_figure(self) -> None:
        self._panel.figure.copy()
        self._tell("The figure is on the clipboard.")

    def _do(self, refusal: str, of_table: PartAction, of_figure: PartAction) -> None:
        """Do to the part in front what belongs to its kind; notes are refused in a sentence."""
        if self._standing is None:
            return
        kind, place = self._in_front()
        if self._part == NOTES_KEY:
            self._tell(refusal)
        elif kind == "table":
            of_table(self._standing, place)
        else:
            of_figure(self._standing, place)

    def _in_front(self) -> tuple[str, int]:
        kind, _, place = self._part.partition("-")
        return kind, int(place or 0)


def _policy(standing: DisplayedResult) -> tuple[str, ...]:
    return (*standing.result.policy, *result_notes(standing.result))


def _draw(found: Chart, palette: Palette, size: tuple[float, float] | None = None) -> Figure:
    from core.figures.charts import chart  # matplotlib is slow to import

    return chart(found, palette, size)
