"""Pyramid scores of a summary, with every part of their arithmetic.

Nenkova & Passonneau 2004 (original), Nenkova et al. 2007 and TAC 2008 (modified), DUCView 1.5
(comprehensive), Shapira et al. 2019 (presence).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.domain.pyramid import Match, Pyramid, Scu


@dataclass(frozen=True, slots=True)
class WeightedScu:
    """An SCU with its weight over the included references."""

    scu_id: str
    label: str
    weight: int


@dataclass(frozen=True, slots=True)
class PyramidScore:
    """Reached and maximum weights of a summary.

    scus: all SCUs with a weight, heaviest first, then in pyramid order.
    matched: the distinct ones in the summary, same order.
    repeats: units that repeat an SCU.
    outside: units outside the pyramid.
    references: number of included references.
    """

    scus: tuple[WeightedScu, ...]
    matched: tuple[WeightedScu, ...]
    repeats: int
    outside: int
    references: int

    @property
    def weight(self) -> int:
        """Sum of the distinct matched weights, D."""
        return sum(scu.weight for scu in self.matched)

    @property
    def units(self) -> int:
        """Content units in the summary, with repeated and outside ones: X of the original score."""
        return len(self.matched) + self.repeats + self.outside

    @property
    def contributions(self) -> int:
        """Number of expressions of SCUs in references: the sum of all weights."""
        return sum(scu.weight for scu in self.scus)

    @property
    def average_units(self) -> int:
        """SCUs in the average reference, rounded half up as in TAC's scores: X of the modified score."""
        if not self.references:
            return 0
        return (2 * self.contributions + self.references) // (2 * self.references)

    @property
    def ideal_of_units(self) -> tuple[int, ...]:
        """Weight of the best summary with as many units as this one."""
        return max_weights(self.scus, self.units)

    @property
    def ideal_of_average(self) -> tuple[int, ...]:
        """Weight of the best summary with as many units as the average reference."""
        return max_weights(self.scus, self.average_units)

    @property
    def original(self) -> float:
        """D divided by the ideal of as many units, in [0, 1]; like precision.

        0 without units, NaN without SCUs.
        """
        if not self.scus:
            return math.nan
        return self.weight / sum(self.ideal_of_units) if self.units else 0.0

    @property
    def modified(self) -> float:
        """D divided by the ideal of the average reference: like recall.

        Above 1 if a summary contains more than that ideal; NaN if the ideal is empty.
        """
        ideal = sum(self.ideal_of_average)
        return self.weight / ideal if ideal else math.nan

    @property
    def comprehensive(self) -> float:
        """Harmonic mean of the original and the modified score, the latter capped at 1 as in DUCView 1.5."""
        precision, recall = self.original, min(self.modified, 1.0)
        if math.isnan(precision) or math.isnan(self.modified):
            return math.nan
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    @property
    def presence(self) -> float:
        """Share of the SCUs that the summary contains, regardless of weight, in [0, 1]; NaN without SCUs."""
        return len(self.matched) / len(self.scus) if self.scus else math.nan


def max_weights(scus: Sequence[WeightedScu], units: int) -> tuple[int, ...]:
    """Return the highest weights that a number of units can have, descending; all if there are fewer."""
    return tuple(sorted((scu.weight for scu in scus), reverse=True)[:units])


def weighted_scus(pyramid: Pyramid, references: Collection[str]) -> tuple[WeightedScu, ...]:
    """Return the SCUs that the references (ids) express, heaviest first, ties in pyramid order."""
    counting = set(references)
    weighted = (WeightedScu(scu.id, scu.label, _weight(scu, counting)) for scu in pyramid.scus)
    return tuple(sorted((scu for scu in weighted if scu.weight), key=lambda scu: -scu.weight))


class WeightedPyramid:
    """A pyramid weighted by some of its references (ids), to score many summaries.

    known: ids of the SCUs that these references express.
    """

    def __init__(self, pyramid: Pyramid, references: Collection[str]) -> None:
        self._scus = weighted_scus(pyramid, references)
        self._references = len(set(references))
        self.known = frozenset(scu.scu_id for scu in self._scus)

    def score(self, hits: Iterable[str], outside: int) -> PyramidScore:
        """Score a summary from the SCUs it expresses and its number of outside units.

        expressed: ids of SCUs, repeated for repetitions.
        """
        counting = [scu_id for scu_id in hits if scu_id in self.known]
        matched_ids = set(counting)
        return PyramidScore(
            scus=self._scus,
            matched=tuple(scu for scu in self._scus if scu.scu_id in matched_ids),
            repeats=len(counting) - len(matched_ids),
            outside=outside,
            references=self._references,
        )

    def score_matches(self, matches: Sequence[Match]) -> PyramidScore:
        """Score a summary from the matches of one annotator."""
        hits = [match.scu_id for match in matches if match.scu_id is not None]
        return self.score(hits, len(matches) - len(hits))


def score_summary(pyramid: Pyramid, matches: Sequence[Match], references: Collection[str]) -> PyramidScore:
    """Score one annotator's matches of one summary over these references (ids).

    Weights are counted over these references. An SCU that none of them expresses leaves the pyramid,
    and its matches are ignored, as in sacrerouge's jackknife.
    """
    return WeightedPyramid(pyramid, references).score_matches(matches)


def score_reference(pyramid: Pyramid, reference: str, references: Collection[str]) -> PyramidScore:
    """Score a reference (id) as a system against the others.

    Each of its contributors is a unit, matched if another reference expresses the SCU. An SCU that only this
    reference expresses has weight 0 in the pyramid of the others: its contributor is a unit outside, as if
    only the others had been annotated (Nenkova & Passonneau 2004).
    """
    weighted = WeightedPyramid(pyramid, set(references) - {reference})
    units = matched_scus(pyramid, reference)
    hits = [scu_id for scu_id in units if scu_id in weighted.known]
    return weighted.score(hits, len(units) - len(hits))


def matched_scus(pyramid: Pyramid, reference: str) -> list[str]:
    """Return the ids of the SCUs that a reference (id) expresses, once per contributor."""
    return [scu.id for scu in pyramid.scus for c in scu.contributors if c.reference_id == reference]


def _weight(scu: Scu, references: set[str]) -> int:
    return len({c.reference_id for c in scu.contributors} & references)
