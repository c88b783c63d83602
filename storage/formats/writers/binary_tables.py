"""Tables of an export as XLSX or Parquet, with numbers as numbers and texts as texts."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import BinaryIO

from core.errors import InputError
from core.files.zip_files import without_times
from storage.formats.format_types import Record
from storage.formats.readers.tables.arrow_records import pyarrow

NUMBERS = ("value", "low", "high", "start", "end", "active_seconds")
"""Columns of numbers in every export; the others are texts."""

LONGEST_CELL = 32_767
"""Most characters of a cell of XLSX, in UTF-16 units."""

_MOST_ROWS = 1_048_576
_ROWS_AT_ONCE = 5_000
_ESCAPE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def write_xlsx(
    file: BinaryIO, columns: Sequence[str], records: Iterable[Record], title: str
) -> Iterator[int]:
    """Write a workbook with one sheet, after the last record; yields the number of each record.

    Text is never a formula. Raises InputError if a text or the table is too long for XLSX.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    book.properties.creator = "Pyramidion"
    sheet = book.create_sheet(title[:31])
    sheet.freeze_panes = "A2"

    def cell(value: object, row: int, column: str) -> WriteOnlyCell | None:
        number = _number(value)
        if number is None and value in (None, ""):
            return None
        made = WriteOnlyCell(sheet)
        if number is not None:
            made.value, made.data_type = repr(number), "n"
        else:
            made.value = _storable(str(value), row, column)
            made.data_type = "s"  # also a text that looks like a formula
        return made

    made = io.BytesIO()
    try:
        sheet.append([cell(column, 1, column) for column in columns])
        for number, record in enumerate(records, 1):
            if number >= _MOST_ROWS:
                raise InputError(f"XLSX has at most {_MOST_ROWS:,} rows. Export as CSV or Parquet.")
            sheet.append([cell(record.get(column, ""), number + 1, column) for column in columns])
            yield number
    finally:
        book.save(made)  # also after an error, because it removes the package's temporary file
    file.write(without_times(made.getvalue()))


def _storable(text: str, row: int, column: str) -> str:
    """Return a text with the characters that XML lacks as ``_xHHHH_``, which spreadsheets read back."""
    if len(text.encode("utf-16-le")) // 2 > LONGEST_CELL:
        raise InputError(
            f"Row {row}, {column}: the text has {len(text):,} characters; a cell of XLSX has at most "
            f"{LONGEST_CELL:,}. Export as CSV or Parquet."
        )
    return _ESCAPE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _number(value: object) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def write_parquet(
    file: BinaryIO, columns: Sequence[str], records: Iterable[Record], more: Collection[str] = ()
) -> Iterator[int]:
    """Write a Parquet file as it is filled; yields the number of each record.

    The columns `NUMBERS`, and more, are float64 with null for empty cells, the others texts.
    """
    arrow = pyarrow()
    kinds = [arrow.float64() if column in NUMBERS or column in more else arrow.string() for column in columns]
    schema = arrow.schema(list(zip(columns, kinds, strict=True)))
    left, number = iter(records), 0
    made = io.BytesIO()
    with arrow.parquet.ParquetWriter(made, schema) as writer:
        while batch := list(islice(left, _ROWS_AT_ONCE)):
            arrays = [
                arrow.array(
                    [_typed(record.get(column, ""), kind == arrow.float64()) for record in batch], kind
                )
                for column, kind in zip(columns, kinds, strict=True)
            ]
            writer.write_batch(arrow.record_batch(arrays, schema=schema))
            number += len(batch)
            yield number
            file.write(made.getvalue())
            made.seek(0)
            made.truncate()
    file.write(made.getvalue())


def _typed(value: object, is_number: bool) -> object:
    if not is_number:
        return str(value)
    return float(value) if isinstance(value, (int, float)) else None
