"""Agreement of annotators on a rating, and the ceiling of a measure's correlation with it.

The ceiling is the square root of the reliability of the mean of all annotators. One annotator's correlation
with the mean of the others is no ceiling: a measure, which is compared with the mean of all, can exceed it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison.inference import CorrelationInputs
from core.formatting.numbers import format_correlation, pluralize
from core.matrix import Array, nanmean_first_axis
from core.progress import JobSteps
from core.stats.correlation import Coefficient
from core.stats.reliability import intraclass, leave_one_out_agreement, noise_ceiling, ratings_of, split_half
from core.stats.resample_counts import ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap import in_steps
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures
from core.stats.resampling.intervals import MIN_UNITS, acceleration, intervals_of, jackknife, widening

FEWEST_ANNOTATORS = 5
"""Agreement of fewer says little about other annotators; the interval is over systems and topics only."""


ONE_ANNOTATOR = "one annotator"
"""Name of the correlation of one annotator with the mean of the others, in tables, figures and exports."""

ONE_ANNOTATOR_NOTE = f"{ONE_ANNOTATOR}: with the mean of the others; not a measure, and no upper bound of one"


@dataclass(frozen=True, slots=True)
class UpperBound:
    """Agreement of a rating's annotators; NaN = undefined.

    annotators: number of annotators.
    one: mean correlation of one annotator with the mean of the others.
    low, high: its 95 % interval over systems and topics.
    halves: correlation of two halves of the annotators.
    reliability: of the mean of all (Spearman-Brown).
    ceiling: its square root, the correlation that a measure without error would have.
    intraclass: ICC of the mean rating; absolute agreement if all annotators rated everything, else one-way.
    note: why the numbers may mislead, empty = no reason known.
    """

    human: str
    annotators: int
    one: float
    low: float
    high: float
    halves: float
    reliability: float
    ceiling: float
    intraclass: float
    note: str = ""

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def short_text(self) -> str:
        """The correlation of one annotator in words, for a line below a table or figure; empty = none."""
        if not math.isfinite(self.one):
            return ""
        mark = f" ({self.note})" if self.note else ""
        return f"{ONE_ANNOTATOR} with the mean of the others (of {self.annotators}) {self.one_text}{mark}"

    @property
    def one_text(self) -> str:
        """The correlation of one annotator with its interval, such as ``.81 (.74 to .86)``."""
        value = format_correlation(self.one, 3)
        if not self.has_interval:
            return value
        return f"{value} (95 %: {format_correlation(self.low, 3)} to {format_correlation(self.high, 3)})"

    def sentence(self) -> str:
        """Return the bounds as a sentence."""
        if self.annotators < 2:
            return f"{self.human}: only one annotator, so agreement is undefined."
        halves, top = (format_correlation(value, 3) for value in (self.halves, self.ceiling))
        return (
            f"{self.human}, {self.annotators} annotators: {ONE_ANNOTATOR} with the mean of the others "
            f"{self.one_text}, of two halves {halves}; reliability of the mean of all "
            f"{format_correlation(self.reliability, 3)} (Spearman–Brown), so the ceiling for a measure "
            f"is {top}. Intraclass correlation of the mean rating: "
            f"{format_correlation(self.intraclass, 3)}." + (f" Caution: {self.note}." if self.note else "")
        )


def judgement_noise_ceiling(
    human: str, inputs: CorrelationInputs, draws: int = 1000, seed: int = 0
) -> JobSteps[UpperBound | None]:
    """Return the agreement of a rating's annotators at the level of the inputs; None if it is not a rating.

    The ceiling is for Pearson's r; for other coefficients it is derived from r as well.
    draws: splits of the annotators, and resamples of systems and topics.
    """
    cube = inputs.ratings
    if cube is None:
        return None
    cube = cube[np.isfinite(cube).reshape(len(cube), -1).any(axis=1)]
    low, high = yield from _interval_of_one(cube, inputs, draws, seed)
    each = [one.value for one in leave_one_out_agreement(cube, inputs.level, inputs.coefficient)]
    defined = [value for value in each if math.isfinite(value)]
    halves, _ = split_half(cube, inputs.level, inputs.coefficient, draws, seed)
    _, reliability = split_half(cube, inputs.level, Coefficient.PEARSON, draws, seed)
    within = intraclass(ratings_of(cube, inputs.level))
    annotators = int(np.isfinite(cube).any(axis=(1, 2)).sum())
    return UpperBound(
        human,
        annotators,
        float(np.mean(defined)) if defined else math.nan,
        low,
        high,
        halves,
        reliability,
        noise_ceiling(reliability),
        within.agreement_mean if math.isfinite(within.agreement_mean) else within.one_way_mean,
        "; ".join(_doubts(annotators, reliability, low)),
    )


def _doubts(annotators: int, reliability: float, low: float) -> Iterator[str]:
    """Yield why the numbers may mislead."""
    if annotators < FEWEST_ANNOTATORS:
        yield f"only {pluralize(annotators, 'annotator')}: others may agree more or less"
    if annotators > 1 and not reliability > 0:
        yield "reliability undefined or not above 0: there is no ceiling"
    if annotators > 1 and not math.isfinite(low):
        yield "no interval: too few systems, or undefined in most resamples"


def _interval_of_one(
    cube: Array, inputs: CorrelationInputs, draws: int, seed: int
) -> JobSteps[tuple[float, float]]:
    """Return the BCa interval of the mean correlation of one annotator with the mean of the others.

    Systems and topics are resampled, the same for each annotator; NaN = none.
    """
    judged: NDArray[np.bool_] = np.asarray(np.isfinite(cube).any(axis=0))
    rows, columns = np.flatnonzero(judged.any(axis=1)), np.flatnonzero(judged.any(axis=0))
    if len(cube) < 2 or len(rows) < MIN_UNITS:
        return math.nan, math.nan
    cube = cube[:, rows][:, :, columns]
    both, shape = ResampleUnit.BOTH, (len(rows), len(columns))
    samples = [draw_counts(*shape, both, draws, seed), full_sample(*shape), *jackknife(shape, both)]
    each = sum(counts.draws for counts in samples)
    found: list[list[Array]] = [[] for _ in samples]
    for who in range(len(cube)):
        others = nanmean_first_axis(np.delete(cube, who, axis=0))
        one = ResampledMeasures(cube[who][None], others, inputs.level, inputs.coefficient)
        done = who * each
        for counts, values in zip(samples, found, strict=True):
            values.append((yield from in_steps(one, counts, done, len(cube) * each)))
            done += counts.draws
    drawn, whole, *left_out = (nanmean_first_axis(np.array(values)) for values in found)
    ends = intervals_of(drawn, whole[0], acceleration(left_out), wider=widening(shape, both))
    return float(ends.low[0]), float(ends.high[0])
