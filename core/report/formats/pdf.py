"""Export of a report as PDF, and conversion of its figures, by Typst."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from core.figures.fonts import fallback_families, font_files, page_text
from core.formatting.tables import Table
from core.report.document import bracketed, citation_numbers, numbered_figures, numbered_tables, to_json
from core.report.formats.print_layout import figure_rows, figure_share, is_wide, split_wide
from core.report.model import FigureSvg, Report, Section

DATA_FILE = "report.json"
"""Attached file that holds the report."""

_FIGURE_PAGE = """\
#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image("figure.svg")
"""
PNG_DPI = 200.0


def to_pdf(report: Report) -> bytes:
    """Return a report as PDF. Raises MissingResource without the package ``typst``."""
    with _document(report) as source:
        return _compiled(source, "pdf")[0]


def page_images(report: Report) -> list[bytes]:
    """Return each page of the PDF as a PNG of `PNG_DPI`, for printing."""
    with _document(report) as source:
        return _compiled(source, "png")


@contextmanager
def _document(report: Report) -> Iterator[Path]:
    """Yield the Typst file of a report in a temporary folder."""
    tables = {id(one.table): one.number for one in numbered_tables(report)}
    figures = list(numbered_figures(report))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, figure in enumerate(figures):
            (folder / f"{number}.svg").write_text(page_text(standalone_svg(figure.figure)), "utf-8")
        places = {id(one.figure): (place, one.number) for place, one in enumerate(figures)}
        numbers = citation_numbers(report)
        first = next((id(section) for section in report.appendix), 0)
        document = {
            "title": report.title,
            "about": report.about,
            "sections": [
                _section(section, first, tables, places) | {"cited": _cited(section, numbers)}
                for section in report.sections
            ],
            "fonts": fallback_families(),
            "references": [one.text for one in report.references],
        }
        contents = page_text(json.dumps(document, ensure_ascii=False))
        (folder / "contents.json").write_text(contents, "utf-8")
        (folder / DATA_FILE).write_text(to_json(report), "utf-8", newline="")
        template = files("resources").joinpath("templates/report.typ").read_text(encoding="utf-8")
        (folder / "report.typ").write_text(template, "utf-8")
        yield folder / "report.typ"


def figure_bytes(figure: FigureSvg, kind: Literal["pdf", "png"]) -> bytes:
    """Return a figure for light mode as ``pdf`` or ``png``."""
    with _page_of(figure) as page:
        return _compiled(page, kind)[0]


@contextmanager
def _page_of(figure: FigureSvg) -> Iterator[Path]:
    """Yield a Typst file whose only page is a figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "figure.svg").write_text(page_text(standalone_svg(figure)), "utf-8")
        page = folder / "figure.typ"
        page.write_text(_FIGURE_PAGE, "utf-8")
        yield page


def standalone_svg(figure: FigureSvg) -> str:
    """Return a figure for light mode as an SVG file."""
    svg = figure.light
    if 'xmlns="' not in svg.split(">", 1)[0]:
        svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{svg}\n'


def _compiled(source: Path, kind: Literal["pdf", "png"]) -> list[bytes]:
    """Return a PDF, or a PNG of each page."""
    import typst

    # not matplotlib's own folder: its font of last resort has a box for every character
    fonts = source.parent / "fonts"
    fonts.mkdir()
    for number, file in enumerate(font_files()):
        place = fonts / f"{number}-{file.name}"  # several folders have files of one name
        try:
            place.symlink_to(file)
        except OSError:  # Windows allows links only to administrators
            shutil.copyfile(file, place)
    root, folders = str(source.parent), [str(fonts)]
    made = typst.compile(str(source), root=root, font_paths=folders, format=kind, ppi=PNG_DPI)
    return made if isinstance(made, list) else [made]


def _cited(section: Section, numbers: dict[str, int]) -> list[dict[str, str]]:
    """Return the parts of a paragraph; to: number of the first reference, empty = none."""
    return [
        {
            "text": part.text,
            "numbers": bracketed(part.keys, numbers),
            "to": str(min(numbers[key] for key in part.keys)) if part.keys else "",
            "end": part.end,
        }
        for part in section.cited
    ]


def _section(
    section: Section, first: int, tables: dict[int, str], places: dict[int, tuple[int, str]]
) -> dict[str, Any]:
    return {
        "title": section.title,
        "begins_appendix": id(section) == first,
        "paragraphs": list(section.paragraphs),
        "code": list(section.code),
        "tables": [_table(part, tables[id(one)]) for one in section.tables for part in split_wide(one)],
        "figures": [
            [
                {
                    "title": one.title,
                    "caption": one.caption,
                    "file": f"{places[id(one)][0]}.svg",
                    "number": places[id(one)][1],
                    "width": 100 * figure_share(one, is_alone=len(row) == 1),
                }
                for one in row
            ]
            for row in figure_rows(section.illustrations)
        ],
    }


def _table(table: Table, number: str) -> dict[str, Any]:
    columns = [
        {
            "title": column.title,
            "is_number": column.is_number,
            "kind": column.kind.value,
            "is_wide": is_wide(table, place),
        }
        for place, column in enumerate(table.columns)
    ]
    return {
        "title": table.title,
        "number": number,
        "groups": [{"title": title, "count": count} for title, count in table.heading_groups()],
        "columns": columns,
        "rows": table.texts(),
        "note": table.note,
        "bold": sorted(map(list, table.bold)),
    }
