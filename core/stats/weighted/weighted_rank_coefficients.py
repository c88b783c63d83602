"""Weighted rank coefficients of rows, as resampling needs them.

All counts are integers, so results depend neither on the order of summation nor on threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.kernels.weighted_ranks import (
    fill_cluster_counts,
    fill_concordance,
    fill_pair_counts,
    fill_rank_products,
    row_starts,
)
from core.stats.row_coefficients import MINIMUM_PAIRS, dense_ranks
from core.stats.types import Coefficient

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Indices = NDArray[np.int32]
"""Half as large as other integers, so that more of a row is in the processor's cache."""

Fields = Array | tuple[Array, ...]
"""Counts of a coefficient, each of the shape of its values or one that is broadcast to it."""

PAIRS, _RANKS, _AGREEMENT, _CLUSTERS = (
    Kernel(loop, row_starts)
    for loop in (fill_pair_counts, fill_rank_products, fill_concordance, fill_cluster_counts)
)


@dataclass(frozen=True, slots=True, eq=False)
class SortedRows:
    """Rows sorted by x, prepared for counting under any weights.

    x: shape (draws or 1, rows, n): the sorted values.
    order: index of the item at each position, -1 = missing.
    groups: equal values have equal numbers.
    z: dense ranks, shape (draws or 1, cycle, n); row r is paired with row r modulo cycle, and has the same
    missing items.
    levels: more than the largest rank of z.
    """

    x: Array
    order: Indices
    groups: Indices
    z: NDArray[np.integer[Any]]
    levels: int

    @classmethod
    def of(cls, x: Array, z: Array) -> SortedRows:
        """Sort rows.

        x: shape (draws or 1, rows, n), z: shape (draws or 1, cycle, n), NaN in both = missing.
        """
        values, order, groups = sort_rows(x.reshape(-1, x.shape[2]))
        ranks = dense_ranks(z.reshape(-1, z.shape[2])).reshape(z.shape)
        levels = int(ranks.max(initial=0)) + 1
        return cls(values.reshape(x.shape), order.reshape(x.shape), groups.reshape(x.shape), ranks, levels)

    def coefficients(self, weights: Array, coefficient: Coefficient, thresholds: Array) -> Array:
        """Return the coefficient of each draw and row, shape (draws, rows), NaN = undefined.

        weights: shape (draws or 1, n), integers.
        thresholds: tie thresholds of accuracy, shape (rows,).
        """
        if coefficient is Coefficient.SPEARMAN:
            ranked = np.zeros(2 * self.order.shape[2], dtype=np.int64)
            return spearman_of_sums(self._count(_RANKS, weights, 4, room=(ranked,)))
        if coefficient is Coefficient.ACCURACY:
            return _accuracy(self._count(_AGREEMENT, weights, 3, self.x, thresholds))
        return TAUS[coefficient](self.pair_counts(weights))

    def pair_counts(self, weights: Array | None = None) -> Array:
        """Return the counts that `TAUS` need, shape (fields, draws, rows). weights: None = each item once."""
        n = self.order.shape[2]
        room = tuple(np.zeros((3, n), dtype=np.int32))
        return self._count(PAIRS, np.ones((1, n)) if weights is None else weights, 7, room=room)

    def counts_by_cluster(self, clusters: Whole) -> Array:
        """Return what the pairs of the items of each cluster with all others, and ties, add to `pair_counts`.

        A pair within a cluster counts twice; n and distinct values are those that the cluster alone has.
        clusters: of each item, from 0, shape (n,). Returns shape (fields, clusters, rows).
        """
        rows, n = self.order.shape[1:]
        many = int(clusters.max(initial=0)) + 1
        sizes = np.array([rows, n, self.z.shape[1], self.levels, many], dtype=np.int64)
        room = np.zeros((5, self.levels + 1), dtype=np.int32)
        out = np.zeros((rows, many, 7), dtype=np.int64)
        z, of_items = (side.astype(np.int32) for side in (self.z, clusters))
        flat = [side.ravel() for side in (self.order, self.groups, z, of_items)]
        _CLUSTERS(sizes, *flat, *room, out.ravel(), steps=rows * n * 8)
        return out.transpose(2, 1, 0).astype(np.float64)

    def _count(
        self,
        kernel: Kernel,
        weights: Array,
        fields: int,
        *more: Array,
        room: tuple[NDArray[np.integer[Any]], ...] = (),
    ) -> Array:
        """Return what a loop counts, shape (fields, draws, rows)."""
        rows, n = self.order.shape[1:]
        draws = max(self.order.shape[0], self.z.shape[0], weights.shape[0])
        varies = [int(side.shape[0] > 1) for side in (self.order, self.z, weights)]
        sizes = np.array([draws, rows, n, self.z.shape[1], self.levels, fields, *varies], dtype=np.int64)
        tree = np.zeros((2, self.levels + 1), dtype=np.int32)
        out = np.zeros((draws, rows, fields), dtype=np.int64)
        z, whole = (side.astype(np.int32, copy=False) for side in (self.z, weights))
        flat = [array.ravel() for array in (self.order, self.groups, z, whole, *more, *tree, *room)]
        kernel(sizes, *flat, out.ravel(), steps=draws * rows * n * 4)
        return np.moveaxis(out, 2, 0).astype(np.float64)


def sort_rows(x: Array) -> tuple[Array, Indices, Indices]:
    """Return sorted rows, the index of each item, -1 = missing, and numbers that equal values share.

    x: shape (rows, n), NaN = missing.
    """
    order = np.argsort(x, axis=1, kind="stable")
    values = np.take_along_axis(x, order, axis=1)
    groups = np.zeros(x.shape, dtype=np.int32)
    np.cumsum(values[:, 1:] != values[:, :-1], axis=1, out=groups[:, 1:])
    return values, np.where(np.isfinite(values), order, -1).astype(np.int32), groups


def spearman_of_sums(sums: Fields) -> Array:
    """Return Spearman's rho from n, the sum of doubled ranks' products, and sums of t³ - t over ties."""
    n, product, x_ties, z_ties = sums
    cubes = n**3 - n
    x_spread, z_spread = cubes - x_ties, cubes - z_ties
    usable = (n >= MINIMUM_PAIRS) & (x_spread > 0) & (z_spread > 0)
    scale = np.sqrt(np.where(usable, x_spread, 1.0)) * np.sqrt(np.where(usable, z_spread, 1.0))
    return np.where(usable, np.clip(3 * (product - n * (n + 1) ** 2) / scale, -1.0, 1.0), np.nan)


def _accuracy(sums: Fields) -> Array:
    """Return accuracy. An item drawn twice is not a pair with itself: that would always be a correct tie."""
    n, pairs, right = sums
    return np.where((n >= MINIMUM_PAIRS) & (pairs > 0), right / np.maximum(pairs, 1.0), np.nan)


def _tau_b(sums: Fields) -> Array:
    n, balance, _, x_ties, z_ties, _, _ = sums
    total = n * (n - 1) / 2
    usable = (n >= MINIMUM_PAIRS) & (total > x_ties) & (total > z_ties)
    x_untied, z_untied = np.where(usable, total - x_ties, 1.0), np.where(usable, total - z_ties, 1.0)
    return np.where(usable, np.clip(balance / (np.sqrt(x_untied) * np.sqrt(z_untied)), -1.0, 1.0), np.nan)


def _tau_c(sums: Fields) -> Array:
    n, balance, _, _, _, x_distinct, z_distinct = sums
    distinct = np.minimum(x_distinct, z_distinct)
    usable = (n >= MINIMUM_PAIRS) & (distinct > 1)
    scale = np.where(usable, n**2 * (distinct - 1), 1.0)
    return np.where(usable, np.clip(2 * balance * distinct / scale, -1.0, 1.0), np.nan)


def _gamma(sums: Fields) -> Array:
    n, balance, untied, *_ = sums
    usable = (n >= MINIMUM_PAIRS) & (untied > 0)
    return np.where(usable, balance / np.where(usable, untied, 1.0), np.nan)


TAUS: dict[Coefficient, Callable[[Fields], Array]] = {
    Coefficient.KENDALL: _tau_b,
    Coefficient.STUART_TAU_C: _tau_c,
    Coefficient.GAMMA: _gamma,
}
"""Each tau as a function of n, C - D, C + D, ties in x, ties in z, and distinct values of either."""

NOT_OF_PAIRS = [0, 5, 6]
"""Which of them are not numbers of pairs."""
