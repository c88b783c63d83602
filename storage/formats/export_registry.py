"""Registry of export formats. A file is written completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, atomic_open, check_writable
from core.formatting.tables import csv_rows
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.export_formats import BINARY, EXPORTS, XLSX
from storage.formats.format_types import Export, Record
from storage.formats.registry import added_exports
from storage.formats.writers.binary_tables import write_parquet, write_xlsx

KNOWN_SUFFIXES = (
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".txt", ".html", ".htm", ".md", ".tex", ".xml", ".zip"),
    *(".pdf", ".svg", ".png", ".xlsx", ".ods", ".docx", ".parquet"),
)
"""Suffixes of common formats, whether or not they can be written."""

_SYNONYMS = {".json": ".jsonl", ".ndjson": ".jsonl"}
"""Alternative suffixes of a format."""


def exports() -> Sequence[Export]:
    """Return every kind of export, those of other packages last. Every CSV can be XLSX and Parquet too."""
    return (*EXPORTS, *added_exports())


def find(what: str, name: str) -> Export:
    """Return the export of a kind and format. Raises InputError that lists the available ones."""
    for export in exports():
        if (export.what, export.format) == (what, name):
            return export
    known = ", ".join(f"{e.what} as {e.format}" for e in exports())
    raise InputError(f"{what!r} cannot be exported as {name!r}. Available exports: {known}.")


def choose_export(what: str, name: str, path: Path) -> Export:
    """Return the export of some content in the named format, or else in the format of the suffix.

    Raises InputError if there is no such export, or if format and suffix contradict each other.
    """
    if not path.is_dir():
        check_writable(path)
    suffix = _SYNONYMS.get(path.suffix.lower(), path.suffix.lower())
    if name:
        chosen = find(what, name)
        if suffix in KNOWN_SUFFIXES and suffix != chosen.suffix:
            raise InputError(
                f"-o {path}: --format {name} does not write {suffix}. {_where(chosen)}, or omit --format."
            )
        return _checked(chosen, path)
    available = [export for export in exports() if export.what == what]
    if not available:
        known = ", ".join(dict.fromkeys(export.what for export in exports()))
        raise InputError(f"--what {what}: unknown content. Available: {known}.")
    candidates = [] if path == STANDARD_OUTPUT else available
    chosen = next((export for export in candidates if export.suffix == suffix), available[0])
    if chosen.suffix != suffix and suffix and (chosen.suffix or suffix in KNOWN_SUFFIXES):
        listed = "; ".join(f"{_where(export)} for {export.format}" for export in available)
        raise InputError(f"-o {path}: {what} cannot be written as {path.suffix}. {listed}.")
    return _checked(chosen, path)


def _checked(export: Export, path: Path) -> Export:
    if export.fill is not None and path == STANDARD_OUTPUT:
        raise InputError(
            f"-o -: {export.what} as {export.format} need several files and cannot be written to standard "
            "output. "
            "Name a folder."
        )
    return export


def _where(export: Export) -> str:
    return f"Name a file ending in {export.suffix}" if export.suffix else "Name a folder"


def export_steps(study: Study, export: Export, path: Path) -> JobSteps[int]:
    """Write a file or folder; returns its number of rows or files. Raises InputError if that fails."""
    if export.fill is not None:
        return (yield from export.fill(study, path))
    if export.format in BINARY:
        return (yield from _export_binary(study, export, path))
    count = 0
    with atomic_open(path) as file:
        put = _putting(export, study, file)
        for record in export.records(study):
            put(record)
            count += 1
            if count % 200 == 0:
                yield Progress(0, 0, f"writing {path.name}, row {count}")
    return count


def _export_binary(study: Study, export: Export, path: Path) -> JobSteps[int]:
    """Write a table as XLSX or Parquet; returns its number of rows."""
    count = 0
    with atomic_open(path) as file:
        out, records = file.buffer, export.records(study)
        more = export.numbers(study) if export.numbers is not None else ()
        if export.format == XLSX:
            written = write_xlsx(out, (*export.columns, *more), records, export.what)
        else:
            written = write_parquet(out, (*export.columns, *more), records, frozenset(more))
        for count in written:
            if count % 200 == 0:
                yield Progress(0, 0, f"writing {path.name}, row {count}")
    return count


def _putting(export: Export, study: Study, file: TextIO) -> Callable[[Record], None]:
    if export.is_plain:
        return lambda record: print(record["line"], file=file)
    more = export.numbers(study) if export.numbers is not None else ()
    return _table(file, (*export.columns, *more)) if export.columns else _json_lines(file)


def _json_lines(file: TextIO) -> Callable[[Record], None]:
    return lambda record: print(json.dumps(record, ensure_ascii=False), file=file)


def _table(file: TextIO, columns: Sequence[str]) -> Callable[[Record], None]:
    put = csv_rows(file, is_data=True)
    put(columns)
    return lambda record: put([record.get(column, "") for column in columns])
