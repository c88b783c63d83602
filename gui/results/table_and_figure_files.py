"""The Compare page's table and figure on the clipboard and in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from core.errors import InputError
from core.files.atomic_write import atomic_open
from core.formatting.tables import Table, to_csv, to_latex, to_markdown, without_stand_in_marks

TABLE_KINDS = (("CSV", ".csv"), ("LaTeX", ".tex"), ("Markdown", ".md"), ("Tab-separated", ".tsv"))
FIGURE_KINDS = (("SVG", ".svg"), ("PDF", ".pdf"), ("PNG", ".png"))
COPY_FORMATS = (
    ("tsv", "Copy (tab-separated)"),
    ("csv", "Copy as CSV"),
    ("latex", "Copy as LaTeX"),
    ("markdown", "Copy as Markdown"),
)
"""Formats of tables on the clipboard, with their menu labels."""
AskPath = Callable[[str, str, Sequence[tuple[str, str]]], Path | None]
"""Where to save: a question, a suggested name, kinds as (title, ending); None = nowhere."""


def to_tsv(table: Table) -> str:
    """Return the table for spreadsheets, numbers as displayed. See `without_stand_in_marks`."""
    table = without_stand_in_marks(table)
    lines = [[column.title for column in table.columns], *table.texts()]
    return "\n".join("\t".join(line) for line in lines) + "\n"


_FORMATS: dict[str, Callable[[Table], str]] = {
    "tsv": to_tsv,
    "csv": to_csv,
    "latex": to_latex,
    "markdown": to_markdown,
}
_ENDINGS = {".tsv": "tsv", ".csv": "csv", ".tex": "latex", ".md": "markdown"}


class ResultExporter:
    """Copies and saves, and tells what came of it."""

    def __init__(self, ask_path: AskPath, tell: Callable[[str], None]) -> None:
        self._ask_path, self._tell = ask_path, tell

    def copy(self, table: Table, name: str) -> None:
        """Put a table on the clipboard: ``tsv``, ``csv``, ``latex`` or ``markdown``."""
        QGuiApplication.clipboard().setText(_FORMATS[name](table))
        self._tell("The table is on the clipboard.")

    def save(self, table: Table, suggested: str = "correlations.csv") -> None:
        """Ask where, and write a table in the format of the name's ending."""
        path = self._ask_path("Where should the table go?", suggested, TABLE_KINDS)
        if path is None:
            return
        text = _FORMATS[_ENDINGS.get(path.suffix.lower(), "csv")](table)
        try:
            with atomic_open(path) as file:
                file.write(text)
        except InputError as error:
            self._tell(str(error))
        else:
            self._tell(f"Table saved to {path}.")

    def save_figure(self, suggested: str, save: Callable[[Path], None]) -> None:
        """Ask where, and have a figure written there."""
        path = self._ask_path("Where should the figure go?", suggested, FIGURE_KINDS)
        if path is None:
            return
        try:
            save(path)
        except InputError as error:
            self._tell(str(error))
        else:
            self._tell(f"Figure saved to {path}.")
