"""Write a report in the format of the file's suffix, or a folder with all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import atomic_write_bytes
from core.progress import JobSteps, Progress
from core.report.bibliography import to_bibtex
from core.report.document import to_json
from core.report.docx_file import to_docx
from core.report.html import to_html
from core.report.model import Report
from core.report.pack import write_pack
from core.report.pdf import to_pdf
from core.report.workbook import to_xlsx

_WRITERS: Mapping[str, Callable[[Report], bytes]] = {
    ".html": lambda report: to_html(report).encode(),
    ".htm": lambda report: to_html(report).encode(),
    ".pdf": to_pdf,
    ".docx": to_docx,
    ".xlsx": to_xlsx,
    ".json": lambda report: to_json(report).encode(),
    ".bib": lambda report: to_bibtex(report).encode(),
}
SUFFIXES = tuple(_WRITERS)
"""Suffixes of single files."""

IN_FOLDERS = (".tex", ".md")
"""Suffixes of formats with several files, which are written as a folder."""

TITLES = {
    ".html": "Web page",
    ".pdf": "PDF",
    ".docx": "Word document",
    ".xlsx": "Tables (XLSX)",
    ".json": "Numbers (JSON)",
    ".bib": "References (BibTeX)",
}
"""Names of the formats for users."""


def check_format(path: Path) -> None:
    """Raise InputError where a path's suffix is not one of a report."""
    suffix = path.suffix.lower()
    if suffix in IN_FOLDERS:
        raise InputError(
            f"A report as {suffix} consists of several files. Name a folder: it receives every format."
        )
    if suffix and suffix not in _WRITERS:
        listed = ", ".join(name for name in SUFFIXES if name != ".htm")
        raise InputError(
            f"A report cannot be written as {suffix}. Use {listed}, or name a folder for all formats."
        )


def write_report(report: Report, path: Path) -> JobSteps[list[Path]]:
    """Write a report and return the paths of its files; a path without a suffix is a folder.

    Raises InputError for an unknown format, or where the files cannot be written, and MissingResource where
    a package is missing.
    """
    check_format(path)
    if path.suffix.lower() not in _WRITERS:
        return (yield from write_pack(report, path))
    yield Progress(0, 0, f"writing {path.name}")
    atomic_write_bytes(path, _WRITERS[path.suffix.lower()](report))
    return [path]
