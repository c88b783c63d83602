"""What the Compare page shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

SIGNIFICANT = 0.05
"""p below which two measures count as told apart."""


class View(StrEnum):
    """What stands beside the table."""

    SCATTER = "scatter"
    BARS = "bars"
    INTERCORRELATION = "likeness"
    SIGNIFICANCE = "significance"
    RANKS = "ranks"
    DISTRIBUTION = "distribution"
    DISAGREEMENT = "disagreement"


class SpotKind(StrEnum):
    """What can be pointed at in a figure: a dot near the pointer, the row beside it, the cell under it."""

    DOT = "dot"
    ROW = "row"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class MeasureCell:
    """One measure against one judgement.

    is_best: highest correlation of its column, after lower-is-better measures are negated.
    low, high: ends of the 95 % interval; NaN = none, or not computed yet.
    against_best: adjusted p of the difference from the best; NaN = none, or not computed yet.
    is_coming: whether the value itself is still being computed.
    no_interval: the reason why there is no interval.
    tie_threshold: for accuracy, the largest difference that counts as a tie.
    mark: a short note such as ``15/100 topics``, empty = complete; reason: the note as a sentence.
    is_ranked: whether the measure is ranked and tested.
    is_own: whether the measure is computed from the judgement's own annotations.
    """

    value: float
    p: float
    n: int
    dropped: int
    is_best: bool = False
    low: float = math.nan
    high: float = math.nan
    against_best: float = math.nan
    is_coming: bool = False
    no_interval: str = ""
    tie_threshold: float = math.nan
    mark: str = ""
    reason: str = ""
    is_ranked: bool = True
    is_own: bool = False

    @property
    def note(self) -> str:
        """The mark in words, as ``15/100 topics, not ranked``."""
        return self.mark if self.is_ranked else f"{self.mark}, not ranked"

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def is_significant(self) -> bool:
        """Whether chance alone would rarely put so much between it and the best."""
        return self.against_best < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure. cells: in the order of the columns. tip: its signature.

    stand_in: as ``stand-in: A for B``, empty = none.
    """

    label: str
    family: str
    tip: str
    cells: tuple[MeasureCell, ...]
    is_stale: bool = False
    stand_in: str = ""


@dataclass(frozen=True, slots=True)
class JudgementColumn:
    """A judgement as a column. tip: what counts in it, and how. facts: what stands in its cells, said
    at length, then shorter for where there is less room.
    """

    key: str
    title: str
    tip: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """The table.

    footer: the policy in one line. method: of intervals and tests, in another. warnings: sentences, the
    gravest first; remedy: what helps against that. against_best: the heading of the column of p, in two
    lines; empty = there is none. p_method: the procedure that p of a correlation is of. lowest: the least
    value there can be.
    """

    columns: tuple[JudgementColumn, ...]
    rows: tuple[MeasureRow, ...]
    fact: str
    footer: str
    method: str = ""
    warnings: tuple[str, ...] = ()
    remedy: str = ""
    against_best: tuple[str, str] = ("", "")
    p_method: str = ""
    lowest: float = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class PlotPoints:
    """Where the spots of a figure are and what is said where one is pointed at. x, y: shape (spots,)."""

    names: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    kind: SpotKind = SpotKind.DOT


@dataclass(frozen=True, slots=True)
class FigureHeader:
    """What is shown over and under a figure. notes: what a reader must know, a sentence each."""

    title: str
    fact: str
    result: str
    rest: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedTopic:
    """One topic of a system, and its ranks. measure, people: in words, as ``6``.

    system: where topics of several systems stand in one list, else empty.
    """

    topic_id: str
    name: str
    title: str
    measure: str
    people: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class SelectionDetails:
    """The selected system, or the marked summaries. key: name; fact: its ranks over all topics."""

    key: str
    fact: str
    caption: str
    topics: tuple[RankedTopic, ...]
    are_marked: bool = False


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """A system that may take part. mean: of the judgement in hand, NaN = not judged."""

    name: str
    mean: float
    is_in: bool
