"""The records of a table in CSV or TSV, one by one: a file may be larger than the memory."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

from storage.formats.memory import CELL
from storage.formats.readers.fields import LONGEST_LINE, Problems, lines


def is_json(path: Path) -> bool:
    """Whether a table holds one JSON object per line, as its name tells."""
    return path.suffix.lower() in (".jsonl", ".ndjson", ".json")


def separator_of(path: Path) -> str:
    """What the cells of a table stand apart by, as its name tells."""
    return "\t" if path.suffix.lower() in (".tsv", ".tab") else ","


def cells_of(path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Number of the first line and cells of each record, the header first."""
    csv.field_size_limit(LONGEST_LINE)
    separator = separator_of(path)
    pending = 0  # bytes of a record whose quotes may go over many lines

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
        problems.add("", f"Not readable as a table: {_in_words(error)}.", "Check the quotes of this record.")


def _in_words(error: csv.Error) -> str:
    said = str(error)
    if "unexpected end" in said:
        return "quotes that are opened in this record never close"
    if "new-line" in said:
        return "a line ends in a carriage return alone"
    if "expected after" in said:
        return "something stands behind closing quotes; quotes within a cell are doubled"
    return said


def header_of(cells: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The names of a table's columns: its first record."""
    return [name.strip() for name in next(cells, (0, []))[1]]
