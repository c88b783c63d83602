"""The grid of progress as numbers: totals, who is next, arranged by system, and what time is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from core.annotation.blind_order import blind_order
from core.domain.study import TopicTexts
from gui.annotation.match_values import FlagRow
from gui.session.progress_values import Cell, GridRow

_MINUTE, _HOUR = 60.0, 3600.0


def next_cell(
    rows: Sequence[GridRow], summary_id: str, is_wanted: Callable[[Cell], bool]
) -> tuple[str, str] | None:
    """Topic and summary of the next cell that is wanted after a summary, going round; None = none is."""
    cells = [(row.topic_id, cell) for row in rows for cell in row.cells if cell is not None]
    at = next((i for i, (_, cell) in enumerate(cells) if cell.summary_id == summary_id), -1)
    following = (*cells[at + 1 :], *cells[: at + 1])
    return next(((topic, cell.summary_id) for topic, cell in following if is_wanted(cell)), None)


def replace_row(rows: Sequence[GridRow], row: GridRow) -> tuple[GridRow, ...]:
    """The rows with one topic as it is now."""
    return tuple(row if old.topic_id == row.topic_id else old for old in rows)


def count_done(rows: Iterable[GridRow]) -> tuple[int, int]:
    """How many summaries are done, of how many."""
    done = total = 0
    for row in rows:
        done, total = done + row.done, total + row.total
    return done, total


def arrange_by_system(rows: Sequence[GridRow]) -> tuple[tuple[str, ...], tuple[GridRow, ...]]:
    """The systems by name, and the rows with a cell for each; None where a system has no summary."""
    systems = sorted({cell.system for row in rows for cell in row.cells if cell is not None})
    arranged = []
    for row in rows:
        of_system = {cell.system: cell for cell in row.cells if cell is not None}
        arranged.append(replace(row, cells=tuple(of_system.get(system) for system in systems)))
    return tuple(systems), tuple(arranged)


def flag_rows(rows: Iterable[GridRow], *, shows_names: bool) -> tuple[FlagRow, ...]:
    """The summaries that are flagged or noted on, in the order of the grid."""
    return tuple(
        FlagRow(
            row.topic_id,
            cell.summary_id,
            row.name,
            cell.system if shows_names else f"summary {place + 1}",
            cell.note,
            cell.is_flagged,
        )
        for row in rows
        for place, cell in enumerate(row.cells)
        if cell is not None and (cell.is_flagged or cell.note)
    )


def seconds_per_summary(worked: Mapping[str, float], rows: Iterable[GridRow]) -> float:
    """What a summary takes: per topic the active time over the summaries done, the median over topics.

    By topics, since whoever goes through all summaries of a topic SCU by SCU finishes them at once.
    worked: seconds by topic id. 0 where nothing is done yet or no time is known, as after an import.
    """
    paces = [worked[row.topic_id] / row.done for row in rows if row.done and worked.get(row.topic_id, 0) > 0]
    return median(paces) if paces else 0.0


def duration_text(seconds: float) -> str:
    """A span of time in minutes or hours, rounded."""
    if seconds < 1.5 * _MINUTE:
        return "1 min"
    if seconds < 1.5 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds / _HOUR:.0f} h"


def summary_order(topic: TopicTexts, annotator_id: str) -> tuple[str, ...]:
    """A topic's summaries in the order in which an annotator meets them."""
    return blind_order((text.id for text in topic.summaries), annotator_id, topic.id)
