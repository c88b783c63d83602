"""Streaming reader of CSV and TSV records, for files larger than memory."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from storage.formats.memory import CELL
from storage.formats.readers.fields import LONGEST_LINE, Problems, lines


def is_json(path: Path) -> bool:
    """Return whether a file name is that of a JSON Lines table."""
    return kind_of(path) in (".jsonl", ".ndjson", ".json")


def kind_of(path: Path) -> str:
    """Return the suffix of a file name in lower case, without that of its compression: ``.csv``."""
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()


def separator_of(path: Path) -> str:
    """Return the separator of a table, from its file name."""
    return "\t" if kind_of(path) in (".tsv", ".tab") else ","


def cells_of(path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the cells of each record, header first."""
    csv.field_size_limit(LONGEST_LINE)
    separator = separator_of(path)
    pending = 0  # bytes of a record whose quoted cells may span many lines

    def source() -> Iterator[str]:
        nonlocal pending
        for _, line in lines(path, problems):
            pending += 2 * sys.getsizeof(line) + CELL * line.count(separator)
            problems.memory.check(pending)
            yield line

    reader = csv.reader(source(), delimiter=separator, strict=True)
    first = 1
    try:
        for values in reader:
            pending = 0
            problems.place = f"line {first}"
            if values and problems.skipped.isdisjoint(range(first, reader.line_num + 1)):
                yield first, values
            first = reader.line_num + 1
    except csv.Error as error:
        problems.place = f"line {first}"
        problems.add("", f"Not a valid table: {_in_words(error)}.", "Check the quotes of this record.")


def _in_words(error: csv.Error) -> str:
    message = str(error)
    if "unexpected end" in message:
        return "a quoted cell is never closed"
    if "new-line" in message:
        return "a line ends with a single carriage return"
    if "expected after" in message:
        return "text after closing quotes; double any quotes inside a cell"
    return message


def header_of(cells: Iterator[tuple[int, list[str]]]) -> list[str]:
    """Return the column names of a table from its first record."""
    return [name.strip() for name in next(cells, (0, []))[1]]
