"""Export of all tables of a report as one XLSX workbook with raw numbers."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import MissingResource
from core.files.zip_files import without_times
from core.formatting.tables import Cell, without_stand_in_marks
from core.report.document import NumberedTable, numbered_tables
from core.report.model import Report

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]")
_LONGEST_NAME = 31
_LONGEST_CELL = 32_767


def to_xlsx(report: Report) -> bytes:
    """Return a sheet for each table, numbers at full precision, and one that lists the tables.

    Texts are stored as texts, never as formulas. Raises MissingResource without the package ``openpyxl``.
    """
    try:
        from openpyxl import Workbook
    except ImportError as error:
        raise MissingResource(
            "XLSX needs the package openpyxl. Install it: python -m pip install openpyxl"
        ) from error
    book = Workbook()
    book.properties.creator = "Pyramidion"
    contents = book.worksheets[0]
    contents.title = "Tables"
    listed: list[tuple[Cell, ...]] = [("Table", "Section", "Title", "Note")]
    for one in numbered_tables(report):
        table = without_stand_in_marks(one.table)
        listed.append((one.number, one.section.title, table.title, table.note))
        sheet = book.create_sheet(_sheet_name(one))
        _write(sheet, [tuple(column.key for column in table.columns), *table.rows])
        sheet.freeze_panes = "B2"
    _write(contents, listed)
    made = io.BytesIO()
    book.save(made)
    return without_times(made.getvalue())


def _write(sheet: Worksheet, rows: Sequence[tuple[Cell, ...]]) -> None:
    """Write rows from the first line."""
    for line, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            cell = sheet.cell(line, place)
            if isinstance(value, str):
                cell.value = value[:_LONGEST_CELL]
                cell.data_type = "s"  # also a text that looks like a formula
            elif value is not None and math.isfinite(value):
                cell.value, cell.data_type = repr(value), "n"  # openpyxl rounds numbers to 16 digits


def _sheet_name(one: NumberedTable) -> str:
    title = _IN_SHEET_NAMES.sub(" ", f"{one.number} {one.table.title}")
    return title[:_LONGEST_NAME].strip("' ")
