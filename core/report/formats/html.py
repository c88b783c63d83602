"""Export of a report as a self-contained HTML file and as CSV files."""

from __future__ import annotations

import base64
import re
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from core.figures.palette import DARK, LIGHT, Palette
from core.files import file_names
from core.files.atomic_write import atomic_folder, atomic_open
from core.formatting.tables import Table, to_csv
from core.report.document import bracketed, citation_numbers, numbered_figures, numbered_tables, to_json
from core.report.model import Report


def to_html(report: Report) -> str:
    """Return the complete page with embedded styles, tables and figures, light or dark like the desktop."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["csv_link"] = _csv_link
    environment.filters["file_name"] = file_name
    environment.filters["breakable"] = _breakable
    environment.filters["bracketed"] = bracketed
    source = files("resources").joinpath("templates/report.html").read_text(encoding="utf-8")
    page = environment.from_string(source)
    data = base64.b64encode(to_json(report).encode()).decode()
    tables = {id(one.table): one.number for one in numbered_tables(report)}
    figures = {id(one.figure): one.number for one in numbered_figures(report)}
    shown = page.render(
        report=report,
        data=data,
        table_numbers=[[tables[id(one)] for one in section.tables] for section in report.sections],
        figure_numbers=[[figures[id(one)] for one in section.illustrations] for section in report.sections],
        day=_variables(LIGHT),
        night=_variables(DARK),
        citations=citation_numbers(report),
    )
    return f"{shown}\n"


def write_html(report: Report, path: Path) -> None:
    """Write the page atomically. Raises InputError if the file cannot be written."""
    _write(path, to_html(report))


def write_csv(report: Report, folder: Path) -> list[Path]:
    """Write every table as a CSV file, all or none, and return their paths. Raises InputError."""
    tables = [table for section in report.sections for table in section.tables]
    # numbered, since two tables can have the same title
    names = [f"{number:02d}-{file_name(table)}" for number, table in enumerate(tables, start=1)]
    with atomic_folder(folder) as part:
        for name, table in zip(names, tables, strict=True):
            _write(part / name, to_csv(table))
    return [folder / name for name in names]


def file_name(table: Table) -> str:
    """Return the CSV file name of a table, from its title."""
    return file_names.file_name(re.sub(r"[^a-z0-9]+", "-", table.title.lower()).strip("-") or "table", ".csv")


def _write(path: Path, text: str) -> None:
    with atomic_open(path) as file:
        file.write(text)


def _csv_link(table: Table) -> str:
    return f"data:text/csv;charset=utf-8;base64,{base64.b64encode(to_csv(table).encode()).decode()}"


def _breakable(code: str) -> list[str]:
    """Return a signature in parts between which a line can break."""
    return re.findall(r"[^|;]*[|;]|[^|;]+", code)


def _variables(palette: Palette) -> dict[str, str]:
    """Return a palette's colours as CSS variables."""
    return {name.replace("_", "-"): value for name, value in asdict(palette).items() if name != "font"}
