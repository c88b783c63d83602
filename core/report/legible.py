"""Legible texts: what no format can hold, or what hides or turns other text, is escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, TypeVar

from core.files.paths import escape_control_characters
from core.formatting.tables import Table
from core.report.model import FigureSvg, Reference, Report, Section

T = TypeVar("T")

_LONGEST_WORD, _SHOWN = 1000, 100
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD},}}")
"""Words that no page can hold; signatures and digests are shorter."""

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
"""Marks of direction, which could turn the text around them, line separators and no characters."""


def legible(report: Report) -> Report:
    r"""Return a report whose texts have no control characters and no marks of direction.

    They appear as escapes, such as ``\x1b`` or ``\u202e``. Words of more than a thousand characters are
    shortened, but for those in commands and drawings.
    """
    return replace(
        report,
        title=_printable(report.title),
        about=_printable(report.about),
        study_name=legible_text(report.study_name),
        study_file=legible_text(report.study_file),
        sections=tuple(_section(section) for section in report.sections),
        references=tuple(map(_reference, report.references)),
    )


def _section(section: Section) -> Section:
    return replace(
        section,
        title=_printable(section.title),
        paragraphs=tuple(map(_printable, section.paragraphs)),
        tables=tuple(map(_table, section.tables)),
        illustrations=tuple(map(_figure, section.illustrations)),
        code=tuple(map(legible_text, section.code)),
        cited=tuple(replace(part, text=_printable(part.text)) for part in section.cited),
    )


def _reference(one: Reference) -> Reference:
    return replace(one, text=_printable(one.text))


def _figure(figure: FigureSvg) -> FigureSvg:
    return replace(
        figure,
        title=_printable(figure.title),
        caption=_printable(figure.caption),
        light=legible_text(figure.light),
        dark=legible_text(figure.dark),
    )


def _table(table: Table) -> Table:
    columns = tuple(
        replace(one, title=_printable(one.title), key=_printable(one.key), group=_printable(one.group))
        for one in table.columns
    )
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows)
    return replace(
        table, title=_printable(table.title), columns=columns, rows=rows, note=_printable(table.note)
    )


def _cell(cell: Any) -> Any:
    return _printable(cell) if isinstance(cell, str) else cell


def _printable(text: str) -> str:
    """Return a legible text whose words fit on a page."""
    return _LONG_WORD.sub(
        lambda word: f"{word[0][:_SHOWN]}… ({len(word[0]):,} characters)", legible_text(text)
    )


def legible_text(text: str) -> str:
    """Return a text without control characters and marks of direction."""
    return _DIRECTIONS.sub(lambda found: f"\\u{ord(found[0]):04x}", escape_control_characters(text))
