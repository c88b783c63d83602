"""Means and mean differences of paired values, with bootstrap intervals and permutation tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import GRAIN, normalize, varies
from core.stats.soft_pairwise_accuracy import random_signs

Array = NDArray[np.float64]

FEWEST = 5
"""Fewer pairs have neither an interval nor a test."""

_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of second minus first over the pairs that have both; NaN = undefined.

    first, second: means over these pairs. low, high: 95 % BCa interval over pairs. p: two-sided.
    """

    pairs: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    p: float


def paired_differences(values: Array, draws: int = 10_000, seed: int = 0) -> list[PairedDifference]:
    """Compare both sides of each row.

    values: shape (rows, pairs, 2), NaN = missing.
    p counts, among random exchanges of the two values of each pair, the sums of differences that are at
    least as far from 0; the sample itself is counted, so p is never 0.
    """
    return [_compared(row[np.isfinite(row).all(axis=1)], draws, seed) for row in values]


def exchange_p(values: Array, signs: Array) -> Array:
    """Return the two-sided p of paired differences in each row, by exchanges of the two values of each pair.

    values: shape (rows, pairs, 2), without NaN. signs: shape (draws, pairs), see `random_signs`.
    The sample itself is counted, so p is never 0.
    """
    p, slack = np.empty(len(values)), GRAIN * values.shape[1]
    step = max(1, _CELLS_AT_ONCE // len(signs))
    for first in range(0, len(values), step):
        some = normalize(values[first : first + step], axis=(1, 2))
        differences = some[:, :, 1] - some[:, :, 0]
        extreme = np.abs(signs @ differences.T) >= np.abs(differences.sum(axis=1)) - slack
        p[first : first + step] = (1 + extreme.sum(axis=0)) / (1 + len(signs))
    return p


def _compared(pairs: Array, draws: int, seed: int) -> PairedDifference:
    count = len(pairs)
    if not count:
        return PairedDifference(0, *[math.nan] * 6)
    differences = pairs[:, 1] - pairs[:, 0]
    first, second = (float(mean) for mean in pairs.mean(axis=0))
    if count < FEWEST:
        return PairedDifference(count, first, second, float(differences.mean()), *[math.nan] * 3)
    (p,) = exchange_p(pairs[None], random_signs(count, draws, seed)).tolist()
    low, high = _interval(pairs, draws, seed)
    return PairedDifference(count, first, second, float(differences.mean()), low, high, p)


def mean_intervals(values: Array, draws: int, seed: int = 0) -> tuple[Array, Array, list[str]]:
    """Return the ends of the 95 % interval of each row's mean, NaN = none, and why there is none.

    values: shape (rows, n), NaN = missing.
    """
    ends, reasons = np.full((2, len(values)), np.nan), [""] * len(values)
    for at, row in enumerate(values):
        there = row[np.isfinite(row)]
        if len(there) < FEWEST:
            reasons[at] = f"no interval: only {len(there)} topic{'s' * (len(there) != 1)}"
        elif np.ptp(there) == 0:
            reasons[at] = "no interval: the same value in every topic"
        else:
            ends[:, at] = mean_interval(there, draws, seed)
    return ends[0], ends[1], reasons


def mean_interval(values: Array, draws: int = 10_000, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % BCa bootstrap interval of the mean of a sample.

    values: shape (n,), not constant, without NaN.
    Returns NaN where the resamples give no interval.
    Source: Efron 1987. The ends are those of `scipy.stats.bootstrap`, which takes seconds to import.
    """
    from scipy.special import ndtr, ndtri

    count = len(values)
    means = values[_drawn(count, draws, seed)].mean(axis=-1)
    mean = values.mean()
    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / (2 * draws)
    left_out = np.array([np.delete(values, at).mean() for at in range(count)])
    influence = (count - 1) * (left_out.mean() - left_out)
    spread = (influence**2).sum() / count**2
    acceleration = (influence**3).sum() / count**3 / (6 * spread**1.5) if spread > 0 else math.nan
    bias = ndtri(below)
    ends = bias + ndtri((0.025, 0.975))
    levels = ndtr(bias + ends / (1 - acceleration * ends))
    if not np.isfinite(levels).all():
        return math.nan, math.nan
    low, high = np.quantile(means, levels).tolist()
    return low, high


@lru_cache(maxsize=2)
def _drawn(count: int, draws: int, seed: int) -> NDArray[np.int64]:
    """Return the indices of each resample, shape (draws, count), the same for all samples of one size."""
    return np.random.default_rng(seed).integers(0, count, (draws, count))


def _interval(pairs: Array, draws: int, seed: int) -> tuple[float, float]:
    if not varies(np.subtract(*normalize(pairs).T)):
        return math.nan, math.nan
    return mean_interval(pairs[:, 1] - pairs[:, 0], draws, seed)
