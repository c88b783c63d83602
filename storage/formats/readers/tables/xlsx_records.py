"""Reader of the cells of an XLSX workbook, with limits for hostile files.

Values are those that a spreadsheet displays as of the last calculation: formulas are never evaluated.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.paths import printable_path
from core.names import resolve_name
from storage.formats.memory import CELL
from storage.formats.readers.fields import Problems, opened

SUFFIXES = (".xlsx", ".xlsm")
_MOST_UNPACKED = 2**31
_MOST_RATIO = 200
"""Largest ratio of unpacked to packed bytes of an honest workbook; deflate reaches 1,032."""
_SMALL = 2**24
"""Bytes up to which a file is unpacked whatever its ratio."""
_MOST_COLUMNS = 4096
_WORST_XML = 12
"""Bytes of memory per byte of the workbook's shared texts."""
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=\"([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})\"")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_LISTED = 3
_MOST_AREAS = 10_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook. is_hidden: the spreadsheet does not display it."""

    name: str
    is_hidden: bool


def sheets(path: Path) -> list[Sheet]:
    """Return the sheets with cells, in order. Raises InputError if the file is damaged or hostile."""
    with _workbook(path) as book:
        return [Sheet(one.title, one.sheet_state != "visible") for one in book.worksheets]


def _chosen(book: Any, path: Path, name: str) -> Any:
    """Return the named sheet of a workbook, else the only visible one.

    Raises InputError, which lists the sheets, if there is no such sheet or there are several visible ones.
    """
    visible = [one.title for one in book.worksheets if one.sheet_state == "visible"]
    hidden = [one.title for one in book.worksheets if one.sheet_state != "visible"]
    listed = ", ".join(visible) or "none that is visible"
    listed += f" (hidden: {', '.join(hidden)})" if hidden else ""
    file, sheets_there = printable_path(path.name), printable_path(listed)
    if name:
        return book[resolve_name(f"sheet of {file}", name, [*visible, *hidden])]
    if len(visible) != 1:
        raise InputError(f"{file} has {len(visible)} sheets: {sheets_there}. Choose one with --part.")
    return book[visible[0]]


def xlsx_cells(path: Path, problems: Problems, name: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield the number and the values of each row with values, the header first.

    name: of the sheet, empty = the only one.
    Whole numbers are ints, dates and times texts in ISO 8601, blank cells None. Merged cells have the value
    of the first. A formula without a value and an error value are problems.
    """
    with ExitStack() as stack:
        sheet = _chosen(stack.enter_context(_workbook(path)), path, name)
        areas, has_formulas = _scan(path, sheet)
        if areas:
            listed = ", ".join(area for area, _ in areas[:_LISTED]) + ("…" if len(areas) > _LISTED else "")
            problems.note(f"{len(areas):,} merged areas have their value in every cell ({listed}).", "")
        fill = _Merged([box for _, box in areas])
        rows: Iterator[Any] = _rows_of(sheet)
        if has_formulas:
            written = stack.enter_context(_workbook(path, formulas=True))[sheet.title]
            rows = _checked(rows, _rows_of(written), problems)
        width = 0
        for number, cells in enumerate(rows, 1):
            problems.place = f"row {number}"
            problems.memory.check(CELL * len(cells))
            values = fill.row(number, [_value(cell, problems) for cell in cells])
            while values and values[-1] is None:
                values.pop()
            if not values or number in problems.skipped:
                continue
            width = width or len(values)
            yield number, [*values, *[None] * (width - len(values))]


def _checked(rows: Iterator[Any], formulas: Iterator[Any], problems: Problems) -> Iterator[Any]:
    """Yield rows of values; a formula without a value is a problem, and formulas are noted."""
    calculated = 0
    for number, (cells, written) in enumerate(zip(rows, formulas, strict=False), 1):
        problems.place = f"row {number}"
        for cell, original in zip(cells, written, strict=False):
            if original.data_type == "f":
                calculated += 1
                if cell.value is None:
                    what = f"The formula in {cell.coordinate} has no stored value."
                    remedy = "Open and save the file in a spreadsheet, or replace the formula."
                    problems.add("", what, remedy)
        yield cells
    if calculated:
        problems.note(f"{calculated:,} cells with formulas have the value of their last calculation.", "")


def _rows_of(sheet: Any) -> Iterator[Any]:
    """Yield the cells of each row, without the package's warnings about features that it leaves out.

    The size that a sheet states is not used: every row would be filled up to it.
    """
    sheet.reset_dimensions()
    rows = sheet.iter_rows()
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row = next(rows, None)
        if row is None:
            return
        yield row[:_MOST_COLUMNS]


def _value(cell: Any, problems: Problems) -> Any:
    value = cell.value
    if isinstance(value, str):
        if cell.data_type == "e":
            problems.add("", f"{cell.coordinate} has the error {value[:20]}.", "Correct or clear the cell.")
            return None
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if "_x" in value else value
    if isinstance(value, float) and value.is_integer() and 0 < abs(value) < 2**53:
        return int(value)
    if isinstance(value, datetime):
        midnight = value.time() == time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return value


class _Merged:
    """Fills merged areas, row by row, with the value of their first cell."""

    def __init__(self, boxes: Sequence[tuple[int, int, int, int]]) -> None:
        self._boxes = sorted(boxes, key=lambda box: box[1])
        self._open: list[tuple[tuple[int, int, int, int], Any]] = []
        self._next = 0

    def row(self, number: int, values: list[Any]) -> list[Any]:
        """Return a row with its merged cells filled. boxes: first column and row, last column and row."""
        while self._next < len(self._boxes) and self._boxes[self._next][1] <= number:
            box = self._boxes[self._next]
            first = values[box[0] - 1] if box[1] == number and box[0] <= len(values) else None
            self._open.append((box, first))
            self._next += 1
        self._open = [one for one in self._open if one[0][3] >= number]
        for (left, _, right, _), value in self._open:
            if value is not None:
                right = min(right, _MOST_COLUMNS)
                values.extend([None] * (right - len(values)))
                values[left - 1 : right] = [value] * (right - left + 1)
        return values


def _scan(path: Path, sheet: Any) -> tuple[list[tuple[str, tuple[int, int, int, int]]], bool]:
    """Return the merged areas of a sheet, which the package's reader skips, and whether it has formulas.

    Columns and rows count from 1. Raises InputError if there are too many areas.
    """
    from openpyxl.utils.cell import range_boundaries

    found: list[tuple[str, tuple[int, int, int, int]]] = []
    has_formulas = False
    with (
        opened(path) as file,
        zipfile.ZipFile(file) as archive,
        archive.open(sheet._worksheet_path) as stream,
    ):
        rest = b""
        while chunk := stream.read(2**20):
            text = rest + chunk
            at = 0
            has_formulas = has_formulas or _FORMULA.search(text) is not None
            for match in _MERGED.finditer(text):
                area = match[1].decode()
                left, top, right, bottom = range_boundaries(area)
                if left <= right and top <= bottom:
                    found.append((area, (left, top, right, bottom)))
                at = match.end()
            if len(found) > _MOST_AREAS:
                raise InputError(
                    f"{printable_path(path.name)} has more than {_MOST_AREAS:,} merged areas. Save it as CSV."
                )
            rest = text[max(at, len(text) - 200) :]
    return found, has_formulas


@contextmanager
def _workbook(path: Path, *, formulas: bool = False) -> Iterator[Any]:
    """Open a workbook for streaming. Raises InputError if it is damaged, encrypted or too large unpacked."""
    import openpyxl

    name = printable_path(path.name)
    with opened(path) as file:
        try:
            _check_size(path, zipfile.ZipFile(file))
            file.seek(0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                book = openpyxl.load_workbook(file, read_only=True, data_only=not formulas, keep_links=False)
        except InputError:
            raise
        except Exception as error:  # the package raises anything for a damaged file
            raise InputError(_DAMAGED.format(name=name, kind=type(error).__name__)) from error
        try:
            yield book
        except (InputError, MemoryError, GeneratorExit):
            raise
        except Exception as error:  # rows are read from the file while the book is used
            raise InputError(_DAMAGED.format(name=name, kind=type(error).__name__)) from error
        finally:
            book.close()


_DAMAGED = (
    "{name} cannot be read as an XLSX workbook ({kind}): it is damaged, encrypted or of an older format. "
    "Open "
    "it in a spreadsheet and save it as XLSX without a password, or as CSV."
)


def _check_size(path: Path, archive: zipfile.ZipFile) -> None:
    """Raise InputError if a workbook is a zip bomb or its texts need too much memory."""
    from storage.formats.memory import MemoryBudget

    members = archive.infolist()
    unpacked = sum(one.file_size for one in members)
    packed = max(sum(one.compress_size for one in members), 1)
    if unpacked > _MOST_UNPACKED or (unpacked > _SMALL and unpacked > _MOST_RATIO * packed):
        raise InputError(
            f"{printable_path(path.name)} would unpack to {unpacked / 2**20:,.0f} MB, "
            f"{unpacked / packed:,.0f} "
            "times its size, and was not opened. Save the table as CSV."
        )
    kept = sum(
        one.file_size for one in members if "sharedStrings" in one.filename or "styles" in one.filename
    )
    MemoryBudget().check(2 * _WORST_XML * kept)
