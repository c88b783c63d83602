"""Export of tables as XLSX workbooks with raw numbers: all of a report, or one."""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.files.zip_files import without_times
from core.formatting.tables import Cell, Table, without_marks
from core.report.document import NumberedTable, numbered_tables, to_json
from core.report.legible import legible_table
from core.report.model import Report

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

DATA_SHEET = "report.json"
"""Sheet with the report as JSON, in Base64."""

_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]")
_LONGEST_NAME = 31
_LONGEST_CELL = 32_767


def to_xlsx(report: Report) -> bytes:
    """Return a sheet for each table, numbers at full precision, and one that lists the tables.

    A hidden sheet holds the report for `pyramidion replay`.
    Texts are stored as texts, never as formulas. Raises MissingResource without the package ``openpyxl``.
    """
    book = _new_workbook()
    contents = book.worksheets[0]
    contents.title = "Tables"
    listed: list[tuple[Cell, ...]] = [("Table", "Section", "Title", "Note")]
    for one in numbered_tables(report):
        table = without_marks(one.table)
        listed.append((one.number, one.section.title, table.title, table.note))
        sheet = book.create_sheet(_sheet_name(one))
        _write(sheet, _sheet_rows(one.table))
        sheet.freeze_panes = "B2"
    _write(contents, listed)
    data = base64.b64encode(to_json(report).encode()).decode()
    hidden = book.create_sheet(DATA_SHEET)
    hidden.sheet_state = "hidden"
    _write(hidden, [(data[at : at + _LONGEST_CELL],) for at in range(0, len(data), _LONGEST_CELL)])
    return _content(book)


def table_to_xlsx(table: Table) -> bytes:
    """Return a workbook with a sheet for a table, and one for its note if it has one.

    Texts are stored as texts, never as formulas. Raises MissingResource without the package ``openpyxl``.
    """
    table = legible_table(table)
    book = _new_workbook()
    sheet = book.worksheets[0]
    sheet.title = _valid_name(table.title) or "Table"
    _write(sheet, _sheet_rows(table))
    sheet.freeze_panes = "B2"
    if note := without_marks(table).note:
        _write(book.create_sheet("Note"), [(line,) for line in note.splitlines()])
    return _content(book)


def _new_workbook() -> Workbook:
    from openpyxl import Workbook

    book = Workbook()
    book.properties.creator = "Pyramidion"
    return book


def _content(book: Workbook) -> bytes:
    made = io.BytesIO()
    book.save(made)
    return without_times(made.getvalue())


def _sheet_rows(table: Table) -> list[tuple[Cell, ...]]:
    """Return the rows of a table's sheet, the keys of its columns first."""
    plain = without_marks(table)
    return [tuple(column.key for column in plain.columns), *plain.rows]


def _stored_cell(value: Cell) -> Cell:
    """Return what a workbook stores of a value: nothing if it is undefined, texts up to a limit."""
    if isinstance(value, str):
        return value[:_LONGEST_CELL]
    return value if value is not None and math.isfinite(value) else None


def _write(sheet: Worksheet, rows: Sequence[tuple[Cell, ...]]) -> None:
    """Write rows from the first line."""
    for line, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            cell = sheet.cell(line, place)
            stored = _stored_cell(value)
            if isinstance(stored, str):
                cell.value = stored
                cell.data_type = "s"  # also a text that looks like a formula
            elif stored is not None:
                cell.value, cell.data_type = repr(stored), "n"  # openpyxl rounds numbers to 16 digits


def _sheet_name(one: NumberedTable) -> str:
    return _valid_name(f"{one.number} {one.table.title}")


def _valid_name(title: str) -> str:
    """Return a title as the name of a sheet."""
    return _IN_SHEET_NAMES.sub(" ", title)[:_LONGEST_NAME].strip("' ")
