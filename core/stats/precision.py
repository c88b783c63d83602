"""The precision of computed numbers: one rule decides which of them are equal.

The last digits of a score or a mean depend on the order of its sums. Two values of a measure are therefore
equal if they agree when rounded to a unit of 2^-40 of the measure's largest magnitude, about 12 digits: of
all its cells, so that what is equal at one level is equal at all of them.

Values are rounded once, when they enter a level: summaries at the topic and global level, means of summaries
at the system level, never before they are averaged, since rounded thirds don't add up to one. To share one
unit, measures are first scaled by a power of two, which changes no digit and also keeps squares of very large
and very small numbers in range.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GRAIN_BITS = 40

GRAIN = 2.0**-GRAIN_BITS
"""Unit to which normalized values are rounded, and below which correlations and their differences are 0."""

EQUAL_CORRELATIONS = 1e-10
"""Difference below which correlations of rounded values in resamples or permutations are equal."""

_HIGH, _LOW = 2.0**26, 2.0**55
"""Units of the two parts in which sums are exact."""


def scale_exponents(x: Array, axis: int | tuple[int, ...] | None = None) -> NDArray[np.int32]:
    """Return e with the largest finite magnitude in [2^(e-1), 2^e), the axes kept; 0 for none."""
    largest = np.abs(np.where(np.isfinite(x), x, 0.0)).max(axis=axis, initial=0.0, keepdims=True)
    exponents: NDArray[np.int32] = np.frexp(largest)[1]
    return exponents


def normalize(x: Array, axis: int | tuple[int, ...] | None = None) -> Array:
    """Return x scaled by a power of two to magnitudes below 1.

    axis: axes of one measure's values; None = all.
    """
    normalized: Array = np.ldexp(x, -scale_exponents(x, axis))
    return normalized


def round_to_grain(x: Array) -> Array:
    """Return normalized values, or means of them, rounded to `GRAIN`; NaN stays NaN."""
    rounded: Array = np.rint(x / GRAIN) * GRAIN
    return rounded


def round_values(x: Any, cells: Any = None) -> Array:
    """Return values in their own scale, rounded so that equal ones are the same number.

    cells: the measure's values, if x are means of them; None = x.
    """
    x = np.asarray(x, dtype=np.float64)
    exponent = int(scale_exponents(np.asarray(x if cells is None else cells, dtype=np.float64)).ravel()[0])
    rounded: Array = np.ldexp(round_to_grain(np.ldexp(x, -exponent)), exponent)
    return rounded


def weighted_sums(weights: Array, x: Array) -> Array:
    """Return weights @ x.T, the same in any order of the summands and in any division into steps.

    weights: integers, shape (draws, n). x: of magnitudes about 1, shape (rows, n); NaN makes its row NaN.
    """
    return sums_of_parts(weights, exact_parts(x))


def exact_parts(x: Array) -> tuple[Array, Array]:
    """Return two parts of x, which `sums_of_parts` adds for any weights.

    Both are multiples of a unit, so that their sums are exact, up to a weighted sum of 2^26.
    """
    high = np.rint(x * _HIGH) / _HIGH
    return high, np.rint((x - high) * _LOW) / _LOW


def sums_of_parts(weights: Array, parts: tuple[Array, Array]) -> Array:
    """Return the `weighted_sums` of what was divided into exact parts."""
    high, low = parts
    sums: Array = weights @ high.T + weights @ low.T
    return sums


def varies(x: Array, axis: int | tuple[int, ...] | None = None) -> NDArray[np.bool_]:
    """Return whether normalized values differ along the axes; False if all are missing."""
    there = np.isfinite(x)
    rounded = round_to_grain(x)
    low = np.where(there, rounded, np.inf).min(axis=axis, initial=np.inf)
    high = np.where(there, rounded, -np.inf).max(axis=axis, initial=-np.inf)
    return np.asarray(low < high)


def correlation_precision(rows: Array) -> Array:
    """Return how much rounding its values can change the correlation of each row; 0 for a constant row.

    rows: normalized values, shape (rows, n), NaN = missing. More for values that vary little compared with
    their size. Two correlations that differ by less are equal.
    """
    there = np.isfinite(rows)
    n = np.maximum(there.sum(axis=1, keepdims=True), 1)
    deviations = np.where(there, rows - np.where(there, rows, 0.0).sum(axis=1, keepdims=True) / n, 0.0)
    spreads = np.sqrt((deviations**2).sum(axis=1, keepdims=True) / n)[:, 0]
    return np.where(spreads > GRAIN, 2 * GRAIN / np.maximum(spreads, GRAIN), 0.0)
