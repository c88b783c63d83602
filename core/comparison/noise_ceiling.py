"""Agreement of annotators on a rating, an upper bound for measures."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.comparison.inference import CorrelationInputs
from core.formatting.numbers import format_correlation
from core.stats.correlation import Coefficient
from core.stats.reliability import intraclass, leave_one_out_agreement, noise_ceiling, ratings_of, split_half


@dataclass(frozen=True, slots=True)
class UpperBound:
    """Agreement of a rating's annotators; NaN = undefined.

    annotators: number of annotators.
    one: mean correlation of one annotator with the mean of the others.
    halves: correlation of two halves of the annotators.
    reliability: of the mean of all (Spearman-Brown).
    ceiling: its square root, the correlation that a measure without error would have.
    intraclass: ICC of the mean rating; absolute agreement if all annotators rated everything, else one-way.
    """

    human: str
    annotators: int
    one: float
    halves: float
    reliability: float
    ceiling: float
    intraclass: float

    def sentence(self) -> str:
        """Return the bounds as a sentence."""
        if self.annotators < 2:
            return f"{self.human}: only one annotator, so agreement is undefined."
        one, halves, top = (format_correlation(value, 3) for value in (self.one, self.halves, self.ceiling))
        return (
            f"{self.human}, {self.annotators} annotators: correlation of one with the mean of the others "
            f"{one}, of two halves {halves}; reliability of the mean of all "
            f"{format_correlation(self.reliability, 3)} (Spearman–Brown), so the ceiling for a measure "
            f"is {top}. Intraclass correlation of the mean rating: "
            f"{format_correlation(self.intraclass, 3)}."
        )


def judgement_noise_ceiling(
    human: str, sample: CorrelationInputs, draws: int = 1000, seed: int = 0
) -> UpperBound | None:
    """Return the agreement of a rating's annotators at the sample's level; None if it is not a rating.

    The ceiling is for Pearson's r; for other coefficients it is derived from r as well.
    """
    cube = sample.ratings
    if cube is None:
        return None
    each = [one.value for one in leave_one_out_agreement(cube, sample.level, sample.coefficient)]
    defined = [value for value in each if math.isfinite(value)]
    halves, _ = split_half(cube, sample.level, sample.coefficient, draws, seed)
    _, reliability = split_half(cube, sample.level, Coefficient.PEARSON, draws, seed)
    within = intraclass(ratings_of(cube, sample.level))
    return UpperBound(
        human,
        int(np.isfinite(cube).any(axis=(1, 2)).sum()),
        float(np.mean(defined)) if defined else math.nan,
        halves,
        reliability,
        noise_ceiling(reliability),
        within.agreement_mean if math.isfinite(within.agreement_mean) else within.one_way_mean,
    )
