"""Streaming reader of CSV and TSV records in any encoding, for files larger than memory."""

from __future__ import annotations

import codecs
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import InputError
from core.files.paths import access_errors
from core.formatting.tables import unescape_data
from core.names import resolve_name
from storage.formats.memory import CELL
from storage.formats.readers.fields import LONGEST_LINE, UTF_8, Problems, decompressed, kind_of, lines

ENCODING, SEPARATOR = "encoding", "separator"
"""Options: the encoding of a text file and the separator of a table's cells; empty = detected."""

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""Separator by name."""

_NAMES = {sign: f"{name}s" for name, sign in SEPARATORS.items()}
_SAMPLE = 2**16
_MARKS = (
    (codecs.BOM_UTF8, UTF_8),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, longer ones first."""
JSONL = (".jsonl", ".ndjson", ".json")


def is_json(path: Path) -> bool:
    """Return whether a file name is that of a JSON Lines table."""
    return kind_of(path) in JSONL


@dataclass(frozen=True, slots=True)
class Dialect:
    """Encoding and layout of a table. is_detected: the separator is not that of the file's name."""

    separator: str = ","
    encoding: str = UTF_8
    is_detected: bool = False


def dialect_of(path: Path, options: Mapping[str, str]) -> Dialect:
    """Return the dialect of a table, from the options, else from its first bytes and its name.

    Raises InputError for an unknown encoding or separator, or a file that cannot be read.
    """
    encoding = encoding_of(path, options)
    usual = "\t" if kind_of(path) in (".tsv", ".tab") else ","
    if given := options.get(SEPARATOR, ""):
        sign = given if given in _NAMES else SEPARATORS[resolve_name("separator", given, SEPARATORS)]
        return Dialect(sign, encoding)
    found = _separator(_start(path, encoding), usual)
    return Dialect(found, encoding, is_detected=found != usual)


def encoding_of(path: Path, options: Mapping[str, str]) -> str:
    """Return the encoding of a text file: the given one, else UTF-16 or UTF-32 by its first bytes, or UTF-8.

    Raises InputError for an unknown one, or a file that cannot be read.
    """
    if given := options.get(ENCODING, ""):
        try:
            codec = codecs.lookup(given)
            codec.incrementaldecoder().decode(b"", final=True)
            if not codec._is_text_encoding:
                raise LookupError(given)
        except (LookupError, TypeError, UnicodeError, ValueError) as error:
            raise InputError(
                f"Unknown encoding {given!r}. Choose one such as utf-8, utf-16, windows-1252 or shift_jis."
            ) from error
        return UTF_8 if codec.name in (UTF_8, "utf-8-sig", "ascii") else codec.name
    with decompressed(path) as file:
        start: bytes = file.read(256)
    marked = next((encoding for mark, encoding in _MARKS if start.startswith(mark)), "")
    return marked or _sixteen_bits(start) or UTF_8


def _sixteen_bits(start: bytes) -> str:
    """Return UTF-16 for bytes without a mark of which nearly every second one is zero, else an empty text."""
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = start[first::2].count(0), start[1 - first :: 2].count(0)
        if zeros > 0.8 * len(start) / 2 and not others:
            return encoding
    return ""


def _start(path: Path, encoding: str) -> str:
    with decompressed(path) as file:
        try:
            start = codecs.getincrementaldecoder(encoding)("replace").decode(file.read(_SAMPLE))
        except UnicodeError:  # UTF-16 and UTF-32 without their mark
            return ""
    return start.lstrip("\ufeff")


def _separator(start: str, usual: str) -> str:
    """Return the separator of a table: the usual one if it splits the header, else the one that splits most.

    A separator must split the first rows into the same number of cells.
    """
    counts: dict[str, int] = {}
    for sign in (usual, *(other for other in _NAMES if other != usual)):
        try:
            rows = [row for row in islice(csv.reader(io.StringIO(start), delimiter=sign), 3) if row]
        except csv.Error:
            rows = []
        if rows and len(rows[0]) > 1 and any(name.strip() for name in rows[0]):
            complete = rows[: max(len(rows) - 1, 1)]  # the last one may be cut
            if sign == usual or len({len(row) for row in complete}) == 1:
                counts[sign] = len(rows[0])
    if usual in counts:
        return usual
    return max(counts, key=counts.__getitem__, default=usual)


def csv_cells(path: Path, problems: Problems, options: Mapping[str, str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the cells of each record, header first.

    What was detected is noted. Cells that the program escaped against formulas are unescaped.
    """
    csv.field_size_limit(LONGEST_LINE)
    dialect = dialect_of(path, options)
    if dialect.is_detected:
        problems.note(f"The columns are separated by {_NAMES[dialect.separator]}.", "")
    if dialect.encoding != UTF_8 and not options.get(ENCODING):
        problems.note(f"The file is in {dialect.encoding.upper()}, by its first bytes.", "")
    pending = 0  # bytes of a record whose quoted cells may span many lines

    def source() -> Iterator[str]:
        nonlocal pending
        is_first = True
        for number, line in lines(path, problems, dialect.encoding):
            if is_first and number > 1:
                problems.stop_if_any()  # without its first line, a row would give the names of the columns
            is_first = False
            pending += 2 * sys.getsizeof(line) + CELL * line.count(dialect.separator)
            problems.memory.check(pending)
            yield line

    reader = csv.reader(source(), delimiter=dialect.separator, strict=True)
    first = 1
    try:
        for values in reader:
            pending = 0
            problems.place = f"line {first}"
            if values and problems.skipped.isdisjoint(range(first, reader.line_num + 1)):
                yield first, list(map(unescape_data, values))
            first = reader.line_num + 1
        if first == 1:
            problems.stop_if_any()  # nothing could be read
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


def has_suffix(path: Path, suffixes: Sequence[str]) -> bool:
    """Return whether a path is a file with one of these extensions, compressed or not."""
    with access_errors(path):
        return kind_of(path) in suffixes and not path.is_dir()
