"""Scores of a summary by a pyramid, with every part of their arithmetic.

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
    """An SCU with its weight over the references that count."""

    scu_id: str
    label: str
    weight: int


@dataclass(frozen=True, slots=True)
class PyramidScore:
    """What a summary reached and what it could have reached.

    scus: all that have a weight, heaviest first, then as they stand in the pyramid. matched: the distinct
    ones in the summary, same order. repeats: units that repeat an SCU; outside: units that no SCU covers.
    references: how many count.
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
        """Content units in the summary, repeated and outside ones too: X of the original score."""
        return len(self.matched) + self.repeats + self.outside

    @property
    def contributions(self) -> int:
        """How often a reference expresses an SCU: the sum of all weights."""
        return sum(scu.weight for scu in self.scus)

    @property
    def average_units(self) -> int:
        """SCUs in the average reference, rounded half up as TAC's scores are: X of the modified score."""
        if not self.references:
            return 0
        return (2 * self.contributions + self.references) // (2 * self.references)

    @property
    def ideal_of_units(self) -> tuple[int, ...]:
        """Weights of the best summary with as many units as this one."""
        return max_weights(self.scus, self.units)

    @property
    def ideal_of_average(self) -> tuple[int, ...]:
        """Weights of the best summary with as many units as the average reference."""
        return max_weights(self.scus, self.average_units)

    @property
    def original(self) -> float:
        """D over the ideal of as many units, in [0, 1]: like precision. 0 without units, NaN without SCUs."""
        if not self.scus:
            return math.nan
        return self.weight / sum(self.ideal_of_units) if self.units else 0.0

    @property
    def modified(self) -> float:
        """D over the ideal of the average reference: like recall.

        Above 1 where a summary holds more than that ideal does; NaN where the ideal is empty.
        """
        ideal = sum(self.ideal_of_average)
        return self.weight / ideal if ideal else math.nan

    @property
    def comprehensive(self) -> float:
        """Harmonic mean of the original and the modified score, this capped at 1 as in DUCView 1.5."""
        precision, recall = self.original, min(self.modified, 1.0)
        if math.isnan(precision) or math.isnan(self.modified):
            return math.nan
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    @property
    def presence(self) -> float:
        """Share of the SCUs that the summary holds, weights aside, in [0, 1]; NaN without SCUs."""
        return len(self.matched) / len(self.scus) if self.scus else math.nan


def max_weights(scus: Sequence[WeightedScu], units: int) -> tuple[int, ...]:
    """The heaviest weights that so many units can hold, falling; all of them where there are fewer."""
    return tuple(sorted((scu.weight for scu in scus), reverse=True)[:units])


def weighted_scus(pyramid: Pyramid, references: Collection[str]) -> tuple[WeightedScu, ...]:
    """The SCUs that some of these references (ids) express, heaviest first, ties as they stand."""
    counting = set(references)
    weighted = (WeightedScu(scu.id, scu.label, _weight(scu, counting)) for scu in pyramid.scus)
    return tuple(sorted((scu for scu in weighted if scu.weight), key=lambda scu: -scu.weight))


class WeightedPyramid:
    """A pyramid whose SCUs are weighted by some of its references (ids), to score many summaries by.

    known: the SCUs (ids) that these references express.
    """

    def __init__(self, pyramid: Pyramid, references: Collection[str]) -> None:
        self._scus = weighted_scus(pyramid, references)
        self._references = len(set(references))
        self.known = frozenset(scu.scu_id for scu in self._scus)

    def score(self, hits: Iterable[str], outside: int) -> PyramidScore:
        """A summary with these expressions of SCUs (ids; again where it repeats one) and units outside."""
        counting = [scu_id for scu_id in hits if scu_id in self.known]
        found = set(counting)
        return PyramidScore(
            scus=self._scus,
            matched=tuple(scu for scu in self._scus if scu.scu_id in found),
            repeats=len(counting) - len(found),
            outside=outside,
            references=self._references,
        )

    def score_matches(self, matches: Sequence[Match]) -> PyramidScore:
        """A summary with these matches, all of one annotator."""
        hits = [match.scu_id for match in matches if match.scu_id is not None]
        return self.score(hits, len(matches) - len(hits))


def score_summary(pyramid: Pyramid, matches: Sequence[Match], references: Collection[str]) -> PyramidScore:
    """One annotator's matches of one summary, scored over these references (ids).

    Weights are counted anew for the references given. An SCU that none of them expresses leaves the pyramid,
    and its matches are ignored, as in sacrerouge's jackknife.
    """
    return WeightedPyramid(pyramid, references).score_matches(matches)


def score_reference(pyramid: Pyramid, reference: str, references: Collection[str]) -> PyramidScore:
    """A reference (id) scored as a system by the others among these.

    Each of its contributors is a unit of it, matched where another reference expresses the SCU. What it
    alone expresses has weight 0 in the pyramid of the others: a unit outside, as if they alone had been
    annotated (Nenkova & Passonneau 2004).
    """
    weighted = WeightedPyramid(pyramid, set(references) - {reference})
    units = matched_scus(pyramid, reference)
    hits = [scu_id for scu_id in units if scu_id in weighted.known]
    return weighted.score(hits, len(units) - len(hits))


def matched_scus(pyramid: Pyramid, reference: str) -> list[str]:
    """The SCUs (ids) that a reference (id) expresses, once for each contributor."""
    return [scu.id for scu in pyramid.scus for c in scu.contributors if c.reference_id == reference]


def _weight(scu: Scu, references: set[str]) -> int:
    return len({c.reference_id for c in scu.contributors} & references)
