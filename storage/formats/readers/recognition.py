"""Recognition of formats by the keys of a file's first row or the headings of its table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from core.errors import BadImport, InputError, MissingResource
from core.files.paths import access_errors
from storage.formats.readers.fields import UTF_8, Problems, decompressed, is_one_document
from storage.formats.readers.tables.csv_records import encoding_of, has_suffix
from storage.formats.readers.tables.table_cells import SUFFIXES, cells_of, header_of


def by_names(is_header: Callable[[set[str]], bool], suffixes: Sequence[str]) -> Callable[[Path], bool]:
    """Return what recognises files of a format by the names of their columns or keys."""
    return lambda path: has_suffix(path, suffixes) and is_header(keys_of(path))


def keys_of(path: Path) -> set[str]:
    """Return the headings of a table, or the keys of the first object of a file of JSON.

    A version of a file is read once, since every format asks for them.
    """
    return _keys_of_version(path, version_of(path))


def version_of(path: Path) -> tuple[int, int]:
    """Return size and time of a file, which tell whether it has changed."""
    with access_errors(path):
        status = path.stat()
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=8)
def _keys_of_version(path: Path, version: tuple[int, int]) -> set[str]:
    try:
        if has_suffix(path, SUFFIXES):
            return set(header_of(cells_of(path, Problems(path.name))))
        return _first_keys(path)
    except (BadImport, InputError, MissingResource):
        return set()  # the reader reports the error


def _first_keys(path: Path) -> set[str]:
    """Return the keys of the first object in a JSONL file, skipping up to 20 bad lines, or in an array."""
    encoding = encoding_of(path, {})
    with decompressed(path) as file:
        if is_one_document(path, encoding):
            start = file.read(2**24).decode(encoding, "replace").lstrip("\ufeff \t\r\n")
            return _keys_at_start(start.removeprefix("["))
        if encoding != UTF_8:
            return _keys_at_start(file.read(2**24).decode(encoding, "replace").lstrip("\ufeff"))
        for line in islice(iter(partial(file.readline, 2**24), b""), 20):
            if keys := _keys_at_start(line.decode("utf-8", "replace").removeprefix("\ufeff")):
                return keys
    return set()


def _keys_at_start(text: str) -> set[str]:
    """Return the keys of the object at the start of a text, empty if there is none."""
    with suppress(ValueError, RecursionError):
        row, _ = json.JSONDecoder().raw_decode(text.lstrip())
        return set(row) if isinstance(row, dict) else set()
    return set()
