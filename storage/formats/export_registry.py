"""Registry of export formats. A file is written completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, atomic_open, check_writable
from core.formatting.tables import csv_rows
from core.names import fitting_names, joined_names, resolve_name
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.export_formats import EXPORTS, PARQUET, XLSX
from storage.formats.format_types import Export
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
    """Return the export of a content and format. Raises InputError with those that may be meant."""
    every = {export.full_name: export for export in exports()}
    contents = list(dict.fromkeys(export.what for export in every.values()))
    what = resolve_name("content to export", what, contents)
    known = [export.format for export in every.values() if export.what == what]
    others = [] if fitting_names(name, known) else fitting_names(name, every)
    if 0 < len(others) < len(known):  # with more, those of the content are what is meant
        raise InputError(f"{what} cannot be exported as {name}. Did you mean {joined_names(others)}?")
    return every[f"{what} as {resolve_name(f'format of {what}', name, known)}"]


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
                f"-o {path}: --format {chosen.format} does not write {suffix}. {_where(chosen)}, or omit "
                "--format."
            )
        return _checked(chosen, path)
    what = resolve_name("content to export", what, dict.fromkeys(export.what for export in exports()))
    available = [export for export in exports() if export.what == what]
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
    count = 0
    with atomic_open(path) as file:
        for count in _written(study, export, file):
            if count % 200 == 0:
                yield Progress(0, 0, f"writing {path.name}, row {count}")
    return count


def _written(study: Study, export: Export, file: TextIO) -> Iterator[int]:
    """Write records and yield how many are written so far."""
    more = export.more(study) if export.more is not None else {}
    columns, records = (*export.columns, *more), export.records(study)
    if export.format == XLSX:
        yield from write_xlsx(file.buffer, columns, records, export.what)
    elif export.format == PARQUET:
        yield from write_parquet(
            file.buffer, columns, records, [name for name, is_number in more.items() if is_number]
        )
    elif columns:
        put = csv_rows(file, is_data=True)
        put(columns)
        for count, record in enumerate(records, 1):
            put([record.get(column, "") for column in columns])
            yield count
    else:
        for count, record in enumerate(records, 1):
            print(record["line"] if export.is_plain else json.dumps(record, ensure_ascii=False), file=file)
            yield count
