"""Progress of annotation: a row of cells per topic, a cell per summary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A summary in the grid of progress. system: who wrote it; shown only where names are."""

    summary_id: str
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A topic in the grid of progress, its summaries in the annotator's order; None = no such summary."""

    topic_id: str
    name: str
    cells: tuple[Cell | None, ...]

    @property
    def done(self) -> int:
        """How many of its summaries are done."""
        return sum(cell is not None and cell.is_done for cell in self.cells)

    @property
    def total(self) -> int:
        return sum(cell is not None for cell in self.cells)
