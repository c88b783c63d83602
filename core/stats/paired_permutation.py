"""Paired permutation test of two measures' correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import Coefficient, Level
from core.stats.pairwise_accuracy import calibrate_ties
from core.stats.resample_counts import ResampleUnit
from core.stats.row_coefficients import MINIMUM_PAIRS, round_to_precision
from core.stats.soft_pairwise_accuracy import soft_accuracies_of_swaps
from core.stats.weighted_coefficients import weighted_rows
from core.stats.weighted_pearson import LOST, standard

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SwapSigns:
    """Permutations: a cell's scores are swapped if its system's sign times its topic's is -1.

    systems: shape (draws or 1, systems).
    topics: shape (draws or 1, topics).
    """

    systems: Array
    topics: Array

    @classmethod
    def unswapped(cls, shape: tuple[int, ...]) -> SwapSigns:
        """Return the permutation without swaps."""
        return cls(np.ones((1, shape[0])), np.ones((1, shape[1])))

    def part(self, first: int, last: int) -> SwapSigns:
        """Return the permutations from first until before last."""
        systems, topics = (
            side if side.shape[0] == 1 else side[first:last] for side in (self.systems, self.topics)
        )
        return SwapSigns(systems, topics)


def draw_swaps(systems: int, topics: int, over: ResampleUnit, draws: int, seed: int) -> SwapSigns:
    """Draw each sign, ±1 with probability one half; a unit that is not swapped has one row of ones."""
    streams = np.random.SeedSequence(seed).spawn(2)

    def drawn(which: ResampleUnit, there: int, stream: np.random.SeedSequence) -> Array:
        if over not in (which, ResampleUnit.BOTH):
            return np.ones((1, there))
        picked = np.random.Generator(np.random.PCG64(stream)).integers(0, 2, (draws, there))
        return np.where(picked == 1, 1.0, -1.0)

    return SwapSigns(
        drawn(ResampleUnit.SYSTEMS, systems, streams[0]), drawn(ResampleUnit.TOPICS, topics, streams[1])
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairedPermutation:
    """Mean and half difference of two measures: one is mean + turned, the other mean - turned.

    mean, turned, z: shape (systems, topics), NaN in the same cells. A swap changes the sign of `turned` only.
    """

    mean: Array
    turned: Array
    z: Array

    @classmethod
    def of(cls, x: Array, y: Array, z: Array) -> PairedPermutation:
        """Standardize both measures over the cells that all three have, so that scores can be exchanged."""
        there = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
        x, y = _standardize(x, there), _standardize(y, there)
        return cls((x + y) / 2, (x - y) / 2, np.where(there, z, np.nan))

    def differences(self, signs: SwapSigns, level: Level, coefficient: Coefficient) -> Array:
        """Return the first correlation minus the second in each permutation, shape (draws,)."""
        if coefficient is Coefficient.SOFT_ACCURACY:
            moved = signs.systems[:, :, None] * signs.topics[:, None, :] * self.turned
            both = soft_accuracies_of_swaps(np.concatenate([self.mean + moved, self.mean - moved]), self.z)
            return both[: len(moved)] - both[len(moved) :]
        values = self._by_moments(signs, level) if coefficient is Coefficient.PEARSON else None
        if values is None:
            rows, z = self._means(signs) if level is Level.SYSTEM else self._cells(signs, level)
            values = _coefficients(rows, z, coefficient)
        if level is not Level.TOPIC:
            first, second = values[:, 0, 0], values[:, 1, 0]
        else:
            first, second = _means_of_defined(values[:, 0]), _means_of_defined(values[:, 1])
        differences: Array = first - second
        return differences

    def _by_moments(self, signs: SwapSigns, level: Level) -> Array | None:
        """Return Pearson's r of cells, shape (draws, 2, groups); None if sums lose too many digits.

        A swap changes the sign of what it moves, so all sums are products of the signs and of fixed sums.
        """
        if level is Level.SYSTEM:
            return None
        there, pooled = np.isfinite(self.z), level is Level.GLOBAL
        turned = np.where(there, self.turned, 0.0)
        mean, z = (standard(side[None], there, pooled, scaled=False)[0] for side in (self.mean, self.z))
        moves = np.stack((turned, 2 * mean * turned, turned * z))
        moved = signs.topics * (signs.systems @ moves)  # sums, their squares, products: (3, draws, topics)
        fixed = np.stack((mean, mean**2 + turned**2, mean * z)).sum(axis=1)[:, None]
        people = np.stack((there.astype(np.float64), z, z**2)).sum(axis=1)
        if pooled:
            moved, fixed = moved.sum(axis=2, keepdims=True), fixed.sum(axis=2, keepdims=True)
            people = people.sum(axis=1, keepdims=True)
        values = [_from_sums(fixed + sign * moved, people) for sign in (1.0, -1.0)]
        if any(value is None for value in values):
            return None
        return np.stack([value for value in values if value is not None], axis=1)

    def _means(self, signs: SwapSigns) -> tuple[Array, Array]:
        """Return the systems' means, shapes (draws, 2, 1, systems) and (1, systems)."""
        n = np.isfinite(self.z).sum(axis=1)
        there = np.maximum(n, 1)
        mean, turned, z = (np.where(np.isfinite(a), a, 0.0) for a in (self.mean, self.turned, self.z))
        moved = signs.systems * (signs.topics @ turned.T) / there
        stays = mean.sum(axis=1) / there
        both = np.where(n > 0, np.stack((stays + moved, stays - moved), axis=1), np.nan)
        grained = round_to_precision(both.reshape(-1, n.size)).reshape(-1, 2, 1, n.size)
        return grained, round_to_precision(np.where(n > 0, z.sum(axis=1) / there, np.nan)[None])

    def _cells(self, signs: SwapSigns, level: Level) -> tuple[Array, Array]:
        """Return cells, shapes (draws, 2, topics, systems) and (topics, systems); globally one row."""
        sign = signs.topics[:, :, None] * signs.systems[:, None, :]
        both = np.stack((self.mean.T + sign * self.turned.T, self.mean.T - sign * self.turned.T), axis=1)
        both = round_to_precision(both.reshape(len(sign) * 2, -1)).reshape(both.shape)
        if level is Level.TOPIC:
            return both, self.z.T
        return both.reshape(len(sign), 2, 1, -1), self.z.T.reshape(1, -1)


def _from_sums(of_x: Array, of_z: Array) -> Array | None:
    """Return r from sums, sums of squares and of products with z; None if a variance lost its digits.

    of_x: shape (3, draws, groups).
    of_z: n, sum and squares, shape (3, groups). A constant judgement, or one of too few cells, gives NaN.
    """
    (x, xx, xz), (n, z, zz) = of_x, of_z
    x_spread, z_spread = n * xx - x * x, n * zz - z * z
    usable = (n >= MINIMUM_PAIRS) & (xx > 0) & (zz > 0)
    if (usable & ((x_spread <= LOST * n * xx) | (z_spread <= LOST * n * zz))).any():
        return None
    scale = np.sqrt(np.where(usable, x_spread * z_spread, 1.0))
    return np.where(usable, np.clip((n * xz - x * z) / scale, -1.0, 1.0), np.nan)


def _coefficients(rows: Array, z: Array, coefficient: Coefficient) -> Array:
    """Return coefficients, shape (draws, 2, groups). rows: shape (draws, 2, groups, n), z: (groups, n)."""
    draws, sides, groups, n = rows.shape
    if coefficient is Coefficient.ACCURACY:
        flat = rows.reshape(-1, groups, n)
        return np.array([calibrate_ties(side, z).values for side in flat]).reshape(draws, sides, groups)
    flat = np.where(np.isfinite(z), rows, np.nan).reshape(draws, sides * groups, n)
    values = weighted_rows(flat, z[None], np.ones((1, n)), coefficient, np.zeros(sides * groups))
    return values.reshape(draws, sides, groups)


def _means_of_defined(values: Array) -> Array:
    defined = np.isfinite(values)
    n = defined.sum(axis=1)
    return np.where(n > 0, np.where(defined, values, 0.0).sum(axis=1) / np.maximum(n, 1), np.nan)


def _standardize(x: Array, there: NDArray[np.bool_]) -> Array:
    """Standardize over all cells to mean 0 and deviation 1; 0 if constant, NaN = missing."""
    cells = x[there]
    spread = float(cells.std()) if cells.size and np.ptp(cells) > 0 else 0.0
    centred = np.where(there, x, np.nan) - (float(cells.mean()) if cells.size else 0.0)
    scaled: Array = centred / spread if spread > 0 else centred * 0.0
    return scaled
