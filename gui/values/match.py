"""What the page of matches shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary to match. system: empty while names are hidden."""

    id: str
    position: int
    total: int
    content: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class OutsideLine:
    """A unit of the summary that the pyramid does not have."""

    match_id: str
    words: str


@dataclass(frozen=True, slots=True)
class OwnerLine:
    """A pyramid of the topic to match against."""

    annotator_id: str
    name: str
    scus: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A summary in the grid of progress."""

    summary_id: str
    is_done: bool = False
    is_flagged: bool = False


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A topic in the grid of progress, its summaries in the annotator's order."""

    topic_id: str
    name: str
    cells: tuple[Cell, ...]
