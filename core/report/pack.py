"""Paper pack: a folder with a report in every format, its tables, figures and references, and a manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from core.files.atomic_write import atomic_folder, atomic_write_bytes
from core.formatting.tables import to_csv
from core.progress import JobSteps, Progress
from core.report.bibliography import to_bibtex
from core.report.document import numbered_figures, numbered_tables, to_json
from core.report.docx_file import to_docx
from core.report.html import to_html
from core.report.latex import figure_file, table_file, table_latex, to_latex
from core.report.markdown import to_report_markdown
from core.report.model import Report
from core.report.pdf import figure_bytes, standalone_svg, to_pdf
from core.report.workbook import to_xlsx

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
        for done, (name, make) in enumerate(makers):
            yield Progress(done, len(makers), f"writing {name}")
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
