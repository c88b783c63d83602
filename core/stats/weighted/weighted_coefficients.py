"""Weighted coefficients of rows, by the fastest available method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.kernels.row_coefficients import fill_pair_counts, fill_pearson
from core.stats.resample_counts import ResampleCounts, at_once, ranges
from core.stats.row_coefficients import MINIMUM_PAIRS
from core.stats.types import Coefficient
from core.stats.weighted.weighted_rank_coefficients import TAUS, SortedRows

Array = NDArray[np.float64]

_PEARSON, PAIRS = Kernel(fill_pearson), Kernel(fill_pair_counts)

_STEPS_AT_ONCE = 10
"""Steps of Pearson's loop that take as long for all rows at once as one interpreted step of another loop."""

MAX_BY_PAIRS = 200
"""Things up to which looking at every pair is faster than sorting."""


def weighted_rows(x: Array, z: Array, weights: Array, coefficient: Coefficient, thresholds: Array) -> Array:
    """Return the coefficient of each draw and row, shape (draws, rows), NaN = undefined.

    x: shape (draws or 1, rows, n).
    z: shape (draws or 1, cycle, n), row r is paired with row r modulo cycle; NaN in both = missing.
    weights: shape (draws or 1, n), integers.
    thresholds: tie thresholds of accuracy, shape (rows,).
    """
    if coefficient is Coefficient.PEARSON:
        return weighted_pearson(x, z, weights)
    if coefficient in TAUS and x.shape[2] <= MAX_BY_PAIRS:
        return TAUS[coefficient](pair_counts(x, z, weights))
    return SortedRows.of(x, z).coefficients(weights, coefficient, thresholds)


def weighted_pearson(x: Array, z: Array, weights: Array) -> Array:
    """Return Pearson's r of each draw and row; see `weighted_rows` for the arguments."""
    sizes, draws, rows = _sizes(x, z, weights, 1)
    steps = draws * rows * x.shape[2] * 2
    if not _PEARSON.pays_off(steps // _STEPS_AT_ONCE):
        Kernel.interpreted_steps += steps // _STEPS_AT_ONCE
        return _pearson_by_items(x, z, weights)
    out = np.empty((draws, rows))
    sides = [np.ascontiguousarray(side).ravel() for side in (x, z, weights)]
    _PEARSON(sizes, *sides, out.ravel(), steps=steps)
    return out


def _pearson_by_items(x: Array, z: Array, weights: Array) -> Array:
    """Return what `fill_pearson` fills, to the last digit: items are added in its order, for all rows."""
    rows = x.shape[1]
    x_items = np.ascontiguousarray(np.moveaxis(x, 2, 0))
    z_items = np.ascontiguousarray(np.moveaxis(z, 2, 0)[:, :, np.arange(rows) % z.shape[1]])
    weight_items = np.ascontiguousarray(weights.T)[:, :, None]
    shape = np.broadcast_shapes(*(items.shape[1:] for items in (x_items, z_items, weight_items)))
    count, x_sum, z_sum = np.zeros((3, *shape))
    x_low, z_low = np.full((2, *shape), np.inf)
    x_high, z_high = np.full((2, *shape), -np.inf)
    for a, b, weight in zip(x_items, z_items, weight_items, strict=True):
        there = (weight > 0) & (a == a) & (b == b)
        count += np.where(there, weight, 0.0)
        x_sum += np.where(there, weight * a, 0.0)
        z_sum += np.where(there, weight * b, 0.0)
        for low, high, side in ((x_low, x_high, a), (z_low, z_high, b)):
            np.minimum(low, side, out=low, where=there)
            np.maximum(high, side, out=high, where=there)
    usable = (count >= 3) & (x_low < x_high) & (z_low < z_high)
    x_mean, z_mean = (total / np.where(usable, count, 1.0) for total in (x_sum, z_sum))
    xx, zz, xz = np.zeros((3, *shape))
    for a, b, weight in zip(x_items, z_items, weight_items, strict=True):
        there = (weight > 0) & (a == a) & (b == b)
        x_off, z_off = (np.where(there, side - mean, 0.0) for side, mean in ((a, x_mean), (b, z_mean)))
        xx += weight * x_off * x_off
        zz += weight * z_off * z_off
        xz += weight * x_off * z_off
    usable &= (xx > 0) & (zz > 0)
    scale = np.sqrt(np.where(usable, xx, 1.0)) * np.sqrt(np.where(usable, zz, 1.0))
    return np.where(usable, np.clip(xz / scale, -1.0, 1.0), np.nan)


def pair_counts(x: Array, z: Array, weights: Array | None = None) -> Array:
    """Return the counts that `TAUS` need, shape (fields, draws, rows). weights: None = each item once."""
    weights = np.ones((1, x.shape[2])) if weights is None else weights
    sizes, draws, rows = _sizes(x, z, weights, 7)
    n = x.shape[2]
    out = np.zeros((draws, rows, 7), dtype=np.int64)
    sides = [np.ascontiguousarray(side).ravel() for side in (x, z)]
    room = (np.zeros(n), np.zeros(n), np.zeros(n, dtype=np.int64))
    whole = weights.astype(np.int64).ravel()
    PAIRS(sizes, *sides, whole, *room, out.ravel(), steps=draws * rows * n * max(1, n // 4))
    return np.moveaxis(out, 2, 0).astype(np.float64)


def _sizes(x: Array, z: Array, weights: Array, fields: int) -> tuple[NDArray[np.int64], int, int]:
    draws = max(side.shape[0] for side in (x, z, weights))
    varies = [int(side.shape[0] > 1) for side in (x, z, weights)]
    sizes = np.array([draws, x.shape[1], x.shape[2], z.shape[1], fields, *varies], dtype=np.int64)
    return sizes, draws, x.shape[1]


Where = NDArray[np.bool_]

LOST = 1e-9
"""Share of the sum of squares below which a variance has lost digits and is recomputed from deviations."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedMoments:
    """Sums that determine r under any counts: of each topic, or of all summaries if `pooled`.

    columns: x, x² and xz of each measure, then 1, z and z², shape (3 measures + 3, systems, topics). x and z
    are centered and scaled; all are 0 if missing.
    """

    columns: Array
    pooled: bool

    @classmethod
    def of(cls, x: Array, z: Array, *, pooled: bool) -> WeightedMoments:
        """Compute the columns.

        x: shape (measures, systems, topics), z: (systems, topics), NaN in the same cells.
        """
        there = np.isfinite(z)
        x, z = standard(x, there, pooled), standard(z[None], there, pooled)
        return cls(np.concatenate((x, x * x, x * z, there[None], z, z * z)), pooled)

    def coefficients(self, counts: ResampleCounts) -> Array:
        """Return r of each draw, measure and topic; one topic if pooled. NaN = undefined."""
        columns, systems, topics = self.columns.shape
        if self.pooled:
            each = np.zeros((counts.draws, columns, 1))
            for part in ranges(systems, at_once(counts.draws * topics)):
                weights = counts.systems[:, part, None] * counts.topics[:, None, :]
                flat = self.columns[:, part].reshape(columns, -1)
                each[:, :, 0] += weights.reshape(counts.draws, -1) @ flat.T
        else:
            flat = self.columns.transpose(1, 0, 2).reshape(systems, -1)
            each = (counts.systems @ flat).reshape(-1, columns, topics)
        shape = (len(each), 3, -1, each.shape[2])
        sums, of_z = each[:, :-3].reshape(shape), each[:, -3:].reshape(shape)
        return self._coefficients_of(sums, of_z, counts)

    def _coefficients_of(self, sums: Array, of_z: Array, counts: ResampleCounts) -> Array:
        (x, xx, xz), (n, z, zz) = (np.moveaxis(side, 1, 0) for side in (sums, of_z))
        x_spread, z_spread = n * xx - x * x, n * zz - z * z
        usable = (n >= MINIMUM_PAIRS) & (xx > 0) & (zz > 0)
        lost = usable & ((x_spread < LOST * n * xx) | (z_spread < LOST * n * zz))
        scale = np.sqrt(np.where(usable & ~lost, x_spread, 1.0) * np.where(usable & ~lost, z_spread, 1.0))
        values = np.where(usable, np.clip((n * xz - x * z) / scale, -1.0, 1.0), np.nan)
        if lost.any():
            values[lost] = self._from_deviations(lost, counts)
        return values

    def _from_deviations(self, which: Where, counts: ResampleCounts) -> Array:
        """r of few cells from deviations."""
        draw, measure, topic = np.nonzero(which)
        systems = counts.systems[draw if counts.systems.shape[0] > 1 else draw * 0]
        there, human = self.columns[-3] > 0, self.columns[-2]
        z = np.where(there, human, np.nan)
        if not self.pooled:
            x = self.columns[measure, :, topic][:, None]
            return weighted_pearson(x, z[:, topic].T[:, None], systems)[:, 0]
        topics = counts.topics[draw if counts.topics.shape[0] > 1 else draw * 0]
        values = np.empty(draw.size)
        for part in ranges(draw.size, at_once(z.size)):
            weights = (systems[part, :, None] * topics[part, None, :]).reshape(-1, z.size)
            x = self.columns[measure[part]].reshape(-1, 1, z.size)
            values[part] = weighted_pearson(x, z.reshape(1, 1, -1), weights)[:, 0]
        return values


def standard(x: Array, there: Where, pooled: bool, *, scaled: bool = True) -> Array:
    """Center per topic or over all, and scale by the largest deviation; 0 if missing or constant.

    x: shape (measures, systems, topics).
    """
    axes = (1, 2) if pooled else 1
    n = np.maximum(there.sum(axis=None if pooled else 0), 1)
    means = np.where(there, x, 0.0).sum(axis=axes, keepdims=True) / n
    centred = np.where(there, x - means, 0.0)
    largest = np.abs(centred).max(axis=axes, keepdims=True, initial=0.0)
    low = np.where(there, x, np.inf).min(axis=axes, keepdims=True, initial=np.inf)
    high = np.where(there, x, -np.inf).max(axis=axes, keepdims=True, initial=-np.inf)
    varies = (low < high) & (largest > 0)
    return np.where(varies, centred / np.where(varies & scaled, largest, 1.0), 0.0)
