"""Entries of the list of topics."""

from __future__ import annotations

from dataclasses import dataclass

from gui.style.language import tr

NOT_STARTED, IN_PROGRESS, DONE = tr("Not started"), tr("In progress"), tr("Done")


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """A topic in the list of topics.

    state: progress of the page's work on it; empty = unknown.
    """

    id: str
    name: str
    title: str
    state: str = ""


def state_text(done: int, total: int, *, is_begun: bool = False) -> str:
    """Return the state of work with `done` of `total` parts finished."""
    if done >= total > 0:
        return DONE
    if done:
        return tr("{in_progress} ({done} of {total})", in_progress=IN_PROGRESS, done=done, total=total)
    return IN_PROGRESS if is_begun else NOT_STARTED


@dataclass(frozen=True, slots=True)
class Cell:
    """A summary in the progress grid.

    system: shown only where system names are visible. is_begun: unfinished.
    """

    summary_id: str
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""
    note: str = ""
    is_begun: bool = False


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
    def is_begun(self) -> bool:
        """Whether a summary was left unfinished."""
        return any(cell is not None and cell.is_begun for cell in self.cells)

    @property
    def total(self) -> int:
        return sum(cell is not None for cell in self.cells)
