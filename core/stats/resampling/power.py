"""Required numbers of systems or topics to distinguish two measures, by simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleCounts, ResampleUnit, draw_counts, full_sample
from core.stats.resampling.bootstrap import drop_unjudged, in_steps
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures
from core.stats.resampling.intervals import acceleration, intervals_of, jackknife, widening

Array = NDArray[np.float64]

TARGET_POWER = 0.8
"""Power that studies are usually planned for."""

SIZE_FACTORS = (0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16)
"""Sizes tried, as multiples of the study's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """Power of studies of other sizes to detect a difference.

    over: unit of the sizes, systems or topics.
    difference: of the two correlations in the study itself.
    low, high: its BCa interval over resamples of that unit, NaN = none.
    sizes: ascending.
    chances: power at each size, NaN = undefined.
    least, most: power for the smallest and the largest difference in the interval.
    needed: the smallest size with the target power, None = none of the sizes has it.
    needed_low, needed_high: the same for the largest and the smallest difference of the interval; None also
    if the interval contains 0: then no size is large enough.
    Without a difference, or with a single unit, which shows nothing of how units differ, nothing is known.
    """

    over: ResampleUnit
    difference: float
    low: float
    high: float
    sizes: tuple[int, ...]
    chances: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]
    needed: int | None
    needed_low: int | None
    needed_high: int | None

    @property
    def is_known(self) -> bool:
        """Return whether some size has a power."""
        return any(map(math.isfinite, self.chances))

    @property
    def may_be_none(self) -> bool:
        """Return whether the interval has no end, or contains 0."""
        return not self.low * self.high > 0


def power(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    over: ResampleUnit,
    pairs: Sequence[tuple[int, int]],
    sizes: Sequence[int] | None = None,
    *,
    target: float = TARGET_POWER,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> JobSteps[list[Power]]:
    """Return the power of studies of several sizes to distinguish two measures, for each pair.

    x: shape (measures, systems, topics).
    z: the judgement, shape (systems, topics), NaN = missing.
    over: systems or topics; the other unit is not resampled.
    A study of size n is simulated by drawing n units of this one with replacement, so the observed difference
    is taken as the true one; for the ends of its interval all simulated differences are shifted accordingly.
    A difference is detected if it is further from 0, on its side, than the normal quantile times its
    deviation over the simulated studies.
    """
    x, z = drop_unjudged(x, z)
    systems, topics = z.shape
    own = systems if over is ResampleUnit.SYSTEMS else topics
    tried = tuple(sorted(set(sizes or [max(3, round(own * times)) for times in SIZE_FACTORS])))
    measures = ResampledMeasures(x, z, level, coefficient)
    without_one = jackknife(z.shape, over)
    done, total = 0, 1 + draws * (1 + len(tried)) + sum(one.draws for one in without_one)

    def simulated(counts: ResampleCounts) -> JobSteps[Array]:
        nonlocal done
        values = yield from in_steps(measures, counts, done, total)
        done += counts.draws
        return _differences(values, pairs)

    here = (yield from simulated(full_sample(systems, topics)))[0]
    drawn = yield from simulated(draw_counts(systems, topics, over, draws, seed))
    left_out = []
    for one_left_out in without_one:
        left_out.append((yield from simulated(one_left_out)))
    ends = intervals_of(drawn, here, acceleration(left_out), confidence, widening(z.shape, over))
    chances = np.full((3, len(pairs), len(tried)), np.nan)
    for place, size in enumerate(tried):
        shape = (size, topics) if over is ResampleUnit.SYSTEMS else (systems, size)
        resampled = yield from simulated(draw_counts(systems, topics, over, draws, seed, shape))
        for pair, true in enumerate(here if own > 1 else ()):
            for kind, end in enumerate((true, ends.low[pair], ends.high[pair])):
                chances[kind, pair, place] = _chance(
                    resampled[:, pair] + (end - true), float(end), confidence
                )
    return [
        _power(over, float(true), (float(low), float(high)), tried, chances[:, pair], target)
        for pair, (true, low, high) in enumerate(zip(here, ends.low, ends.high, strict=True))
    ]


def _differences(values: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    """Return the difference of each pair of measures, shape (draws, pairs)."""
    one, other = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    differences: Array = values[:, one] - values[:, other]
    return differences


def _power(
    over: ResampleUnit,
    true: float,
    ends: tuple[float, float],
    sizes: tuple[int, ...],
    chances: Array,
    target: float,
) -> Power:
    """Return the power from chances of shape (3, sizes).

    chances: of the difference and of both ends of its interval.
    """
    small, large = sorted((1, 2), key=lambda kind: abs(ends[kind - 1]))
    if not ends[0] * ends[1] > 0:  # the interval holds 0, or there is none
        chances[small] = np.nan
    low, high = (required_size(sizes, chances[kind], target) for kind in (large, small))
    own, least, most = (tuple(map(float, chances[kind])) for kind in (0, small, large))
    middle = required_size(sizes, chances[0], target)
    return Power(over, true, ends[0], ends[1], sizes, own, least, most, middle, low, high)


def required_size(
    sizes: Sequence[int], chances: Sequence[float] | Array, target: float = TARGET_POWER
) -> int | None:
    """Return the smallest size with the target power, interpolated between sizes on a logarithmic scale."""
    before: tuple[int, float] | None = None
    for size, chance in zip(sizes, map(float, chances), strict=True):
        if chance >= target:
            if before is None or not before[1] < chance:
                return size
            part = (target - before[1]) / (chance - before[1])
            between: float = before[0] * (size / before[0]) ** part
            return math.ceil(between - 1e-9)
        if math.isfinite(chance):
            before = (size, chance)
    return None


def _chance(differences: Array, true: float, confidence: float) -> float:
    from scipy.special import ndtri

    defined = differences[np.isfinite(differences)]
    if defined.size < 2 or not math.isfinite(true) or true == 0:
        return math.nan
    bound = float(ndtri((1 + confidence) / 2)) * float(defined.std(ddof=1))
    return float((np.sign(true) * defined > bound).mean())
