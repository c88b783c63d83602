"""Annotation progress: a row per topic, a cell per summary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A summary in the progress grid.

    system: shown only where system names are visible.
    """

    summary_id: str
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A topic in the progress grid.

    cells: its summaries in the annotator's order; None = no such summary.
    """

    topic_id: str
    name: str
    cells: tuple[Cell | None, ...]

    @property
    def done(self) -> int:
        """Number of summaries that are done."""
        return sum(cell is not None and cell.is_done for cell in self.cells)

    @property
    def total(self) -> int:
        return sum(cell is not None for cell in self.cells)
