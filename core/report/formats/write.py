"""Write a report in the format of the file's suffix, or a folder with all of them: the paper pack."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_write_bytes
from core.formatting.tables import to_csv
from core.progress import JobSteps, Progress
from core.report.bibliography import to_bibtex
from core.report.document import numbered_figures, numbered_tables, to_json
from core.report.formats.html import to_html
from core.report.formats.latex import figure_file, table_file, table_latex, to_latex
from core.report.formats.markdown import to_report_markdown
from core.report.formats.pdf import figure_bytes, standalone_svg, to_pdf
from core.report.formats.word import to_docx
from core.report.formats.workbook import to_xlsx
from core.report.model import Report

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

MANIFEST = "manifest.json"
README = """\
Report of a study of summarization evaluation, made by Pyramidion.

report.html, report.pdf, report.docx, report.md   the report, the same in each
report.tex, references.bib                        for LaTeX: latexmk -pdf report, or -lualatex
tables/                                           each table as LaTeX (for \\input) and CSV (full precision)
figures/                                          each figure as PDF and SVG
tables.xlsx                                       all tables in one workbook
report.json                                       every number; read by `pyramidion replay`
manifest.json                                     SHA-256 of every file
"""


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
    if path.suffix.lower() in (".html", ".htm"):
        yield from _draw_dark(report)
    yield Progress(0, 0, f"writing {path.name}")
    atomic_write_bytes(path, _WRITERS[path.suffix.lower()](report))
    return [path]


def _draw_dark(report: Report, further: int = 0) -> JobSteps[int]:
    """Draw the figures for dark mode, which stay drawn, and return their number.

    further: steps that follow.
    """
    drawn = list(numbered_figures(report))
    for done, one in enumerate(drawn):
        yield Progress(done, len(drawn) + further, f"drawing {one.figure.title}")
        one.figure.draw_dark()
    return len(drawn)


def write_pack(report: Report, folder: Path) -> JobSteps[list[Path]]:
    """Write all files of a pack, or none, and return their paths. Raises InputError where that fails."""
    makers: list[tuple[str, Callable[[], bytes]]] = [
        ("report.json", lambda: to_json(report).encode()),
        ("report.html", lambda: to_html(report).encode()),
        ("report.pdf", lambda: to_pdf(report)),
        ("report.docx", lambda: to_docx(report)),
        ("report.md", lambda: to_report_markdown(report).encode()),
        ("report.tex", lambda: to_latex(report).encode()),
        ("references.bib", lambda: to_bibtex(report).encode()),
        ("tables.xlsx", lambda: to_xlsx(report)),
        ("README.txt", README.encode),
    ]
    for table in numbered_tables(report):
        name = table_file(table)
        makers.append((f"tables/{name}", lambda one=table: table_latex(one).encode()))  # type: ignore[misc]
        csv_name = name.removesuffix(".tex") + ".csv"
        makers.append((f"tables/{csv_name}", lambda one=table: to_csv(one.table).encode()))  # type: ignore[misc]
    for figure in numbered_figures(report):
        pdf, svg = figure_file(figure, ".pdf"), figure_file(figure, ".svg")
        makers.append((f"figures/{pdf}", lambda one=figure: figure_bytes(one.figure, "pdf")))  # type: ignore[misc]
        makers.append((f"figures/{svg}", lambda one=figure: standalone_svg(one.figure).encode()))  # type: ignore[misc]
    digests: dict[str, str] = {}
    with atomic_folder(folder) as part:
        drawn = yield from _draw_dark(report, len(makers))
        for done, (name, make) in enumerate(makers, start=drawn):
            yield Progress(done, drawn + len(makers), f"writing {name}")
            content = make()
            file = part / name
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic_write_bytes(file, content)
            digests[name] = hashlib.sha256(content).hexdigest()
        manifest = {
            "program": {"name": "pyramidion", "version": version("pyramidion")},
            "study": {"name": report.study_name, "sha256": report.study_digest},
            "files": dict(sorted(digests.items())),
        }
        atomic_write_bytes(
            part / MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
        )
    return [folder / name for name in (*digests, MANIFEST)]
