"""Tie calibration of many measures without checking every pair.

The gain of a threshold is counted in O(n log n), so the best one is found by branch and bound over intervals
of distances, and only the pairs of a few small intervals are checked. `core.stats.pairwise_accuracy` has the
definition and the plain algorithm, which checks every pair.

Loops get flat arrays, of which the last one is filled.
units, levels: shape (problems, groups, n): a measure's integers in ascending order, and the judgement's dense
ranks, for equal units in descending order.
counts: number of items in a group of n.
most: more than any level.
finer: units are 2^finer times finer than distances and thresholds, to which differences are rounded.

A pair is *tied* if the judgement ties it, *alike* if both sides order it alike. A threshold t wins the tied
pairs whose units are at most t apart and loses the alike ones.

An interval of distances is six numbers: its ends, and the tied and alike pairs up to either end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.row_coefficients import dense_ranks

FIELDS = 6
"""Of an interval on the stack."""


def distance_of(apart: Any, finer: int) -> Any:
    """Return a difference of units, 0 or more, as a distance."""
    return (apart + ((1 << finer) >> 1)) >> finer


def bound_of(t: int, finer: int) -> int:
    """Return the largest difference of units whose distance is at most t."""
    return ((t + 1) << finer) - ((1 << finer) >> 1) - 1


def within_group(
    first: int, count: int, most: int, t: int, units: Any, levels: Any, tree: Any, here: Any
) -> tuple[int, int]:
    """Return the numbers of tied and of alike pairs in one group that are at most t apart, in units.

    A window of width t moves up the units. here: number of items of each level in it; tree: the same as a
    Fenwick tree. Equal units are not alike, since the higher level came first.
    """
    for level in range(most):
        here[level] = tree[level + 1] = 0
    tied = alike = 0
    behind = first
    for place in range(first, first + count):
        while units[place] - units[behind] > t:
            here[levels[behind]] -= 1
            at = levels[behind] + 1
            while at <= most:
                tree[at] -= 1
                at += at & -at
            behind += 1
        tied += here[levels[place]]
        at = levels[place]
        while at > 0:
            alike += tree[at]
            at -= at & -at
        here[levels[place]] += 1
        at = levels[place] + 1
        while at <= most:
            tree[at] += 1
            at += at & -at
    return tied, alike


def within(
    row: int, groups: int, n: int, most: int, finer: int, t: int, counts: Any, units: Any, levels: Any,
    tree: Any, here: Any,
) -> tuple[int, int]:  # fmt: skip
    """Return the numbers of tied and of alike pairs at most t apart. row: the first of the groups."""
    t = bound_of(t, finer)
    tied = alike = 0
    for group in range(row, row + groups):
        counted = within_group(group * n, counts[group], most, t, units, levels, tree, here)
        tied += counted[0]
        alike += counted[1]
    return tied, alike


def fill_buckets(
    row: int, groups: int, n: int, low: int, high: int, shift: int, finer: int, counts: Any, units: Any,
    levels: Any, buckets: Any,
) -> None:  # fmt: skip
    """Count the tied and alike pairs more than low and at most high apart, in buckets 2^shift wide.

    buckets: four numbers each: alike, tied, neither, and unused.
    """
    for at in range((((high - low - 1) >> shift) + 1) * 4):
        buckets[at] = 0
    for group in range(row, row + groups):
        first, end = group * n, group * n + counts[group]
        near = first
        for place in range(first, end):
            unit, level = units[place], levels[place]
            while near < end and distance_of(units[near] - unit, finer) <= low:
                near += 1
            for other in range(near, end):
                apart = distance_of(units[other] - unit, finer)
                if apart > high:
                    break
                kind = 1 if levels[other] == level else (0 if levels[other] > level else 2)
                buckets[((apart - low - 1) >> shift) * 4 + kind] += 1


def push(
    stack: Any, top: int, low: int, high: int, low_tied: int, low_alike: int, high_tied: int, high_alike: int
) -> int:
    """Push an interval onto the stack; return the new top."""
    stack[top], stack[top + 1], stack[top + 2], stack[top + 3] = low, high, low_tied, low_alike
    stack[top + 4], stack[top + 5] = high_tied, high_alike
    return top + 6


def best_end(
    low: int, high: int, shift: int, tied: int, alike: int, buckets: Any, best: int, best_t: int
) -> tuple[int, int]:
    """Return the largest gain and its threshold, including the upper ends of an interval's buckets."""
    for bucket in range(((high - low - 1) >> shift) + 1):
        tied += buckets[bucket * 4 + 1]
        alike += buckets[bucket * 4]
        end = min(low + ((bucket + 1) << shift), high)
        if tied - alike > best or (tied - alike == best and end < best_t):
            best, best_t = tied - alike, end
    return best, best_t


def push_buckets(
    low: int, high: int, shift: int, tied: int, alike: int, buckets: Any, best: int, best_t: int, stack: Any,
    top: int,
) -> int:  # fmt: skip
    """Push the buckets that may contain a better threshold, the lowest last; return the new top.

    tied, alike: up to the upper end of the last bucket.
    """
    for bucket in range((high - low - 1) >> shift, -1, -1):
        low_tied, low_alike = tied - buckets[bucket * 4 + 1], alike - buckets[bucket * 4]
        start, end = low + (bucket << shift), min(low + ((bucket + 1) << shift), high)
        if may_hold(start, end, low_alike, tied, best, best_t):
            top = push(stack, top, start, end, low_tied, low_alike, tied, alike)
        tied, alike = low_tied, low_alike
    return top


def may_hold(low: int, high: int, low_alike: int, high_tied: int, best: int, best_t: int) -> bool:
    """Return whether a threshold within an interval may gain more than the best, or as much and be smaller.

    No gain exceeds the tied pairs up to the upper end minus the alike ones up to the lower end.
    """
    bound = high_tied - low_alike
    return high - low > 1 and (bound > best or (bound == best and low < best_t))


def best_threshold(
    row: int, groups: int, n: int, most: int, few: int, bits: int, finer: int, counts: Any, units: Any,
    levels: Any, tree: Any, here: Any, buckets: Any, stack: Any,
) -> int:  # fmt: skip
    """Return the smallest threshold with the largest gain, by branch and bound.

    An interval that may contain it is halved until it has few pairs; these are split into 2^bits buckets,
    which are intervals again.
    """
    far = 0
    for group in range(row, row + groups):
        if counts[group] > 0:
            far = max(far, units[group * n + counts[group] - 1] - units[group * n])
    far = distance_of(far, finer)
    best, best_t = within(row, groups, n, most, finer, 0, counts, units, levels, tree, here)[0], 0
    tied, alike = within(row, groups, n, most, finer, far, counts, units, levels, tree, here)
    top = push(stack, 0, 0, far, best, 0, tied, alike)
    if tied - alike > best:
        best, best_t = tied - alike, far
    while top > 0:
        top -= 6
        low, high, low_tied, low_alike = stack[top], stack[top + 1], stack[top + 2], stack[top + 3]
        high_tied, high_alike = stack[top + 4], stack[top + 5]
        if not may_hold(low, high, low_alike, high_tied, best, best_t):
            continue
        if high_tied - low_tied + high_alike - low_alike > few:
            middle = low + (high - low) // 2
            tied, alike = within(row, groups, n, most, finer, middle, counts, units, levels, tree, here)
            if tied - alike > best or (tied - alike == best and middle < best_t):
                best, best_t = tied - alike, middle
            top = push(stack, top, middle, high, tied, alike, high_tied, high_alike)
            top = push(stack, top, low, middle, low_tied, low_alike, tied, alike)
            continue
        shift = 0
        while (high - low - 1) >> (shift + bits) > 0:
            shift += 1
        fill_buckets(row, groups, n, low, high, shift, finer, counts, units, levels, buckets)
        best, best_t = best_end(low, high, shift, low_tied, low_alike, buckets, best, best_t)
        top = push_buckets(
            low, high, shift, high_tied, high_alike, buckets, best, best_t, stack, top
        )  # fmt: skip
    return best_t


def fill_thresholds(
    sizes: Any, counts: Any, units: Any, levels: Any, tree: Any, here: Any, buckets: Any, stack: Any, out: Any
) -> None:
    """Fill the threshold of each problem, then the number of correct pairs of each group under it.

    sizes: problems, groups, n, most, the number of pairs that are checked one by one, the bits of a bucket's
    number, finer.
    """
    problems, groups, n, most, few, bits = sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
    finer = sizes[6]
    for problem in range(problems):
        row, at = problem * groups, problem * (groups + 1)
        t = best_threshold(
            row, groups, n, most, few, bits, finer, counts, units, levels, tree, here, buckets, stack
        )  # fmt: skip
        out[at] = t
        for group in range(row, row + groups):
            first, count = group * n, counts[group]
            far = units[first + count - 1] - units[first] if count > 0 else 0
            tied, near = within_group(first, count, most, bound_of(t, finer), units, levels, tree, here)
            alike = within_group(first, count, most, far, units, levels, tree, here)[1]
            out[at + 1 + group - row] = tied + alike - near


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
