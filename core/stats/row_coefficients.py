"""Correlation coefficients of many rows at once.

x, z: shape (rows, n), NaN in both where a pair is missing. Each function returns one value per row, shape
(rows,), NaN if a side is constant or the row has fewer than `MINIMUM_PAIRS` pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import round_values

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

MINIMUM_PAIRS = 3
"""Two points are always on a line, so a coefficient of two pairs has no information."""


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Numbers of concordant, discordant and tied pairs of each row, shape (rows,).

    pairs: n of the row.
    balance: concordant minus discordant.
    x_ties, z_ties: tied at least on that side.
    """

    pairs: Whole
    discordant: Whole
    balance: Whole
    x_ties: Whole
    z_ties: Whole

    @property
    def total(self) -> Whole:
        """Number of all pairs of items."""
        return self.pairs * (self.pairs - 1) // 2


@dataclass(frozen=True, slots=True, eq=False)
class CentredRows:
    """One side of Pearson's r: deviations from each row's mean, their sums of squares, and which rows vary.

    deviations: shape (rows, n), 0 where missing. squares, varies: shape (rows,).
    """

    deviations: Array
    squares: Array
    varies: NDArray[np.bool_]

    @classmethod
    def of(cls, x: Array) -> CentredRows:
        """Center rows. x: shape (rows, n), NaN = missing."""
        there = np.isfinite(x)
        deviations = _deviations(x, there)
        varies = (there.sum(axis=1) >= MINIMUM_PAIRS) & ~_is_constant(x, there)
        return cls(deviations, (deviations * deviations).sum(axis=1), varies)


def pearson(x: Array, z: Array) -> Array:
    """Return Pearson's r of each row."""
    return product_moment(CentredRows.of(x), CentredRows.of(z))


def product_moment(x: CentredRows, z: CentredRows) -> Array:
    """Return Pearson's r of each row of x with row r modulo the rows of z."""
    cycle, n = z.deviations.shape
    shape = (len(x.deviations) // max(cycle, 1), cycle, n)
    products = (x.deviations.reshape(shape) * z.deviations).sum(axis=2)
    squares = x.squares.reshape(shape[:2]) * z.squares
    usable = x.varies.reshape(shape[:2]) & z.varies & (squares > 0)
    values = products / np.sqrt(np.where(usable, squares, 1.0))
    return np.where(usable, np.clip(values, -1.0, 1.0), np.nan).ravel()


def spearman(x: Array, z: Array) -> Array:
    """Return Spearman's rho of each row: Pearson's r of average ranks."""
    return pearson(average_ranks(x), average_ranks(z))


def kendall(x: Array, z: Array, counts: PairCounts | None = None) -> Array:
    """Return Kendall's tau-b of each row. counts: pair counts, if known (here and below)."""
    counts = counts or pair_counts(x, z)
    untied_x, untied_z = counts.total - counts.x_ties, counts.total - counts.z_ties
    usable = (counts.pairs >= MINIMUM_PAIRS) & (untied_x > 0) & (untied_z > 0)
    scale = np.sqrt(np.where(usable, untied_x, 1)) * np.sqrt(np.where(usable, untied_z, 1))
    return np.where(usable, np.clip(counts.balance / scale, -1.0, 1.0), np.nan)


def stuart_tau_c(x: Array, z: Array, counts: PairCounts | None = None) -> Array:
    """Return Stuart's tau-c of each row, for sides with different numbers of distinct values.

    2 (C - D) m / (n² (m - 1)), where m is the smaller number of distinct values.
    """
    counts = counts or pair_counts(x, z)
    distinct = np.minimum(_distinct(x), _distinct(z))
    usable = (counts.pairs >= MINIMUM_PAIRS) & (distinct > 1)
    scale = np.where(usable, counts.pairs**2 * (distinct - 1), 1)
    return np.where(usable, np.clip(2 * counts.balance * distinct / scale, -1.0, 1.0), np.nan)


def goodman_kruskal_gamma(x: Array, z: Array, counts: PairCounts | None = None) -> Array:
    """Return Goodman and Kruskal's gamma of each row, (C - D) / (C + D): ties on either side are left out."""
    counts = counts or pair_counts(x, z)
    untied = counts.balance + 2 * counts.discordant
    usable = (counts.pairs >= MINIMUM_PAIRS) & (untied > 0)
    return np.where(usable, counts.balance / np.where(usable, untied, 1), np.nan)


def average_ranks(x: Array) -> Array:
    """Return ranks from 1 within each row, ties with their mean rank; NaN stays NaN."""
    order = np.argsort(x, axis=1, kind="stable")
    first, last = _tie_ends(np.take_along_axis(x, order, axis=1))
    ranks = np.empty_like(x)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.where(np.isfinite(x), ranks, np.nan)


def descending_ranks(values: Array, cells: Array | None = None) -> Array:
    """Return ranks from 1, the largest value first, equal values with their mean rank; shape (n,).

    values: in their own scale. cells: the measure's values, if these are means or a part of them.
    """
    ranks: Array = average_ranks(-round_values(values, cells)[None])[0]
    return ranks


def pair_counts(x: Array, z: Array) -> PairCounts:
    """Count concordant, discordant and tied pairs of each row in O(n log² n)."""
    there = np.isfinite(x)
    n = x.shape[1]
    x_rank, z_rank = dense_ranks(x), dense_ranks(z)
    # Sorted by x, then z, only pairs that really disagree stand in inverted order; missing ones stand last.
    keys = np.sort(np.where(there, x_rank * (n + 1) + z_rank, (n + 1) * (n + 1)), axis=1)
    discordant = inversions(np.where(keys < (n + 1) * (n + 1), keys % (n + 1), n))
    pairs = there.sum(axis=1, dtype=np.int64)
    x_ties = _ties(np.sort(np.where(there, x_rank, n), axis=1), pairs)
    z_ties = _ties(np.sort(np.where(there, z_rank, n), axis=1), pairs)
    both = _ties(keys, pairs)
    total = pairs * (pairs - 1) // 2
    return PairCounts(pairs, discordant, total - x_ties - z_ties + both - 2 * discordant, x_ties, z_ties)


def inversions(values: Whole) -> Whole:
    """Return the number of inversions in each row, shape (rows,).

    values: shape (rows, n), not negative. Works bit by bit from the highest: among values that agree in all
    higher bits a one before a zero is an inversion; then the values are sorted by that bit too.
    """
    count = np.zeros(values.shape[0], dtype=np.int64)
    if values.size == 0:
        return count
    narrow = values.astype(np.min_scalar_type(int(values.max())))  # 16 bits and fewer sort by radix
    for bit in reversed(range(int(values.max()).bit_length())):
        # Stable sort by the higher bits, so that values that agree in them are adjacent.
        narrow = np.take_along_axis(narrow, np.argsort(narrow >> (bit + 1), axis=1, kind="stable"), axis=1)
        prefix = narrow >> (bit + 1)
        ones = ((narrow >> bit) & 1).astype(np.int64)
        before = np.cumsum(ones, axis=1) - ones
        starts = np.zeros_like(before)
        starts[:, 1:] = np.where(prefix[:, 1:] != prefix[:, :-1], before[:, 1:], 0)
        before -= np.maximum.accumulate(starts, axis=1)
        count += (before * (1 - ones)).sum(axis=1)
    return count


def _deviations(x: Array, there: NDArray[np.bool_]) -> Array:
    """Return each value minus its row's mean, 0 if missing, scaled by a power of two against underflow."""
    counts = np.maximum(there.sum(axis=1), 1)
    means = np.where(there, x, 0.0).sum(axis=1) / counts
    deviations = np.where(there, x - means[:, None], 0.0)
    exponents = np.frexp(np.abs(deviations).max(axis=1, initial=0.0))[1]
    scaled: Array = np.ldexp(deviations, -exponents[:, None])
    return scaled


def _is_constant(x: Array, there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    low = np.where(there, x, np.inf).min(axis=1, initial=np.inf)
    high = np.where(there, x, -np.inf).max(axis=1, initial=-np.inf)
    constant: NDArray[np.bool_] = low >= high
    return constant


def _tie_ends(ordered: Array) -> tuple[Whole, Whole]:
    """Return the first and last index of the run of equal values at each index of sorted rows."""
    n = ordered.shape[1]
    places = np.broadcast_to(np.arange(n), ordered.shape)
    differs = ordered[:, 1:] != ordered[:, :-1]
    opens = np.ones(ordered.shape, dtype=bool)
    closes = np.ones(ordered.shape, dtype=bool)
    opens[:, 1:], closes[:, :-1] = differs, differs
    first = np.maximum.accumulate(np.where(opens, places, 0), axis=1)
    backwards = np.where(closes, places, n)[:, ::-1]
    return first, np.minimum.accumulate(backwards, axis=1)[:, ::-1]


def dense_ranks(x: Array) -> Whole:
    """Return 0 for the smallest value of a row, 1 for the next distinct one, and so on."""
    order = np.argsort(x, axis=1, kind="stable")
    ordered = np.take_along_axis(x, order, axis=1)
    steps = np.zeros(x.shape, dtype=np.int64)
    steps[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ranks = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.cumsum(steps, axis=1), axis=1)
    return ranks


def _distinct(x: Array) -> Whole:
    """Return the number of distinct values of each row."""
    ordered = np.sort(x, axis=1)  # NaN last
    steps = (ordered[:, 1:] != ordered[:, :-1]) & np.isfinite(ordered[:, 1:])
    distinct: Whole = steps.sum(axis=1, dtype=np.int64) + np.isfinite(x).any(axis=1)
    return distinct


def _ties(ordered: Whole, pairs: Whole) -> Whole:
    """Return the number of tied pairs among the first `pairs` values of sorted rows."""
    first, _ = _tie_ends(ordered.astype(np.float64))
    places = np.arange(ordered.shape[1])
    ties: Whole = np.where(places < pairs[:, None], places - first, 0).sum(axis=1)
    return ties
