"""What -o says: a file whose suffix names the format, a folder, or - for standard output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, check_folder, check_writable
from storage.formats.export_registry import Export, exports, find

KNOWN = (
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".txt", ".html", ".htm", ".md", ".tex", ".xml", ".zip"),
    *(".pdf", ".svg", ".png", ".xlsx", ".ods", ".docx", ".parquet"),
)
"""Suffixes that name a format to everybody, whether or not it can be written."""

_ALIKE = {".json": ".jsonl", ".ndjson": ".jsonl"}
"""Other suffixes of a format."""


def check_suffix(path: Path, accepted: Sequence[str], what: str) -> None:
    """Raise InputError where a file's suffix names another format than those accepted."""
    suffix = path.suffix.lower()
    if suffix and suffix not in accepted:
        listed = " or ".join(accepted)
        raise InputError(
            f"-o {path}: {what} cannot be written as {suffix}. Use {listed}, or - for standard output."
        )


def check_output_folder(folder: Path, verb: str) -> None:
    """Raise InputError where -o names a file or standard output and the verb writes a folder."""
    if folder == STANDARD_OUTPUT or (folder.suffix.lower() in KNOWN and not folder.is_dir()):
        raise InputError(
            f"-o {folder}: {verb} writes a folder of tables and figures. Name a folder; for tables on "
            "standard output leave -o out and give --csv or --json."
        )
    check_folder(folder)


def export_to(what: str, name: str, path: Path) -> Export:
    """Return the export of a part of the study in the format that is named, else that the suffix says.

    Raises InputError where there is no such export, or name and suffix contradict each other.
    """
    if not path.is_dir():
        check_writable(path)
    suffix = _ALIKE.get(path.suffix.lower(), path.suffix.lower())
    if name:
        chosen = find(what, name)
        if suffix in KNOWN and suffix != chosen.suffix:
            raise InputError(
                f"-o {path}: --format {name} does not write {suffix}. {_where(chosen)}, or leave "
                "--format out."
            )
        return _checked(chosen, path)
    there = [export for export in exports() if export.what == what]
    if not there:
        known = ", ".join(dict.fromkeys(export.what for export in exports()))
        raise InputError(f"--what {what}: nothing is called so. There are: {known}.")
    chosen = next((export for export in there if export.suffix == suffix), there[0])
    if chosen.suffix != suffix and suffix and (chosen.suffix or suffix in KNOWN):
        listed = "; ".join(f"{_where(export)} for {export.format}" for export in there)
        raise InputError(f"-o {path}: {what} cannot be written as {path.suffix}. {listed}.")
    return _checked(chosen, path)


def _checked(export: Export, path: Path) -> Export:
    if export.fill is not None and path == STANDARD_OUTPUT:
        raise InputError(
            f"-o -: {export.what} as {export.format} are several files, which standard output cannot take. "
            "Name a folder."
        )
    return export


def _where(export: Export) -> str:
    return f"Name a file ending in {export.suffix}" if export.suffix else "Name a folder"
