"""How far people agree on a rating, and so how far any measure can follow it."""

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
    """What a rating's annotators reach; NaN = undefined.

    annotators: how many. one: the mean correlation of one with the mean of the others. halves: of one half of
    them with the other; reliability: of all, stepped up from it. ceiling: its root, the correlation that an
    errorless measure would have. intraclass: of the mean rating; by agreement where all rated everything,
    else as if each thing had raters of its own.
    """

    human: str
    annotators: int
    one: float
    halves: float
    reliability: float
    ceiling: float
    intraclass: float

    def sentence(self) -> str:
        """The bounds for people."""
        if self.annotators < 2:
            return f"{self.human}: one annotator, so nobody to agree with."
        one, halves, top = (format_correlation(value, 3) for value in (self.one, self.halves, self.ceiling))
        return (
            f"{self.human}: one of {self.annotators} annotators follows the mean of the others by {one}, one "
            f"half the other by {halves}; the mean of all has a reliability of "
            f"{format_correlation(self.reliability, 3)} (Spearman–Brown), so a measure without error would "
            f"reach {top}. Intraclass correlation of the mean rating: "
            f"{format_correlation(self.intraclass, 3)}."
        )


def judgement_noise_ceiling(
    human: str, sample: CorrelationInputs, draws: int = 1000, seed: int = 0
) -> UpperBound | None:
    """How far the annotators of a rating agree at the sample's level; None where it is no rating.

    The ceiling is for Pearson's r; for other coefficients it is taken from r all the same.
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
