"""Pairwise accuracy with tie calibration.

A pair is correct if both sides order it alike, or if the judgement ties it and the measure's difference is at
most a threshold, the one that makes most pairs correct. Deutsch, Foster & Freitag 2023, "Ties Matter".

Equal differences of unequal values count as equal, so differences are rounded to `GRAIN` instead of values:
measures are normalized but not rounded, judgements are rounded (see `core.stats.precision`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import GRAIN, GRAIN_BITS
from core.stats.row_coefficients import MINIMUM_PAIRS
from core.stats.tie_calibration import FINER_BITS, calibrate_thresholds, distance

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Where = NDArray[np.bool_]

MAX_PLAIN_PAIRS = 1_000_000
"""Number of pairs of all measures up to which each is checked: faster than loading the compiled loops."""


@dataclass(frozen=True, slots=True, eq=False)
class TieCalibration:
    """Accuracies under the best tie threshold.

    values: accuracy of each group in [0, 1], shape (groups,), NaN = fewer than three items.
    threshold: the largest difference of the measure that counts as a tie, 0 or more, NaN = no group to fit.
    """

    values: Array
    threshold: float


def accuracy(x: Array, z: Array) -> Array:
    """Return the accuracy of each row, each with its own threshold, shape (rows,).

    NaN = fewer than three items.
    x, z: shape (rows, n), NaN in both = missing. A constant side is valid: all of its pairs are ties.
    """
    return np.array([calibrate_ties(x[i : i + 1], z[i : i + 1]).values[0] for i in range(x.shape[0])])


@dataclass(frozen=True, slots=True, eq=False)
class Accuracies:
    """Accuracies of several measures.

    values: shape (measures, groups).
    thresholds: shape (measures,).
    """

    values: Array
    thresholds: Array


def calibrate_ties(x: Array, z: Array) -> TieCalibration:
    """Return the accuracy within each group under the single threshold that is best for the groups' mean.

    x, z: shape (groups, n), NaN in both = missing; pairs are within a group. The smallest of equally good
    thresholds is used.
    """
    there = np.isfinite(x) & np.isfinite(z)
    counts = there.sum(axis=1)
    totals = counts * (counts - 1) / 2
    used = counts >= MINIMUM_PAIRS
    if not used.any():
        return TieCalibration(np.full(counts.shape, np.nan), np.nan)
    pairs = _pairs(_units(x), np.where(there & used[:, None], z, np.nan))
    threshold = _best_threshold(pairs, totals)
    right = np.where(pairs.distances <= threshold, pairs.tied, pairs.alike).sum(axis=1)
    values = np.where(used, right / np.maximum(totals, 1.0), np.nan)
    return TieCalibration(values, threshold * GRAIN)


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
    thresholds, right = calibrate_thresholds(_units(x[:, used]), z[used])
    values = np.full(x.shape[:2], np.nan)
    values[:, used] = right / totals[used]
    return Accuracies(values, thresholds.astype(np.float64) * GRAIN)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Every pair of each group, shape (groups, pairs).

    distances: of the measure, as integers.
    alike: both sides order the pair alike: correct unless within the threshold.
    tied: by the judgement: correct only within the threshold. Other pairs are never correct.
    """

    distances: Whole
    alike: Where
    tied: Where


def _units(x: Array) -> Whole:
    """Return normalized values as integers of a unit finer than `GRAIN`, missing as 0."""
    units: Whole = np.rint(np.where(np.isfinite(x), x, 0.0) * 2.0 ** (GRAIN_BITS + FINER_BITS)).astype(
        np.int64
    )
    return units


def _pairs(units: Whole, z: Array) -> _Pairs:
    first, second = _places(units.shape[1])
    apart = distance(units[:, second] - units[:, first])
    people = z[:, second] - z[:, first]  # NaN where one is missing: neither alike nor tied
    alike = ((apart > 0) & (people > 0)) | ((apart < 0) & (people < 0))
    return _Pairs(np.abs(apart), alike, people == 0)


@lru_cache(maxsize=2)
def _places(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(n, 1)
    return first, second


def _best_threshold(pairs: _Pairs, totals: Array) -> int:
    """Return the best threshold, found by scanning the distances in ascending order.

    A tied pair that comes within the threshold is won, an alike pair lost. Distance, group and kind share one
    number, since plain numbers sort many times as fast.
    """
    bits = 1 + len(totals).bit_length()
    group = np.arange(len(totals))[:, None] << 1
    keys = ((pairs.distances << bits) | group | pairs.tied)[pairs.alike | pairs.tied]
    if not keys.size:
        return 0
    keys.sort()
    weights = totals.max() / np.maximum(totals, 1.0)  # 1 if all groups have the same number of pairs
    gains = np.where(keys & 1 == 1, 1.0, -1.0) * weights[(keys >> 1) & ((1 << (bits - 1)) - 1)]
    won, distances = np.cumsum(gains), keys >> bits
    ends = np.flatnonzero(np.append(distances[1:] != distances[:-1], True))
    best = int(np.argmax(won[ends]))
    return int(distances[ends[best]]) if won[ends[best]] > 0 else 0
