"""Tables and figures of a report as they fit on a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.formatting.tables import CellKind, Table
from core.report.model import FigureSvg

PAGE_CHARACTERS = 124
"""Characters that fit side by side in a table on A4 at 8.5 points."""

_LONGEST_UNWRAPPED = 28
"""Longer texts are wrapped, so that their column takes what the others leave."""

_GAP = 2

_TEXT_POINTS = 482.0
"""Width of the text on A4 with margins of 2 cm."""

_NARROW, _SCALE = 0.56, 0.9
"""Width of a figure that is not wide as a share of the text's, and the scale of the others."""

_SVG_WIDTH = re.compile(r'^<svg [^>]*?\bwidth="(\d+(?:\.\d+)?)pt"')


def is_wide(table: Table, column: int) -> bool:
    """Return whether a column has texts that are wrapped."""
    if table.columns[column].is_number:
        return False
    return any(len(row[column]) > _LONGEST_UNWRAPPED for row in table.texts())


def split_wide(table: Table, limit: int = PAGE_CHARACTERS, *, is_heading_wrapped: bool = True) -> list[Table]:
    """Return a table in parts that fit on a page; each has the first column, and the last one the note.

    Columns of which the note says the same are left out.
    is_heading_wrapped: whether headings of columns can have several lines.
    """
    kept = [place for place, column in enumerate(table.columns) if not column.is_in_note]
    if len(kept) < len(table.columns):
        table = _columns(table, kept)
    widths = column_widths(table, is_heading_wrapped=is_heading_wrapped)
    if sum(widths) <= limit:
        return [table]
    groups = _filled(table, widths, limit - widths[0])
    if len(groups) == 1:
        return [table]
    for room in range(sum(widths[1:]) // len(groups), limit - widths[0]):  # parts of about the same width
        if len(even := _filled(table, widths, room)) == len(groups):
            groups = even
            break
    return [_part(table, [0, *group], number, len(groups)) for number, group in enumerate(groups, 1)]


def _filled(table: Table, widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the columns after the first one in parts that are as full as possible. room: characters."""
    groups: list[list[int]] = [[]]
    for columns in _inseparable(table):
        if groups[-1] and sum(widths[place] for place in (*groups[-1], *columns)) > room:
            groups.append([])
        groups[-1] += columns
    return groups


def _inseparable(table: Table) -> list[list[int]]:
    """Return the columns after the first one, those of one group together."""
    found: list[list[int]] = []
    for column in range(1, len(table.columns)):
        group = table.columns[column].group
        if found and group and table.columns[found[-1][-1]].group == group:
            found[-1].append(column)
        else:
            found.append([column])
    return found


def _part(table: Table, columns: Sequence[int], number: int, count: int) -> Table:
    part = _columns(table, columns)
    note = table.note if number == count else ""
    return replace(part, title=f"{table.title} (part {number} of {count})", note=note)


def _columns(table: Table, columns: Sequence[int]) -> Table:
    """Return a table with some of its columns."""
    bold = {(row, columns.index(column)) for row, column in table.bold if column in columns}
    return replace(
        table,
        columns=tuple(table.columns[column] for column in columns),
        rows=tuple(tuple(row[column] for column in columns) for row in table.rows),
        bold=frozenset(bold),
    )


def figure_rows(figures: Sequence[FigureSvg]) -> list[list[FigureSvg]]:
    """Return figures as they are placed on a page: two narrow ones side by side, others alone."""
    rows: list[list[FigureSvg]] = []
    for figure in figures:
        if rows and len(rows[-1]) == 1 and not figure.is_wide and not rows[-1][0].is_wide:
            rows[-1].append(figure)
        else:
            rows.append([figure])
    return rows


def figure_share(figure: FigureSvg, *, is_alone: bool = True) -> float:
    """Return the width of a figure as a share of the text's, or of its column's next to another figure.

    A wide figure with little in it is not enlarged.
    """
    if not is_alone:
        return 1.0
    if not figure.is_wide:
        return _NARROW
    found = _SVG_WIDTH.search(figure.light)
    return min(1.0, _SCALE * float(found[1]) / _TEXT_POINTS) if found else 1.0


def column_widths(table: Table, *, is_heading_wrapped: bool = True) -> list[int]:
    """Return the width of each column in characters; long texts are wrapped at words."""
    texts, widths = table.texts(), []
    for place, column in enumerate(table.columns):
        words = column.title.split() if is_heading_wrapped else [column.title]
        cells = max((len(row[place]) for row in texts), default=0)
        if not column.is_number:
            cells = min(cells, _LONGEST_UNWRAPPED)
        if column.kind is CellKind.CODE:
            cells = max(cells, _LONGEST_UNWRAPPED)
        widths.append(max(cells, *map(len, words), 1) + _GAP)
    return widths
