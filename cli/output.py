"""Checks of the option -o: a file whose suffix selects the format, a folder, or - for standard output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, check_folder, check_writable
from storage.formats.export_registry import exports, find
from storage.formats.format_types import Export

KNOWN = (
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".txt", ".html", ".htm", ".md", ".tex", ".xml", ".zip"),
    *(".pdf", ".svg", ".png", ".xlsx", ".ods", ".docx", ".parquet"),
)
"""Suffixes of common formats, whether or not they can be written."""

_SYNONYMS = {".json": ".jsonl", ".ndjson": ".jsonl"}
"""Alternative suffixes of a format."""


def check_suffix(path: Path, accepted: Sequence[str], what: str) -> None:
    """Raise InputError where the suffix of a file is not accepted."""
    suffix = path.suffix.lower()
    if suffix and suffix not in accepted:
        listed = " or ".join(accepted)
        raise InputError(
            f"-o {path}: {what} cannot be written as {suffix}. Use {listed}, or - for standard output."
        )


def check_output_folder(folder: Path, command: str) -> None:
    """Raise InputError where -o is a file or standard output but the command writes a folder."""
    if folder == STANDARD_OUTPUT or (folder.suffix.lower() in KNOWN and not folder.is_dir()):
        raise InputError(
            f"-o {folder}: {command} writes a folder of tables and figures. Name a folder, or omit -o "
            "and use --csv or --json for tables on standard output."
        )
    check_folder(folder)


def export_to(what: str, name: str, path: Path) -> Export:
    """Return the export of some content in the named format, or else in the format of the suffix.

    Raises InputError if there is no such export, or if format and suffix contradict each other.
    """
    if not path.is_dir():
        check_writable(path)
    suffix = _SYNONYMS.get(path.suffix.lower(), path.suffix.lower())
    if name:
        chosen = find(what, name)
        if suffix in KNOWN and suffix != chosen.suffix:
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
    if chosen.suffix != suffix and suffix and (chosen.suffix or suffix in KNOWN):
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
