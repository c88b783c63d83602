"""Mean differences of paired values, with bootstrap intervals and permutation tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.soft_pairwise_accuracy import random_signs

Array = NDArray[np.float64]

FEWEST = 5
"""Fewer pairs have neither an interval nor a test."""

_ROUNDING = 1e-12


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


def exchange_p(differences: Array, signs: Array) -> float:
    """Return the two-sided p of paired differences, by exchanges of the two values of each pair.

    differences: shape (pairs,), without NaN. signs: shape (draws, pairs), see `random_signs`.
    The sample itself is counted, so p is never 0.
    """
    sums = signs @ differences
    slack = _ROUNDING * len(differences) * max(1.0, float(np.abs(differences).max(initial=0.0)))
    return float((1 + (np.abs(sums) >= abs(differences.sum()) - slack).sum()) / (1 + len(signs)))


def _compared(pairs: Array, draws: int, seed: int) -> PairedDifference:
    count = len(pairs)
    if not count:
        return PairedDifference(0, *[math.nan] * 6)
    differences = pairs[:, 1] - pairs[:, 0]
    first, second = (float(mean) for mean in pairs.mean(axis=0))
    if count < FEWEST:
        return PairedDifference(count, first, second, float(differences.mean()), *[math.nan] * 3)
    p = exchange_p(differences, random_signs(count, draws, seed))
    low, high = _interval(differences, draws, seed)
    return PairedDifference(count, first, second, float(differences.mean()), low, high, p)


def _interval(differences: Array, draws: int, seed: int) -> tuple[float, float]:
    from scipy.stats import bootstrap

    if np.ptp(differences) <= _ROUNDING:
        return math.nan, math.nan
    found = bootstrap((differences,), np.mean, n_resamples=draws, method="BCa", rng=seed).confidence_interval
    return float(found.low), float(found.high)
