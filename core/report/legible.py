"""Reports whose texts are legible."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.formatting.legible_text import legible_text, printable_text
from core.formatting.tables import Table
from core.report.model import FigureSvg, Reference, Report, Section


def legible(report: Report) -> Report:
    r"""Return a report whose texts have no control characters and no marks of direction.

    They appear as escapes, such as ``\x1b`` or ``\u202e``. Words of more than a thousand characters are
    shortened, but for those in commands and drawings.
    """
    return replace(
        report,
        title=printable_text(report.title),
        about=printable_text(report.about),
        study_name=legible_text(report.study_name),
        study_file=legible_text(report.study_file),
        sections=tuple(_section(section) for section in report.sections),
        references=tuple(map(_reference, report.references)),
    )


def _section(section: Section) -> Section:
    return replace(
        section,
        title=printable_text(section.title),
        paragraphs=tuple(map(printable_text, section.paragraphs)),
        tables=tuple(map(legible_table, section.tables)),
        illustrations=tuple(map(_figure, section.illustrations)),
        code=tuple(map(legible_text, section.code)),
        cited=tuple(replace(part, text=printable_text(part.text)) for part in section.cited),
    )


def _reference(one: Reference) -> Reference:
    return replace(one, text=printable_text(one.text))


def _figure(figure: FigureSvg) -> FigureSvg:
    return replace(
        figure,
        title=printable_text(figure.title),
        caption=printable_text(figure.caption),
        light=legible_text(figure.light),
        draw_dark=lambda: legible_text(figure.draw_dark()),
    )


def legible_table(table: Table) -> Table:
    """Return a table with legible texts."""
    columns = tuple(
        replace(
            one, title=printable_text(one.title), key=printable_text(one.key), group=printable_text(one.group)
        )
        for one in table.columns
    )
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows)
    return replace(
        table, title=printable_text(table.title), columns=columns, rows=rows, note=printable_text(table.note)
    )


def _cell(cell: Any) -> Any:
    return printable_text(cell) if isinstance(cell, str) else cell
