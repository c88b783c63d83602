"""Calculations on the progress grid: totals, next cell, order by system, remaining time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from core.annotation.blind_order import blind_order
from core.domain.study import TopicTexts
from gui.annotation.match_values import FlagRow
from gui.session.topic_values import Cell, GridRow
from gui.style.language import tr

_MINUTE, _HOUR = 60.0, 3600.0


def next_cell(
    rows: Sequence[GridRow], summary_id: str, matches: Callable[[Cell], bool]
) -> tuple[str, str] | None:
    """Return topic and summary id of the next matching cell after a summary, with wrap-around.

    matches: condition on a cell.
    Returns None if no cell matches.
    """
    cells = [(row.topic_id, cell) for row in rows for cell in row.cells if cell is not None]
    at = next((i for i, (_, cell) in enumerate(cells) if cell.summary_id == summary_id), -1)
    following = (*cells[at + 1 :], *cells[: at + 1])
    return next(((topic, cell.summary_id) for topic, cell in following if matches(cell)), None)


def replace_row(rows: Sequence[GridRow], row: GridRow) -> tuple[GridRow, ...]:
    """Return the rows with the row of one topic replaced."""
    return tuple(row if old.topic_id == row.topic_id else old for old in rows)


def count_done(rows: Iterable[GridRow]) -> tuple[int, int]:
    """Return the numbers of finished summaries and of all summaries."""
    done = total = 0
    for row in rows:
        done, total = done + row.done, total + row.total
    return done, total


def arrange_by_system(rows: Sequence[GridRow]) -> tuple[tuple[str, ...], tuple[GridRow, ...]]:
    """Return the sorted systems, and the rows with one cell per system; None = no summary."""
    systems = sorted({cell.system for row in rows for cell in row.cells if cell is not None})
    arranged = []
    for row in rows:
        of_system = {cell.system: cell for cell in row.cells if cell is not None}
        arranged.append(replace(row, cells=tuple(of_system.get(system) for system in systems)))
    return tuple(systems), tuple(arranged)


def flag_rows(rows: Iterable[GridRow], *, shows_names: bool) -> tuple[FlagRow, ...]:
    """Return the summaries with a flag or a note, in grid order."""
    return tuple(
        FlagRow(
            row.topic_id,
            cell.summary_id,
            row.name,
            cell.system if shows_names else tr("summary {place}", place=place + 1),
            cell.note,
            cell.is_flagged,
        )
        for row in rows
        for place, cell in enumerate(row.cells)
        if cell is not None and (cell.is_flagged or cell.note)
    )


def seconds_per_summary(active_s: Mapping[str, float], rows: Iterable[GridRow]) -> float:
    """Return the typical active time per summary, in seconds.

    It is the median over topics of active time per finished summary. Topics are used because an annotator who
    goes through a topic SCU by SCU finishes all its summaries at once.
    active_s: active seconds by topic id.
    Returns 0 if nothing is done or no time is known, for example after an import.
    """
    paces = [
        active_s[row.topic_id] / row.done for row in rows if row.done and active_s.get(row.topic_id, 0) > 0
    ]
    return median(paces) if paces else 0.0


def duration_text(seconds: float) -> str:
    """Format a duration in minutes or hours, rounded."""
    if seconds < 1.5 * _MINUTE:
        return tr("1 min")
    if seconds < 1.5 * _HOUR:
        return tr("{seconds:.0f} min", seconds=seconds / _MINUTE)
    return f"{seconds / _HOUR:.0f} h"


def summary_order(topic: TopicTexts, annotator_id: str) -> tuple[str, ...]:
    """Return the ids of a topic's summaries in an annotator's order."""
    return blind_order((text.id for text in topic.summaries), annotator_id, topic.id)
