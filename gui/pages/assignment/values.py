"""Values of the tab Assignment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GridCell:
    """An annotator's work on a topic. text: progress such as ``3 of 8``, empty = nothing to show."""

    is_assigned: bool
    text: str = ""
