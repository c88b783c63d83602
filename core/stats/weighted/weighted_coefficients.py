"""Weighted coefficients of rows, by the fastest available method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.kernels.row_coefficients import fill_pair_counts, fill_pearson
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
