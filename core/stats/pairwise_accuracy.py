"""Pairwise accuracy with calibrated ties: how often a measure puts two things as people do, or ties them so.

A pair is right where both sides order it alike, or where people tie it and the measure's difference is at
most a threshold, the one that makes most pairs right. Deutsch, Foster & Freitag 2023, "Ties Matter".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.row_coefficients import MINIMUM_PAIRS, round_to_precision
from core.stats.tie_calibration import calibrate_thresholds

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Where = NDArray[np.bool_]

MAX_PLAIN_PAIRS = 1_000_000
"""Pairs of all measures up to which each is looked at: that takes less than getting the loops ready."""


@dataclass(frozen=True, slots=True, eq=False)
class TieCalibration:
    """values: accuracy of each group in [0, 1], shape (groups,), NaN = below three things.

    threshold: the largest difference of the measure that counts as a tie, 0 or more, NaN = no group to fit.
    """

    values: Array
    threshold: float


def accuracy(x: Array, z: Array) -> Array:
    """Accuracy of each row, each with a threshold of its own, shape (rows,), NaN = below three things.

    x, z: shape (rows, n), NaN in both = missing. A constant side does no harm: all of its pairs are ties.
    """
    return np.array([calibrate_ties(x[i : i + 1], z[i : i + 1]).values[0] for i in range(x.shape[0])])


@dataclass(frozen=True, slots=True, eq=False)
class Accuracies:
    """values: accuracy of each measure and group, shape (measures, groups); thresholds: shape (measures,)."""

    values: Array
    thresholds: Array


def calibrate_ties(x: Array, z: Array) -> TieCalibration:
    """The accuracy within each group under the one threshold that is best for the groups' mean.

    x, z: shape (groups, n), NaN in both = missing; pairs are within a group. Of thresholds that do as well
    the smallest is taken.
    """
    there = np.isfinite(x) & np.isfinite(z)
    counts = there.sum(axis=1)
    totals = counts * (counts - 1) / 2
    used = counts >= MINIMUM_PAIRS
    if not used.any():
        return TieCalibration(np.full(counts.shape, np.nan), np.nan)
    units, grain = _units(np.where(there, x, np.nan))
    pairs = _pairs(units, np.where(there & used[:, None], z, np.nan))
    threshold = _best_threshold(pairs, totals)
    right = np.where(pairs.distances <= threshold, pairs.tied, pairs.alike).sum(axis=1)
    values = np.where(used, right / np.maximum(totals, 1.0), np.nan)
    return TieCalibration(values, threshold * grain)


def rounded(x: Array) -> Array:
    """All of x on one grain, so that equal differences of unequal values are equal."""
    return round_to_precision(x.reshape(1, -1)).reshape(x.shape)


def accuracies(x: Array, z: Array) -> Accuracies:
    """Return the accuracy within each group under each measure's best threshold, and these thresholds.

    x: shape (measures, groups, n), z: shape (groups, n), NaN in the same cells of all.
    """
    counts = np.isfinite(z).sum(axis=1)
    totals = counts * (counts - 1) / 2
    used = counts >= MINIMUM_PAIRS
    if len(set(totals[used].tolist())) != 1 or len(x) * totals[used].sum() <= MAX_PLAIN_PAIRS:
        each = [calibrate_ties(side, z) for side in x]
        values = np.array([one.values for one in each]).reshape(len(x), len(z))
        return Accuracies(values, np.array([one.threshold for one in each], dtype=np.float64))
    units, grains = zip(*(_units(side) for side in x[:, used]), strict=True)
    thresholds, right = calibrate_thresholds(np.array(units), z[used])
    values = np.full(x.shape[:2], np.nan)
    values[:, used] = right / totals[used]
    return Accuracies(values, thresholds * np.array(grains))


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Every pair of each group, shape (groups, pairs).

    distances: of the measure, whole numbers of its grain. alike: both sides order the pair so: right unless
    within the threshold. tied: by people: right within it alone. Neither: never right.
    """

    distances: Whole
    alike: Where
    tied: Where


def _units(x: Array) -> tuple[Whole, float]:
    """x as whole numbers of a grain of 2^-40 of its largest, missing as 0, and that grain."""
    largest = np.abs(np.where(np.isfinite(x), x, 0.0)).max(initial=0.0)
    grain = math.ldexp(1.0, math.frexp(float(largest))[1] - 40)
    units: Whole = np.rint(np.where(np.isfinite(x), x, 0.0) / grain).astype(np.int64)
    return units, grain


def _pairs(units: Whole, z: Array) -> _Pairs:
    first, second = _places(units.shape[1])
    apart = units[:, second] - units[:, first]
    people = z[:, second] - z[:, first]  # NaN where one is missing: neither alike nor tied
    alike = ((apart > 0) & (people > 0)) | ((apart < 0) & (people < 0))
    return _Pairs(np.abs(apart), alike, people == 0)


@lru_cache(maxsize=2)
def _places(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(n, 1)
    return first, second


def _best_threshold(pairs: _Pairs, totals: Array) -> int:
    """Walks up the distances: a tie of people's that comes within is won, a pair put alike is lost.

    Distance, group and kind share one number, for numbers alone are sorted many times as fast.
    """
    bits = 1 + len(totals).bit_length()
    group = np.arange(len(totals))[:, None] << 1
    keys = ((pairs.distances << bits) | group | pairs.tied)[pairs.alike | pairs.tied]
    if not keys.size:
        return 0
    keys.sort()
    weights = totals.max() / np.maximum(totals, 1.0)  # 1 where all groups have as many pairs
    gains = np.where(keys & 1 == 1, 1.0, -1.0) * weights[(keys >> 1) & ((1 << (bits - 1)) - 1)]
    won, distances = np.cumsum(gains), keys >> bits
    ends = np.flatnonzero(np.append(distances[1:] != distances[:-1], True))
    best = int(np.argmax(won[ends]))
    return int(distances[ends[best]]) if won[ends[best]] > 0 else 0
