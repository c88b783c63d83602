"""Values displayed by the Compare page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.comparison.eligibility import RANKED, Eligibility
from core.formatting.numbers import format_correlation
from core.formatting.tables import LOWER
from gui.style.language import tr

SIGNIFICANT = 0.05
"""p below which two measures count as significantly different."""


class View(StrEnum):
    """The kinds of figure next to the table."""

    SCATTER = "scatter"
    BARS = "bars"
    INTERCORRELATION = "likeness"
    SIGNIFICANCE = "significance"
    RANKS = "ranks"
    DISTRIBUTION = "distribution"
    TOPICS = "topics"
    DISAGREEMENT = "disagreement"


class SpotKind(StrEnum):
    """The kind of spot in a figure: a dot near the pointer, a row, or a heatmap cell."""

    DOT = "dot"
    ROW = "row"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class MeasureCell:
    """One measure against one judgement.

    ranked_by: the value, negated where lower is better; the column is sorted by it.
    is_best: highest of its column by `ranked_by`.
    low, high: ends of the 95 % interval; NaN = none, or not computed yet.
    against_best: adjusted p of the difference from the best; NaN = none, or not computed yet.
    is_coming: whether the value itself is still being computed.
    no_interval: the reason why there is no interval.
    tie_threshold: for accuracy, the largest difference that counts as a tie.
    eligible: whether the measure is ranked and tested, and why not.
    can_differ: whether a difference from the best can be significant at all.
    """

    value: float
    ranked_by: float
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
    eligible: Eligibility = RANKED
    can_differ: bool = True

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def interval_text(self) -> str:
        """``.83 to 1.00``; empty without an interval."""
        if not self.has_interval:
            return ""
        return tr("{low} to {high}", low=format_correlation(self.low), high=format_correlation(self.high))

    @property
    def interval_words(self) -> list[str]:
        """The interval with its confidence, or why there is none; none where it is not known."""
        if self.has_interval:
            return [tr("95 % interval {interval_text}", interval_text=self.interval_text)]
        return [tr("no interval: {no_interval}", no_interval=self.no_interval)] if self.no_interval else []

    @property
    def is_significant(self) -> bool:
        return self.against_best < SIGNIFICANT

    @property
    def is_like_best(self) -> bool:
        """Whether the measure is tested and not significantly different from the best."""
        is_tested = self.eligible.is_ranked and not self.is_best and math.isfinite(self.against_best)
        return is_tested and self.can_differ and not self.is_significant


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure. cells: in the order of the columns. tip: its signature.

    stand_in: as ``stand-in: A for B``, empty = none.
    is_lower_better: whether it is ranked by its negated correlation.
    """

    label: str
    family: str
    tip: str
    cells: tuple[MeasureCell, ...]
    is_stale: bool = False
    stand_in: str = ""
    is_lower_better: bool = False

    @property
    def name(self) -> str:
        """The label, with an arrow if lower is better."""
        return f"{self.label}{LOWER}" if self.is_lower_better else self.label


@dataclass(frozen=True, slots=True)
class JudgementColumn:
    """A judgement as a column.

    tip: how the judgement is computed.
    facts: descriptions of its cells, the longest first; the first that fits is displayed.
    """

    key: str
    title: str
    tip: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """The table of measures and judgements.

    footer: the aggregation policy in one line.
    method: the method of intervals and tests in one line.
    warnings: sentences, the most serious first; remedy: the label of the button that addresses it.
    against_best: the two lines of the heading of p against the best; empty = no such column.
    p_method: the procedure behind p of a correlation.
    lowest: the smallest possible value.
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
    """Positions and tooltips of the spots of a figure. x, y: shape (spots,)."""

    names: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    kind: SpotKind = SpotKind.DOT


@dataclass(frozen=True, slots=True)
class FigureHeader:
    """Text above and below a figure. notes: one sentence each."""

    title: str
    fact: str
    result: str
    rest: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedTopic:
    """One topic of a system with its ranks. measure, people: ranks as text, such as ``6``.

    system: the system's name in a list of several systems, else empty.
    fact: text in place of the ranks, such as ``r .84 · n 16``; empty = the ranks.
    """

    topic_id: str
    name: str
    title: str
    measure: str
    people: str
    system: str = ""
    fact: str = ""


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
    """A system that can be included. mean: its mean judgement; NaN = not judged."""

    name: str
    mean: float
    is_in: bool
