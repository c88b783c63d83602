"""A summary among all of its topic."""

from __future__ import annotations

from dataclasses import dataclass

from gui.annotation.marks import Mark


@dataclass(frozen=True, slots=True)
class SummaryBlock:
    """A summary with its marks, state and score. system: empty while names are hidden.

    expressed: the SCUs that it expresses, with words or without.
    """

    id: str
    position: int
    content: str
    system: str = ""
    marks: tuple[Mark, ...] = ()
    expressed: frozenset[str] = frozenset()
    score: str = ""
    is_done: bool = False
    is_flagged: bool = False
