"""Rank coefficients within topics of two measures that swap scores, by matrix products over pairs of systems.

A system's score is the first measure's where its sign s_i is 1, and the second's where it is -1. Which of
the systems i and j is above the other is therefore one of four fixed signs, and linear in s_i, s_j and
s_i·s_j. So is each sum over pairs of systems, such as C - D: all topics and permutations need one product of
integers. What a topic's own sign swaps are its two coefficients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.kernels.swaps import fill_swap_ties
from core.stats.precision import exact_parts
from core.stats.resample_counts import at_once, ranges
from core.stats.resampling.swap_signs import SwapSigns
from core.stats.row_coefficients import average_ranks, dense_ranks
from core.stats.types import Coefficient, Level
from core.stats.weighted.weighted_rank_coefficients import TAUS, spearman_of_sums
from core.stats.within_topic_tau import PAIRS_AT_ONCE, blocks_of_pairs, compare

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

_TIES = Kernel(fill_swap_ties)

PERMUTATIONS_AT_ONCE = 512
"""Permutations for which the signs of pairs are compared once."""

_NUMBERS = 4
"""Numbers of a permutation in a topic."""


def is_by_pairs(level: Level, coefficient: Coefficient) -> bool:
    """Return whether a coefficient at a level is computed here."""
    return level is Level.TOPIC and coefficient is not Coefficient.PEARSON and not coefficient.is_accuracy


@dataclass(frozen=True, slots=True, eq=False)
class SwappedRanks:
    """Two measures and a judgement, whose order within topics is all that counts.

    ranks: dense ranks among the scores of both measures, shape (2, systems, topics), -1 = missing.
    z: of the judgement, doubled mean ranks, shape (systems, topics), NaN = missing.
    z_ties: tied pairs, distinct values, and the sum of t³ - t, shape (3, topics).
    is_tied: whether some scores of a topic are equal, shape (topics,).
    """

    ranks: NDArray[np.int32]
    z: Array
    z_ties: Whole
    is_tied: NDArray[np.bool_]
    coefficient: Coefficient

    @classmethod
    def of(cls, x: Array, y: Array, z: Array, coefficient: Coefficient) -> SwappedRanks:
        """Rank scores. x, y, z: shape (systems, topics), NaN in the same cells."""
        there = np.isfinite(z)
        joint = dense_ranks(np.concatenate((x, y)).T)
        ranks = np.where(np.tile(there, (2, 1)).T, joint, -1)
        is_tied = ranks.max(axis=1, initial=-1) + 1 < 2 * there.sum(axis=0)
        human = 2 * average_ranks(z.T)
        z_ties = _ties_of_rows(np.where(there.T, dense_ranks(z.T), -1))
        shaped = np.ascontiguousarray(ranks.T.reshape(2, *z.shape).astype(np.int32))
        return cls(shaped, np.ascontiguousarray(human.T), z_ties, is_tied, coefficient)

    def differences(self, signs: SwapSigns) -> Array:
        """Return the first mean over topics minus the second, shape (draws,), NaN = undefined."""
        systems, topics = self.z.shape
        size = at_once(_NUMBERS * len(signs.systems) + min(PAIRS_AT_ONCE, systems * systems))
        draws = max(len(signs.systems), len(signs.topics))
        sums = np.zeros((3, 2, draws))  # both exact parts and the number, by measure
        for block in ranges(topics, size):
            values = self.coefficients(signs.systems, block)
            is_own = signs.topics[:, None, block] > 0
            each = np.where(is_own, values, values[:, ::-1])
            defined = np.isfinite(each)
            for total, part in zip(sums, (*exact_parts(np.where(defined, each, 0.0)), defined), strict=True):
                total += part.sum(axis=2).T
        high, low, n = sums
        first, second = np.where(n > 0, (high + low) / np.maximum(n, 1.0), np.nan)
        differences: Array = first - second
        return differences

    def coefficients(self, systems: Array, topics: slice) -> Array:
        """Return both measures' coefficients in each of some topics, shape (draws, 2, topics).

        systems: signs, shape (draws, systems).
        """
        n = np.isfinite(self.z[:, topics]).sum(axis=0).astype(np.float64)
        ties = self._ties(systems, topics)
        z_ties = self.z_ties[:, topics]
        if self.coefficient is Coefficient.SPEARMAN:
            products = self._sums_over_pairs(systems, topics)
            return spearman_of_sums((n, products + n * (n + 1) ** 2, ties[2], z_ties[2]))
        balance = self._sums_over_pairs(systems, topics)
        untied = balance
        if self.coefficient is Coefficient.GAMMA:
            untied = self._sums_over_pairs(systems, topics, untied=True)
        return TAUS[self.coefficient]((n, balance, untied, ties[0], z_ties[0], ties[1], z_ties[1]))

    def _sums_over_pairs(self, systems: Array, topics: slice, *, untied: bool = False) -> Array:
        """Return C - D, C + D if `untied`, or the difference of Spearman's products from their mean.

        Shape (draws, 2, topics).
        """
        ranks, z = self.ranks[:, :, topics], self.z[:, topics]
        count = len(z)
        is_spearman = self.coefficient is Coefficient.SPEARMAN
        most = 4 * (count**3 - count) // 3 if is_spearman else 2 * count * (count - 1)
        single: NDArray[Any] = systems.astype(np.float32 if most < 2**24 else np.float64)
        constant = np.zeros(z.shape[1], single.dtype)
        linear = np.zeros(z.shape, single.dtype)
        squares = np.zeros((len(systems), z.shape[1]))
        for firsts in blocks_of_pairs(count):
            products = np.concatenate([single[:, i : i + 1] * single[:, i + 1 :] for i in firsts], axis=1)
            factors = []
            for i in firsts:
                if is_spearman:
                    of_z = np.nan_to_num(z[i] - z[i + 1 :]).astype(single.dtype)
                else:
                    of_z = compare(z[i], z[i + 1 :])
                one, other = ranks[:, i]
                xx, yy = compare(one, ranks[0, i + 1 :]), compare(other, ranks[1, i + 1 :])
                xy, yx = compare(one, ranks[1, i + 1 :]), compare(other, ranks[0, i + 1 :])
                if untied:
                    of_z, xx, yy, xy, yx = (np.abs(side) for side in (of_z, xx, yy, xy, yx))
                same, crossed = xx + yy, xy + yx
                own, swapped = xx - yy, xy - yx
                constant += ((same + crossed) * of_z).sum(axis=0, dtype=single.dtype)
                linear[i] += ((own + swapped) * of_z).sum(axis=0, dtype=single.dtype)
                linear[i + 1 :] += (own - swapped) * of_z
                factors.append((same - crossed) * of_z)
            squares += products @ np.concatenate(factors).astype(single.dtype)
        moved = single @ linear
        return np.stack((constant + squares + moved, constant + squares - moved), axis=1) / 4

    def _ties(self, systems: Array, topics: slice) -> Array:
        """Return tied pairs, distinct values, and the sum of t³ - t, shape (3, draws, 2, topics)."""
        n = np.isfinite(self.z[:, topics]).sum(axis=0)
        ties = np.zeros((3, len(systems), 2, n.size))
        ties[1] = n
        tied = np.flatnonzero(self.is_tied[topics])
        if tied.size == 0 or self.coefficient is Coefficient.GAMMA:
            return ties
        ranks = np.ascontiguousarray(self.ranks[:, :, topics][:, :, tied].transpose(2, 0, 1))
        sizes = np.array([len(systems), tied.size, len(self.z)])
        out = np.zeros((tied.size, len(systems), 2, 3), dtype=np.int64)
        here = np.zeros(2 * len(self.z), dtype=np.int64)
        swapped = (systems < 0).astype(np.int64).ravel()
        steps = out.size * len(self.z)
        _TIES(sizes, ranks.ravel(), swapped, here, out.ravel(), steps=steps)
        ties[..., tied] = out.transpose(3, 1, 2, 0)
        return ties


def _ties_of_rows(ranks: Whole) -> Whole:
    """Return tied pairs, distinct values, and the sum of t³ - t of each row, shape (3, rows).

    ranks: dense ranks, shape (rows, n), -1 = missing.
    """
    rows, n = ranks.shape
    flat = (ranks + 1 + np.arange(rows)[:, None] * (n + 1)).ravel()
    t = np.bincount(flat, minlength=rows * (n + 1)).reshape(rows, n + 1)[:, 1:]
    ties: Whole = np.stack((t * (t - 1) // 2, t > 0, t**3 - t)).sum(axis=2)
    return ties
