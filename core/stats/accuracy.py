"""Pairwise accuracy with calibrated ties: how often a measure puts two things as people do, or ties them so.

A pair is right where both sides order it alike, or where people tie it and the measure's difference is at
most a threshold, the one that makes most pairs right. Deutsch, Foster & Freitag 2023, "Ties Matter".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.rows import MINIMUM_PAIRS, on_grain

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """values: accuracy of each group in [0, 1], shape (groups,), NaN = below three things.

    threshold: the largest difference of the measure that counts as a tie, 0 or more, NaN = no group to fit.
    """

    values: Array
    threshold: float


def accuracy(x: Array, z: Array) -> Array:
    """Accuracy of each row, each with a threshold of its own, shape (rows,), NaN = below three things.

    x, z: shape (rows, n), NaN in both = missing. A constant side does no harm: all of its pairs are ties.
    """
    return np.array([calibrate(x[i : i + 1], z[i : i + 1]).values[0] for i in range(x.shape[0])])


def calibrate(x: Array, z: Array) -> Calibrated:
    """The accuracy within each group under the one threshold that is best for the groups' mean.

    x, z: shape (groups, n), NaN in both = missing; pairs are within a group. Of thresholds that do as well
    the smallest is taken.
    """
    x = grained(x)
    pairs = [_pairs(*side) for side in zip(x, z, strict=True)]
    totals = np.array([distances.size for distances, _ in pairs], dtype=np.float64)
    used = totals >= MINIMUM_PAIRS * (MINIMUM_PAIRS - 1) / 2
    if not used.any():
        return Calibrated(np.full(len(pairs), np.nan), np.nan)
    threshold = _best_threshold([pair for pair, is_used in zip(pairs, used, strict=True) if is_used])
    right = np.array([_right(distances, kinds, threshold) for distances, kinds in pairs], dtype=np.float64)
    return Calibrated(np.where(used, right / np.maximum(totals, 1.0), np.nan), threshold)


def grained(x: Array) -> Array:
    """All of x on one grain, so that equal differences of unequal values are equal."""
    return on_grain(x.reshape(1, -1)).reshape(x.shape)


Pairs = tuple[Array, NDArray[np.int8]]
"""Of each pair the measure's distance, and its kind."""

_ALIKE, _TIED = 1, -1
"""Kinds: right unless within the threshold; right only within it. 0 is never right."""


def _pairs(x: Array, z: Array) -> Pairs:
    there = np.isfinite(x) & np.isfinite(z)
    x, z = x[there], z[there]
    first, second = np.triu_indices(x.size, 1)
    dx, dz = x[first] - x[second], z[first] - z[second]
    kinds = np.where(dz == 0, _TIED, np.where(np.sign(dx) == np.sign(dz), _ALIKE, 0)).astype(np.int8)
    return np.abs(dx), kinds


def _right(distances: Array, kinds: NDArray[np.int8], threshold: float) -> int:
    within = distances <= threshold
    return int(np.count_nonzero(np.where(within, kinds == _TIED, kinds == _ALIKE)))


def _best_threshold(groups: list[Pairs]) -> float:
    """Walks up the distances: a tie of people's that comes within is won, a pair put alike is lost."""
    most = max(distances.size for distances, _ in groups)
    distances = np.concatenate([distances for distances, _ in groups])
    gains = np.concatenate([-kinds * (most / found.size) for found, kinds in groups])
    matters = (gains != 0) | (distances == 0)
    distances, gains = distances[matters], gains[matters]
    order = np.argsort(distances)
    ordered, won = distances[order], np.cumsum(gains[order])
    ends = np.append(ordered[1:] != ordered[:-1], True)[: ordered.size]
    candidates = np.concatenate(([0.0], ordered[ends]))
    at = np.concatenate((won[ends][:1] * (ordered[:1] == 0) if ordered.size else [0.0], won[ends]))
    return float(candidates[np.argmax(at)])
