"""Paired permutation test of two measures' correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.matrix import row_means
from core.stats.correlation import Coefficient, Level
from core.stats.kernels.swaps import fill_swap_differences
from core.stats.measure_stack import level_rows
from core.stats.pairwise_accuracy import calibrate_ties
from core.stats.precision import (
    EQUAL_CORRELATIONS,
    correlation_precision,
    normalize,
    round_to_grain,
    scale_exponents,
    varies,
    weighted_sums,
)
from core.stats.resample_counts import at_once, ranges
from core.stats.resampling.swap_signs import SwapSigns
from core.stats.resampling.swapped_ranks import SwappedRanks, is_by_pairs
from core.stats.soft_pairwise_accuracy import soft_accuracies_of_swaps
from core.stats.weighted.weighted_coefficients import standard, weighted_rows

Array = NDArray[np.float64]

_SWAPS = Kernel(fill_swap_differences)
_STEPS = 20
"""Operations of its innermost loop."""


@dataclass(frozen=True, slots=True, eq=False)
class SwapMoments:
    """Sums that determine Pearson's r of two measures in each permutation of their scores.

    A swap changes the sign of what it moves, so all sums are products of the signs and of fixed sums.
    turned: what swaps move; of cells shape (3, topics, systems): itself, its products with twice the mean and
    with z. Of systems their means by topic, shape (systems, topics), with `weights`, shape (3, systems).
    stays: sum, squares and products with z of what stays, shape (3, groups); n, sum, squares of z: `of_z`.
    """

    turned: Array
    weights: Array | None
    stays: Array
    of_z: Array

    @classmethod
    def of(cls, mean: Array, turned: Array, z: Array, level: Level) -> SwapMoments:
        """Compute the sums at a level; see `PairedPermutation` for the arguments."""
        there, pooled = np.isfinite(z), level is not Level.TOPIC
        weights = None
        if level is Level.SYSTEM:
            n = there.sum(axis=1)
            there = (n > 0)[:, None]
            mean, z = (
                round_to_grain(np.nansum(side, axis=1) / np.maximum(n, 1))[:, None] for side in (mean, z)
            )
            turned = np.where(np.isfinite(turned), turned, 0.0) / np.maximum(n, 1)[:, None]
        mean, z = (standard(side[None], there, pooled, scaled=False)[0] for side in (mean, z))
        if level is Level.SYSTEM:
            moves, squares = turned, mean**2
            weights = np.stack((there[:, 0].astype(np.float64), 2 * mean[:, 0], z[:, 0]))
        else:
            turned = np.where(there, turned, 0.0)
            moves, squares = (
                np.stack((turned, 2 * mean * turned, turned * z)).swapaxes(1, 2),
                mean**2 + turned**2,
            )
        stays, of_z = (
            np.stack(sides).sum(axis=(1, 2) if pooled else 1).reshape(3, -1)
            for sides in ((mean, squares, mean * z), (there.astype(np.float64), z, z**2))
        )
        return cls(np.ascontiguousarray(moves), weights, stays, of_z)

    def differences(self, signs: SwapSigns) -> Array:
        """Return the first r minus the second, the means of topics, shape (draws,).

        inf = not determined by sums, as a variance would lose digits. NaN = undefined.
        """
        groups = self.stays.shape[1]
        squares = self.stays[1]
        if self.weights is not None:
            moved = (self.turned @ signs.topics.T) * signs.systems.T
            squares = squares + (moved * moved).sum(axis=0)
            moved = self.weights @ moved
        else:
            moved = (self.turned.reshape(-1, self.turned.shape[2]) @ signs.systems.T).reshape(
                3, self.turned.shape[1], -1
            ) * signs.topics.T
            if groups < self.turned.shape[1]:
                moved = moved.sum(axis=1)
        draws = moved.shape[-1]
        differences = np.zeros(draws)
        sizes = np.array([draws, groups, squares.size > groups])
        human = np.concatenate((self.stays[::2], self.of_z)).ravel()
        _SWAPS(sizes, moved.ravel(), squares, human, differences, steps=_STEPS * draws * groups)
        return differences


@dataclass(frozen=True, slots=True, eq=False)
class PairedPermutation:
    """Mean and half difference of two measures: one is mean + turned, the other mean - turned.

    mean, turned, z: shape (systems, topics), NaN in the same cells. A swap changes the sign of `turned` only.
    precision: difference of two correlations at this level that is 0, since sums are not more exact.
    sums: what the coefficients are computed of, None = of the values of each permutation.
    """

    mean: Array
    turned: Array
    z: Array
    level: Level
    coefficient: Coefficient
    precision: float
    sums: SwapMoments | SwappedRanks | None

    @classmethod
    def of(cls, x: Array, y: Array, z: Array, level: Level, coefficient: Coefficient) -> PairedPermutation:
        """Standardize both measures over the cells that all three have, so that scores can be exchanged.

        Both are then scaled alike, so that the coarser one's precision is `GRAIN`.
        """
        there = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
        (x, x_spread), (y, y_spread) = (_standardize(side, there) for side in (x, y))
        spread = min((each for each in (x_spread, y_spread) if each > 0), default=1.0)
        x, y, z = x * spread, y * spread, normalize(np.where(there, z, np.nan))
        if level is not Level.SYSTEM and coefficient is not Coefficient.SOFT_ACCURACY:  # which have means
            x, y = (x, y) if coefficient is Coefficient.ACCURACY else (round_to_grain(x), round_to_grain(y))
            z = round_to_grain(z)
        both = np.where(there, np.stack((x, y)), np.nan)
        each = correlation_precision(level_rows(both, there, level).reshape(2, -1))
        scaled = np.ldexp(each, -scale_exponents(both, (1, 2)).ravel())  # rows are normalized again
        precision = 0.0 if coefficient.is_accuracy else float(scaled.sum())
        mean, turned = (x + y) / 2, (x - y) / 2
        sums: SwapMoments | SwappedRanks | None = None
        if coefficient is Coefficient.PEARSON:
            sums = SwapMoments.of(mean, turned, z, level)
        elif is_by_pairs(level, coefficient):
            sums = SwappedRanks.of(both[0], both[1], z, coefficient)
        return cls(mean, turned, z, level, coefficient, max(precision, EQUAL_CORRELATIONS), sums)

    def differences(self, signs: SwapSigns) -> Array:
        """Return the first correlation minus the second in each permutation, shape (draws,)."""
        if self.coefficient is Coefficient.SOFT_ACCURACY:
            moved = signs.systems[:, :, None] * signs.topics[:, None, :] * self.turned
            both = soft_accuracies_of_swaps(np.concatenate([self.mean + moved, self.mean - moved]), self.z)
            return both[: len(moved)] - both[len(moved) :]
        if self.sums is None:
            return self._by_values(signs)
        differences = self.sums.differences(signs)
        for part in ranges(len(lost := np.flatnonzero(np.isinf(differences))), at_once(self.z.size)):
            differences[lost[part]] = self._by_values(signs.part(lost[part]))
        return differences

    def _by_values(self, signs: SwapSigns) -> Array:
        """Return the differences from the values of each permutation."""
        rows, z = self._means(signs) if self.level is Level.SYSTEM else self._cells(signs)
        values = _coefficients(rows, z, self.coefficient)
        if self.level is not Level.TOPIC:
            first, second = values[:, 0, 0], values[:, 1, 0]
        else:
            first, second = row_means(values[:, 0]), row_means(values[:, 1])
        differences: Array = first - second
        return differences

    def _means(self, signs: SwapSigns) -> tuple[Array, Array]:
        """Return the systems' means, shapes (draws, 2, 1, systems) and (1, systems)."""
        n = np.isfinite(self.z).sum(axis=1)
        there = np.maximum(n, 1)
        mean, turned, z = (np.where(np.isfinite(a), a, 0.0) for a in (self.mean, self.turned, self.z))
        once = np.ones((1, z.shape[1]))
        moved = signs.systems * weighted_sums(signs.topics, turned)
        stays = weighted_sums(once, mean)
        both = np.where(n > 0, np.stack((stays + moved, stays - moved), axis=1) / there, np.nan)
        rows = both if self.coefficient is Coefficient.ACCURACY else round_to_grain(both)
        return rows[:, :, None], round_to_grain(np.where(n > 0, weighted_sums(once, z) / there, np.nan))

    def _cells(self, signs: SwapSigns) -> tuple[Array, Array]:
        """Return cells, shapes (draws, 2, topics, systems) and (topics, systems); globally one row."""
        sign = signs.topics[:, :, None] * signs.systems[:, None, :]
        both = np.stack((self.mean.T + sign * self.turned.T, self.mean.T - sign * self.turned.T), axis=1)
        if self.level is Level.TOPIC:
            return both, self.z.T
        return both.reshape(len(sign), 2, 1, -1), self.z.T.reshape(1, -1)


def _coefficients(rows: Array, z: Array, coefficient: Coefficient) -> Array:
    """Return coefficients, shape (draws, 2, groups). rows: shape (draws, 2, groups, n), z: (groups, n)."""
    draws, sides, groups, n = rows.shape
    if coefficient is Coefficient.ACCURACY:
        flat = rows.reshape(-1, groups, n)
        return np.array([calibrate_ties(side, z).values for side in flat]).reshape(draws, sides, groups)
    flat = np.where(np.isfinite(z), rows, np.nan).reshape(draws, sides * groups, n)
    values = weighted_rows(flat, z[None], np.ones((1, n)), coefficient, np.zeros(sides * groups))
    return values.reshape(draws, sides, groups)


def _standardize(x: Array, there: NDArray[np.bool_]) -> tuple[Array, float]:
    """Standardize over all cells to mean 0 and deviation 1; 0 if constant, NaN = missing.

    Also returns the deviation of the normalized values, 0 if constant.
    """
    x = normalize(np.where(there, x, np.nan))
    if not varies(x):
        return x * 0.0, 0.0
    cells = x[there]
    spread = float(cells.std())
    scaled: Array = (x - float(cells.mean())) / spread
    return scaled, spread
