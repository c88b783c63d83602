"""Mean differences of paired values, with bootstrap intervals and permutation tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import GRAIN, normalize, varies
from core.stats.soft_pairwise_accuracy import random_signs

Array = NDArray[np.float64]

FEWEST = 5
"""Fewer pairs have neither an interval nor a test."""


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


def exchange_p(pairs: Array, signs: Array) -> float:
    """Return the two-sided p of paired differences, by exchanges of the two values of each pair.

    pairs: shape (pairs, 2), without NaN. signs: shape (draws, pairs), see `random_signs`.
    The sample itself is counted, so p is never 0.
    """
    values = normalize(pairs)
    differences = values[:, 1] - values[:, 0]
    slack = GRAIN * len(differences)
    return float(
        (1 + (np.abs(signs @ differences) >= abs(differences.sum()) - slack).sum()) / (1 + len(signs))
    )


def _compared(pairs: Array, draws: int, seed: int) -> PairedDifference:
    count = len(pairs)
    if not count:
        return PairedDifference(0, *[math.nan] * 6)
    differences = pairs[:, 1] - pairs[:, 0]
    first, second = (float(mean) for mean in pairs.mean(axis=0))
    if count < FEWEST:
        return PairedDifference(count, first, second, float(differences.mean()), *[math.nan] * 3)
    p = exchange_p(pairs, random_signs(count, draws, seed))
    low, high = _interval(pairs, draws, seed)
    return PairedDifference(count, first, second, float(differences.mean()), low, high, p)


def _interval(pairs: Array, draws: int, seed: int) -> tuple[float, float]:
    from scipy.stats import bootstrap

    if not varies(np.subtract(*normalize(pairs).T)):
        return math.nan, math.nan
    differences = pairs[:, 1] - pairs[:, 0]
    found = bootstrap((differences,), np.mean, n_resamples=draws, method="BCa", rng=seed).confidence_interval
    return float(found.low), float(found.high)
