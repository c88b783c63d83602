"""What the list of figures and tables chosen for the report shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """One of them. command: what repeats it."""

    id: str
    title: str
    command: str
    is_figure: bool
