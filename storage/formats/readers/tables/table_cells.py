"""Cells of a table in any file: CSV, TSV, XLSX or Parquet."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.files.paths import printable_path
from core.numerals import parse_number
from core.progress import JobSteps, Progress
from storage.formats.readers.fields import Problems, json_rows, kind_of
from storage.formats.readers.tables import xlsx_records
from storage.formats.readers.tables.arrow_records import PARQUET, parquet_columns, parquet_rows
from storage.formats.readers.tables.csv_records import csv_cells, is_json
from storage.formats.readers.usage import Record, current

DELIMITED = (".csv", ".tsv", ".tab")
PART = "part"
"""Option: the sheet of a workbook, or the split of a data set."""

SUFFIXES = (*DELIMITED, *xlsx_records.SUFFIXES, PARQUET)


def is_delimited(path: Path) -> bool:
    """Return whether a file name is that of a text with separated cells."""
    return kind_of(path) in DELIMITED


def values_of(path: Path, problems: Problems, options: Mapping[str, str]) -> Iterator[tuple[int, list[Any]]]:
    """Yield the line or row and the values of each record, header first; of a text file, texts.

    options: `csv_records.ENCODING`, `csv_records.SEPARATOR`, `PART`.
    """
    kind = kind_of(path)
    if kind in xlsx_records.SUFFIXES:
        yield from xlsx_records.xlsx_cells(path, problems, options.get(PART, ""))
    elif kind == PARQUET:
        names = parquet_columns(path)
        problems.place = ""
        yield 0, list(names)
        for number, row in enumerate(parquet_rows(path, problems), 1):
            problems.place = f"row {number}"
            if number not in problems.skipped:
                yield number, [row.get(name) for name in names]
    else:
        yield from csv_cells(path, problems, options)


def cells_of(
    path: Path, problems: Problems, options: Mapping[str, str] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line or row and the cells of each record as texts, header first; see `values_of`."""
    for number, values in values_of(path, problems, options or {}):
        yield number, list(map(as_text, values))


def records_of(
    path: Path,
    problems: Problems,
    options: Mapping[str, str] | None = None,
    *,
    check: Callable[[list[str]], None] | None = None,
    is_typed: bool = False,
    is_exact: bool = False,
) -> Iterator[tuple[int, list[str], Record]]:
    """Yield the line or row, the headings and the cells by heading of each record below the header.

    Columns that are never asked for are named at the end of the import. A column without a name is called by
    its place.
    check: adds problems of the headings. is_typed: values are as `values_of` yields them, else texts.
    is_exact: a row with fewer cells is a problem.
    Raises BadImport for a bad header.
    """
    usage, header = current(), list[str]()
    records = values_of(path, problems, options or {})
    for number, values in _without_titles(records, problems) if is_typed else records:
        if not header:
            problems.stop_if_any()  # problems in the bytes of the header
            names = [as_text(value).strip() for value in values]
            header = [name or f"column {place}" for place, name in enumerate(names, 1)]
            _check_header(names, header, problems)
            if check is not None and any(names):
                check(names)
            problems.stop_if_any()
        elif len(values) > len(header) or (is_exact and len(values) < len(header)):
            what = f"The row has {len(values)} cells, but the table has {len(header)} columns."
            problems.add("", what, "Put cells that contain the separator in quotes.")
        else:
            cells = values if is_typed else map(as_text, values)
            record = dict(zip(header, cells, strict=False))
            yield number, header, usage.record(record, printable_path(problems.file))
    if not header and not problems.found:
        _check_header([], [], problems)


def row_steps(
    path: Path,
    problems: Problems,
    options: Mapping[str, str],
    take: Callable[[Record], None],
    from_cells: Callable[[Record], Record] = lambda cells: cells,
) -> JobSteps[None]:
    """Pass on each object of a JSON file, or the cells of each record of a table as an object."""
    if is_json(path):
        yield from json_rows(path, problems, take)
        return
    for number, _, cells in records_of(path, problems, options):
        take(from_cells(cells))
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(number, 0, f"reading line {number}")


_ROWS_AT_ONCE = 200
_TITLES = 10
"""Records that may be above the names of the columns."""


def _without_titles(
    records: Iterator[tuple[int, list[Any]]], problems: Problems
) -> Iterator[tuple[int, list[Any]]]:
    """Yield the records from the names of the columns on: the first with several cells, none a number.

    Those above are noted.
    """
    above: list[tuple[int, list[Any]]] = []
    for number, values in records:
        above.append((number, values))
        if sum(as_text(value).strip() != "" for value in values) > 1:
            if any(parse_number(value) is not None for value in values):
                yield from above
                break
            titles = [as_text(value) for _, cells in above[:-1] for value in cells if as_text(value).strip()]
            if len(above) > 1:
                what = f"Left out above the names of the columns: {printable_path('; '.join(titles)[:200])}."
                problems.note(what if titles else "Empty rows above the names of the columns.", "")
            yield above[-1]
            break
        if len(above) == _TITLES:
            yield from above
            break
    else:
        yield from above
    yield from records


def _check_header(names: list[str], header: list[str], problems: Problems) -> None:
    if not any(names):
        problems.place = problems.place or "line 1"
        problems.add("", "There are no columns.", "The first line must contain the column names.")
    for name in sorted(name for name, many in Counter(header).items() if many > 1):
        problems.add(name, "Two columns have this name.", "Rename one of them.")


def header_of(cells: Iterator[tuple[int, list[str]]]) -> list[str]:
    """Return the column names of a table from its first record."""
    return [name.strip() for name in next(cells, (0, []))[1]]


def as_text(value: Any) -> str:
    """Return a value as a cell of CSV: numbers without needless decimals, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and 0 < abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
