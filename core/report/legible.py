"""Legible texts: what no format can hold, or what hides or turns other text, is escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, TypeVar

from core.files.paths import escape_control_characters
from core.formatting.tables import Table
from core.report.model import FigureSvg, Report, Section

T = TypeVar("T")

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
"""Marks of direction, which could turn the text around them, line separators and no characters."""


def legible(report: Report) -> Report:
    r"""Return a report whose texts have no control characters and no marks of direction.

    They appear as escapes, such as ``\x1b`` or ``\u202e``.
    """
    return replace(
        report,
        title=legible_text(report.title),
        about=legible_text(report.about),
        study_name=legible_text(report.study_name),
        study_file=legible_text(report.study_file),
        sections=tuple(_section(section) for section in report.sections),
    )


def _section(section: Section) -> Section:
    return replace(
        section,
        title=legible_text(section.title),
        paragraphs=tuple(map(legible_text, section.paragraphs)),
        tables=tuple(map(_table, section.tables)),
        illustrations=tuple(map(_figure, section.illustrations)),
        code=tuple(map(legible_text, section.code)),
    )


def _figure(figure: FigureSvg) -> FigureSvg:
    return replace(
        figure,
        title=legible_text(figure.title),
        caption=legible_text(figure.caption),
        light=legible_text(figure.light),
        dark=legible_text(figure.dark),
    )


def _table(table: Table) -> Table:
    columns = tuple(
        replace(one, title=legible_text(one.title), key=legible_text(one.key), group=legible_text(one.group))
        for one in table.columns
    )
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows)
    return replace(
        table, title=legible_text(table.title), columns=columns, rows=rows, note=legible_text(table.note)
    )


def _cell(cell: Any) -> Any:
    return legible_text(cell) if isinstance(cell, str) else cell


def legible_text(text: str) -> str:
    """Return a text without control characters and marks of direction."""
    return _DIRECTIONS.sub(lambda found: f"\\u{ord(found[0]):04x}", escape_control_characters(text))
