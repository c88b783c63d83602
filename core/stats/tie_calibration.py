"""Tie calibration of many measures without checking every pair.

The gain of a threshold is counted in O(n log n), so the best one is found by branch and bound over intervals
of distances, and only the pairs of a few small intervals are checked. `core.stats.pairwise_accuracy` has the
definition and the plain algorithm, which checks every pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.kernels.tie_thresholds import (
    FIELDS,
    best_end,
    best_threshold,
    bound_of,
    distance_of,
    fill_buckets,
    fill_thresholds,
    may_hold,
    push,
    push_buckets,
    within,
    within_group,
)
from core.stats.row_coefficients import dense_ranks

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

FEW_PAIRS = 25_000
"""Pairs of an interval that is not halved further: checking them takes as long as one count."""

BUCKET_BITS = 10

FINER_BITS = 10
"""Bits by which units are finer than distances, so that equal differences of rounded values are equal."""

_WIDEST = 42  # bits of a distance
_CALLED = (
    distance_of,
    bound_of,
    within_group,
    within,
    fill_buckets,
    push,
    best_end,
    may_hold,
    push_buckets,
    best_threshold,
)
_CALIBRATING = Kernel(fill_thresholds, *_CALLED)


def calibrate_thresholds(
    units: Whole, z: Array, *, few: int = FEW_PAIRS, bits: int = BUCKET_BITS, finer: int = FINER_BITS
) -> tuple[Whole, Whole]:
    """Return the smallest of the best thresholds, shape (measures,), and correct pairs, (measures, groups).

    A measure has one threshold for all its groups, and each pair has the same weight.
    units: integers below 2^(41 + finer), shape (measures, groups, n); thresholds are in units of 2^finer.
    z: the judgement, shape (groups, n), NaN = missing on both sides.
    few, bits: tuning parameters without effect on the result.
    """
    measures, groups, n = units.shape
    there = np.isfinite(z)
    ranks = dense_ranks(z)
    most = int(ranks[there].max(initial=0)) + 1
    ordered, levels = _in_order(units, np.where(there, ranks, -1), most, finer)
    counts = np.tile(there.sum(axis=1), measures)
    sizes = np.array([measures, groups, n, most, few, bits, finer], dtype=np.int64)
    room = [np.zeros(size, dtype=np.int64) for size in (most + 1, most, 4 << bits, _stack_size(bits))]
    out = np.zeros((measures, groups + 1), dtype=np.int64)
    flat = [array.ravel() for array in (counts, ordered, levels)]
    _CALIBRATING(sizes, *flat, *room, out.ravel(), steps=measures * groups * n * 100)
    return out[:, 0], out[:, 1:]


def _in_order(units: Whole, ranks: Whole, most: int, finer: int) -> tuple[Whole, Whole]:
    """Return units of each row in ascending order, and their ranks, for equal values in descending order.

    ranks: shape (groups, n), -1 = missing, which come last.
    """
    values = distance_of(units, finer)
    every = np.broadcast_to(ranks, units.shape)
    order = np.lexsort((most - 1 - every, values, every < 0), axis=2)
    levels = np.maximum(np.take_along_axis(every, order, axis=2), 0)
    return np.take_along_axis(units, order, axis=2), levels


def distance(apart: Whole) -> Whole:
    """Return differences of units as signed distances."""
    size: Whole = np.sign(apart) * distance_of(np.abs(apart), FINER_BITS)
    return size


def _stack_size(bits: int) -> int:
    """Return the stack size for the halves of every size, and the buckets of every width."""
    return FIELDS * (2 * _WIDEST + (_WIDEST // bits + 1) * (1 << bits))


def warm_up() -> None:
    """Compile the loop, which takes seconds, or load it from the cache, which takes half a second."""
    Kernel.always_compile()
    calibrate_thresholds(np.zeros((1, 1, 3), dtype=np.int64), np.zeros((1, 3)))
