"""Values displayed on the Hits page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gui.style.language import tr


class HitState(StrEnum):
    """Whether a summary contains a nugget; the value is its description."""

    NONE = tr("not found")
    AUTOMATIC = tr("to confirm")
    CONFIRMED = tr("found")
    PARTIAL = tr("found in part")


@dataclass(frozen=True, slots=True)
class HitCell:
    """A nugget in a summary. repetitions: number of further hits."""

    state: HitState = HitState.NONE
    repetitions: int = 0


@dataclass(frozen=True, slots=True)
class NuggetRow:
    """A nugget. step: colour of its tier, from 1 to 5. cells: one per summary."""

    nugget_id: str
    label: str
    tier: int
    step: int
    importance: str
    cells: tuple[HitCell, ...]


@dataclass(frozen=True, slots=True)
class SummaryHead:
    """A summary as a column.

    score: share of the tiers of the best nuggets, X = all units of the summary; NaN if undefined.
    system: empty while names are hidden.
    """

    summary_id: str
    position: int
    score: float
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""


@dataclass(frozen=True, slots=True)
class HitCounts:
    """Numbers of a summary's units, by which its score is explained."""

    found: int
    to_confirm: int
    repeated: int
    outside: int
    tiers: int
    units_score: float
    found_score: float
