"""Significance tests of the difference between two correlations, and adjustments for many tests.

Williams' test for correlations that share a side; permutation tests after Deutsch, Dror & Roth 2021;
adjustments by Holm and by Benjamini and Hochberg.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.precision import EQUAL_CORRELATIONS
from core.stats.resample_counts import ResampleUnit, at_once
from core.stats.resampling.bootstrap import drop_unjudged
from core.stats.resampling.paired_permutation import PairedPermutation
from core.stats.resampling.parallel import map_threads
from core.stats.resampling.swap_signs import SwapSigns, draw_swaps
from core.stats.resampling.swapped_ranks import PERMUTATIONS_AT_ONCE, is_by_pairs
from core.stats.types import Alternative, WilliamsDf

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


def williams(
    r12: ArrayLike,
    r13: ArrayLike,
    r23: ArrayLike,
    n: ArrayLike,
    sides: Alternative = Alternative.TWO,
    freedom: WilliamsDf = WilliamsDf.N_MINUS_3,
    *,
    magnitudes: bool = False,
    precision: ArrayLike = EQUAL_CORRELATIONS,
) -> Array:
    """Return the p of Williams' test that measures 2 and 3 correlate equally with 1, the judgement.

    r12, r13, r23: correlations of the three; all arguments broadcast.
    n: number of pairs.
    magnitudes: use absolute values, as WMT's scripts and nlpstats do, so that a measure's sign is ignored.
    precision: difference of two correlations that is 0, since their values are not more exact.
    NaN if a correlation is undefined, if n is below four, or if one measure mirrors the other; measures
    without any difference have p = 1.
    Source: Williams 1959; Steiger 1980.
    """
    from scipy.special import stdtr

    t = williams_t(r12, r13, r23, n, magnitudes=magnitudes, precision=precision)
    df = np.maximum(np.asarray(n, dtype=np.float64) - (3 if freedom is WilliamsDf.N_MINUS_3 else 2), 1.0)
    if sides is Alternative.TWO:
        p: Array = 2 * stdtr(df, -np.abs(t))
    else:
        p = stdtr(df, -t if sides is Alternative.GREATER else t)
    return p


def williams_t(
    r12: ArrayLike,
    r13: ArrayLike,
    r23: ArrayLike,
    n: ArrayLike,
    *,
    magnitudes: bool = False,
    precision: ArrayLike = EQUAL_CORRELATIONS,
) -> Array:
    """Return Williams' statistic, positive if r12 is larger; see `williams` for the arguments.

    It is 0 if the correlations don't differ, or if one measure is a copy of the other (r23 = 1). It is
    undefined for r23 = -1, where both its variance and its factor 1 + r23 vanish.
    """
    r12, r13, r23, n = (np.asarray(side, dtype=np.float64) for side in (r12, r13, r23, n))
    if magnitudes:
        r12, r13, r23 = np.abs(r12), np.abs(r13), np.abs(r23)
    rest = np.maximum(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)  # a determinant
    usable = n > 3
    left = np.where(usable, n - 3, 1.0)
    spread = 2 * rest * (n - 1) / left + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    with np.errstate(divide="ignore", invalid="ignore"):  # no spread at all: infinitely certain
        t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread)
    is_equal = (np.abs(r12 - r13) <= precision) | (r23 >= 1 - np.asarray(precision))
    t = np.where(is_equal & np.isfinite(r12 + r13 + r23), 0.0, t)
    return np.where(usable & ~is_mirrored(r23, precision), t, np.nan)


def is_mirrored(r23: ArrayLike, precision: ArrayLike = EQUAL_CORRELATIONS) -> NDArray[np.bool_]:
    """Return whether one of two measures is a falling copy of the other: Williams' test is undefined."""
    return np.asarray(np.asarray(r23) <= np.asarray(precision) - 1)


def permutation(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    over: ResampleUnit,
    pairs: Sequence[tuple[int, int]] | None = None,
    draws: int = 1000,
    seed: int = 0,
    sides: Alternative = Alternative.TWO,
    *,
    corrected: bool = True,
) -> JobSteps[Array]:
    """Return the p of each pair of measures by swapping their standardized scores at random, shape (pairs,).

    x: shape (measures, systems, topics), z: (systems, topics), NaN = missing; a cell counts if both measures
    and the judgement have a number.
    pairs: indices of measures, None = all.
    corrected: count the sample among its permutations, so that p is never 0; nlpstats does not.
    Whole systems, whole topics, or both are swapped, each with probability one half, the same for all pairs.
    Undefined permutations are left out; NaN = undefined. Accuracy fits its threshold in each permutation. A
    pair stops at one of `STAGES` where its p is no smaller than there, which does not change the distribution
    of smaller p-values.
    Source: Deutsch, Dror & Roth 2021 (PERM-BOTH); Besag & Clifford 1991 for stopping.
    """
    x, z = drop_unjudged(x, z)
    chosen_pairs = list(combinations(range(x.shape[0]), 2)) if pairs is None else list(pairs)
    if not z.size:
        return np.full(len(chosen_pairs), np.nan)
    signs = draw_swaps(z.shape[0], z.shape[1], over, draws, seed)
    counts = _Counts(x, z, level, coefficient, sides, chosen_pairs, signs)
    done, unclear = 0, list(range(len(chosen_pairs)))
    for end, clear in (*((end, clear) for end, clear in STAGES if end < draws), (draws, 0.0)):
        if unclear:
            yield from counts.add(unclear, done, end)
        done, unclear = end, np.flatnonzero(counts.p(corrected=corrected) < clear).tolist()
    return counts.p(corrected=corrected)


STAGES = ((1_000, 0.1), (10_000, 0.01))
"""Numbers of permutations, and the p from which a pair needs no more: it is above all significance levels in
use, or known to a tenth of itself and only resolved further for families of hundreds of tests."""


_STEPS = 16
"""Steps of permutations for which a pair is prepared once."""

_TOGETHER = 4
"""Such preparations that are one task; work can be stopped between two tasks."""


def smallest_p(
    systems: int, topics: int, over: ResampleUnit, draws: int, sides: Alternative = Alternative.TWO
) -> float:
    """Return about the smallest p that a permutation test can reach, of draws and of different permutations.

    Swapping everything turns the difference round, so that two-sidedly two permutations are as extreme.
    """
    units = {ResampleUnit.SYSTEMS: systems, ResampleUnit.TOPICS: topics}.get(over, systems + topics - 1)
    extreme = 2 if sides is Alternative.TWO else 1
    return max(1 / (draws + 1), math.ldexp(extreme, -units))


MOST_DRAWS = 100_000
"""Permutations up to which their number grows with that of the tests, for memory and time."""


def required_draws(tests: int, alpha: float) -> int:
    """Return a number of permutations with which a difference can stay below alpha by Holm's adjustment."""
    return math.ceil(2 * tests / alpha)


class _Counts:
    """Numbers of defined permutations of each pair, and of those at least as extreme as the sample."""

    def __init__(
        self,
        x: Array,
        z: Array,
        level: Level,
        coefficient: Coefficient,
        sides: Alternative,
        pairs: Sequence[tuple[int, int]],
        signs: SwapSigns,
    ) -> None:
        self._x, self._z, self._pairs, self._signs = x, z, pairs, signs
        self._settings = level, coefficient
        self._sides = sides
        self._observed = np.full(len(pairs), np.nan)
        self._extreme = np.zeros(len(pairs), dtype=np.int64)
        self._defined = np.zeros(len(pairs), dtype=np.int64)

    def add(self, places: Sequence[int], begin: int, end: int) -> JobSteps[None]:
        """Count permutations from begin until before end of the pairs at these places."""
        size, steps, tasks = self._sizes()
        each = steps * size - 1  # and the sample
        parts = [(place, first) for place in places for first in range(begin, end, each)]
        permuted = np.zeros((len(parts), 2), dtype=np.int64)  # of each part by itself: threads share no sum

        def fill(numbers: range) -> None:
            for number in numbers:
                fill_part(number)

        def fill_part(number: int) -> None:
            place, first = parts[number]
            one, other = self._pairs[place]
            swapped = PairedPermutation.of(self._x[one], self._x[other], self._z, *self._settings)
            drawn = self._signs.part(slice(first, min(first + each, end))).after_sample()
            differences = [
                swapped.differences(drawn.part(slice(step, step + size)))
                for step in range(0, drawn.draws, size)
            ]
            observed, permutations = np.split(np.concatenate(differences), [1])
            self._observed[place] = observed[0]
            permuted[number] = _count_extreme(observed, permutations, self._sides, swapped.precision)

        together = [range(at, min(at + tasks, len(parts))) for at in range(0, len(parts), tasks)]
        yield from map_threads([partial(fill, numbers) for numbers in together], "Permuting")
        for (place, _), (extreme, defined) in zip(parts, permuted.tolist(), strict=True):
            self._extreme[place] += extreme
            self._defined[place] += defined

    def _sizes(self) -> tuple[int, int, int]:
        """Return the permutations of a step, the steps of a part, and the parts of a task."""
        level, coefficient = self._settings
        systems, topics = map(int, self._z.shape)
        numbers = 2 * systems * topics  # of a permutation of a pair: of cells, of means, or of topics' sums
        if is_by_pairs(level, coefficient):
            return PERMUTATIONS_AT_ONCE, 1, 1
        if level is Level.SYSTEM and coefficient is not Coefficient.SOFT_ACCURACY:
            numbers = 2 * max(systems, topics)
        elif coefficient is Coefficient.PEARSON:
            numbers = 3 * max(systems, topics)
        return max(1, at_once(numbers)), _STEPS, _TOGETHER

    def p(self, *, corrected: bool) -> Array:
        """Return the p-values of what was counted, shape (pairs,)."""
        return _p_of_counts(self._observed, self._extreme, self._defined, corrected=corrected)


def _count_extreme(observed: Array, permuted: Array, sides: Alternative, slack: float) -> tuple[int, int]:
    """Return how many permutations of a pair are at least as extreme as the sample, and how many defined.

    observed: shape (1,), permuted: shape (draws,).
    """
    turned = {Alternative.TWO: np.abs, Alternative.GREATER: np.positive, Alternative.LESS: np.negative}[sides]
    extreme = (turned(permuted) >= turned(observed) - slack).sum()
    return int(extreme), int(np.isfinite(permuted).sum())


def _p_of_counts(observed: Array, extreme: Whole, defined: Whole, *, corrected: bool) -> Array:
    """Return the share of permutations at least as extreme as the sample; Phipson & Smyth 2010 correct it."""
    more = 1 if corrected else 0
    usable = np.isfinite(observed) & (defined > 0)
    return np.where(usable, (extreme + more) / np.maximum(defined + more, 1), np.nan)


def holm(p: ArrayLike) -> Array:
    """Return p-values adjusted to control the family-wise error rate; NaN is not a test.

    Source: Holm 1979.
    """
    return _adjusted(p, lambda ordered, m: np.maximum.accumulate(ordered * np.arange(m, 0, -1)))


def benjamini_hochberg(p: ArrayLike) -> Array:
    """Return p-values adjusted to control the false discovery rate; NaN is not a test.

    Source: Benjamini & Hochberg 1995.
    """
    return _adjusted(
        p, lambda ordered, m: np.minimum.accumulate((ordered * (m / np.arange(1, m + 1)))[::-1])[::-1]
    )


def benjamini_yekutieli(p: ArrayLike) -> Array:
    """Return p-values adjusted to control the false discovery rate under any dependence; NaN is not a test.

    Source: Benjamini & Yekutieli 2001.
    """
    tests = int(np.isfinite(np.asarray(p, dtype=np.float64)).sum())
    adjusted: Array = np.minimum(benjamini_hochberg(p) * (1 / np.arange(1, tests + 1)).sum(), 1.0)
    return adjusted


def _adjusted(p: ArrayLike, rule: Callable[[Array, int], Array]) -> Array:
    p = np.asarray(p, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    there = np.flatnonzero(np.isfinite(p))
    order = there[np.argsort(p.ravel()[there], kind="stable")]
    adjusted.ravel()[order] = np.minimum(rule(p.ravel()[order], order.size), 1.0)
    return adjusted
