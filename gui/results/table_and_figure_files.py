"""Export of tables and figures to the clipboard, to files and to the report."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from core.errors import InputError, MissingResource
from core.files.atomic_write import atomic_write_bytes
from core.formatting.tables import Table, csv_rows, to_csv, to_latex, to_markdown, without_marks
from core.progress import JobSteps
from core.report.report_items import Draw, ReportItem, add_figure, add_table
from gui.background.jobs import JobQueue
from gui.session.context import Context
from gui.style.language import tr

DATA_KINDS = CSV, XLSX, PARQUET = (
    ("CSV", ".csv"),
    (tr("Excel workbook"), ".xlsx"),
    (tr("Parquet"), ".parquet"),
)
TABLE_KINDS = (*DATA_KINDS, ("LaTeX", ".tex"), (tr("Markdown"), ".md"), (tr("Tab-separated"), ".tsv"))
FIGURE_KINDS = (("SVG", ".svg"), ("PDF", ".pdf"), ("PNG", ".png"))
COPY_FORMATS = (
    ("tsv", tr("Copy (tab-separated)")),
    ("csv", tr("Copy as CSV")),
    ("latex", tr("Copy as LaTeX")),
    ("markdown", tr("Copy as Markdown")),
)
"""Formats of tables on the clipboard, with their menu labels."""
AskPath = Callable[[str, str, Sequence[tuple[str, str]]], Path | None]
"""Ask for a path to save to: dialog title, suggested name, kinds as (label, suffix); None = cancelled."""


def to_tsv(table: Table) -> str:
    """Return the table as tab-separated text, with numbers as displayed. See `without_marks`."""
    table = without_marks(table)
    out = io.StringIO()
    write_row = csv_rows(out, delimiter="\t")
    for line in ([column.title for column in table.columns], *table.texts()):
        write_row(line)
    return out.getvalue()


_FORMATS: dict[str, Callable[[Table], str]] = {
    "tsv": to_tsv,
    "csv": to_csv,
    "latex": to_latex,
    "markdown": to_markdown,
}
_FORMAT_BY_SUFFIX = {".tsv": "tsv", ".csv": "csv", ".tex": "latex", ".md": "markdown"}


def table_content(table: Table, suffix: str) -> bytes:
    """Return the content of a file with a table, in the format of its suffix; CSV if that is unknown."""
    if suffix == ".xlsx":
        from core.report.formats.workbook import table_to_xlsx  # not at start-up

        return table_to_xlsx(table)
    if suffix == ".parquet":
        from core.report.formats.parquet import table_to_parquet

        return table_to_parquet(table)
    return _FORMATS[_FORMAT_BY_SUFFIX.get(suffix, "csv")](table).encode()


class ResultExporter:
    """Copy and save tables and figures, and show a message about the outcome."""

    def __init__(self, ask_path: AskPath, show_message: Callable[[str], None]) -> None:
        self._ask_path, self._show_message = ask_path, show_message

    def copy(self, table: Table, name: str) -> None:
        """Copy a table to the clipboard as ``tsv``, ``csv``, ``latex`` or ``markdown``."""
        QGuiApplication.clipboard().setText(_FORMATS[name](table))
        self._show_message(tr("Table copied to the clipboard."))

    def save(self, table: Table, suggested: str = "correlations.csv") -> None:
        """Ask for a path and write a table there, in the format given by the suffix."""
        path = self._ask_path(tr("Save table"), suggested, TABLE_KINDS)
        if path is None:
            return
        try:
            atomic_write_bytes(path, table_content(table, path.suffix.lower()))
        except (InputError, MissingResource) as error:
            self._show_message(str(error))
        else:
            self._show_message(tr("Table saved to {path}.", path=path))

    def save_figure(self, suggested: str, save: Callable[[Path], None]) -> None:
        """Ask for a path and call `save` with it."""
        path = self._ask_path(tr("Save figure"), suggested, FIGURE_KINDS)
        if path is None:
            return
        try:
            save(path)
        except InputError as error:
            self._show_message(str(error))
        else:
            self._show_message(tr("Figure saved to {path}.", path=path))


PAPER_SIZE = (6.4, 4.6)
"""Minimum size of a figure in the report, in inches."""


class AddToReport:
    """Add the figures and tables of a page to the report, with a message when that is done."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def figure(
        self, title: str, policy: Sequence[str], command: str, draw: Draw, *, is_stale: bool = False
    ) -> None:
        """Add a figure. is_stale: its inputs have changed since it was computed."""
        work = add_figure(self._context.study, title, policy, command, draw, is_stale=is_stale)
        self._start(work)

    def table(self, table: Table, policy: Sequence[str], command: str, *, is_stale: bool = False) -> None:
        """Add a table. is_stale: its inputs have changed since it was computed."""
        self._start(add_table(self._context.study, policy, command, table, is_stale=is_stale))

    def _start(self, work: JobSteps[ReportItem]) -> None:
        job = self._context.jobs.start(tr("Adding to the report"), work, JobQueue.FILES)
        job.finished.connect(self._report_added)

    def _report_added(self, item: ReportItem) -> None:
        self._context.show_message(tr("Added to the report: {title}.", title=item.title))
