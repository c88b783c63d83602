"""Recognition of formats by the keys of a file's first row or the headings of its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import BadImport, InputError, MissingResource
from storage.formats.readers.fields import Problems
from storage.formats.readers.tables.csv_records import first_keys, has_suffix
from storage.formats.readers.tables.table_cells import SUFFIXES, cells_of, header_of


def by_names(is_header: Callable[[set[str]], bool], suffixes: Sequence[str]) -> Callable[[Path], bool]:
    """Return what recognises files of a format by the names of their columns or keys."""

    def recognises(path: Path) -> bool:
        if not has_suffix(path, suffixes):
            return False
        return is_header(headings(path) if has_suffix(path, SUFFIXES) else first_keys(path))

    return recognises


def headings(path: Path) -> set[str]:
    """Return the headings of a table, from its first line; those of the first sheet of a workbook."""
    try:
        return set(header_of(cells_of(path, Problems(path.name))))
    except (BadImport, InputError, MissingResource):
        return set()  # the reader reports the error
