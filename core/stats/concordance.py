"""Concordant, discordant and tied pairs of rows, with each side prepared once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.p_values import tie_sums
from core.stats.row_coefficients import dense_ranks, pair_counts
from core.stats.weighted import weighted_coefficients, weighted_rank_coefficients
from core.stats.weighted.weighted_rank_coefficients import SortedRows

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRows:
    """One side, prepared.

    x: shape (rows, n), NaN = missing.
    order, groups: see `SortedRows`.
    ranks: dense.
    tie_sums: see `p_values.tie_sums`, shape (rows, 3).
    distinct: number of distinct values of each row, shape (rows,).
    """

    x: Array
    order: weighted_rank_coefficients.Indices
    groups: weighted_rank_coefficients.Indices
    ranks: Whole
    tie_sums: Array
    distinct: Whole

    @classmethod
    def of(cls, x: Array) -> PreparedRows:
        """Prepare rows. x: shape (rows, n), NaN = missing."""
        _, order, groups = weighted_rank_coefficients.sort_rows(x)
        ranks = dense_ranks(x)
        levels = int(ranks.max(initial=0)) + 1
        there = np.isfinite(x)
        keys = (ranks + levels * np.arange(len(x))[:, None])[there]
        sizes = np.bincount(keys, minlength=levels * len(x)).reshape(len(x), levels)
        return cls(x, order, groups, ranks, tie_sums(sizes), (sizes > 0).sum(axis=1))


def concordance_counts(x: PreparedRows, z: PreparedRows) -> Array:
    """Return n, C - D, C + D, ties in x, ties in z, distinct values of x and of z; shape (7, rows).

    Row r of x is paired with row r modulo the rows of z, and has the same missing values. Uses compiled loops
    if they are ready, else whole arrays: the counts are integers and therefore the same.
    """
    if not is_warm():
        return _by_arrays(x, z)
    if x.x.shape[1] <= weighted_coefficients.MAX_BY_PAIRS:
        return weighted_coefficients.pair_counts(x.x[None], z.x[None])[:, 0]
    levels = int(z.ranks.max(initial=0)) + 1
    ranked = SortedRows(x.x[None], x.order[None], x.groups[None], z.ranks[None], levels)
    return ranked.pair_counts()[:, 0]


def is_warm() -> bool:
    """Return whether both loops are compiled."""
    return weighted_rank_coefficients.PAIRS.is_ready and weighted_coefficients.PAIRS.is_ready


def warm_up() -> None:
    """Compile both loops, which takes seconds, or load them from the cache, which takes half a second."""
    Kernel.always_compile()
    three = np.arange(3.0)[None]
    weighted_coefficients.pair_counts(three[None], three[None])
    SortedRows.of(three[None], three[None]).pair_counts()


def _by_arrays(x: PreparedRows, z: PreparedRows) -> Array:
    times = len(x.x) // max(len(z.x), 1)
    counts = pair_counts(x.x, np.tile(z.x, (times, 1)))
    return np.array(
        [
            counts.pairs,
            counts.balance,
            counts.balance + 2 * counts.discordant,
            counts.x_ties,
            counts.z_ties,
            x.distinct,
            np.tile(z.distinct, times),
        ],
        dtype=np.float64,
    )
