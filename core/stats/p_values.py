"""Two-sided p-values of coefficients, equal to those of scipy 1.17."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import varies

Array = NDArray[np.float64]

EXACT_UP_TO = 33
"""Number of pairs without ties up to which Kendall's p is exact, as in scipy's ``method="auto"``."""


def p_of_r(r: Array, n: NDArray[np.int64]) -> Array:
    """Return the p of Pearson's r or Spearman's rho, from the exact distribution of r for normal values.

    Student's t with n - 2 degrees of freedom, written as a beta distribution, so that r = ±1 gives 0.
    NaN where r is NaN.
    """
    from scipy.special import betainc

    half = np.maximum(n / 2 - 1, 0.5)
    p = 2 * betainc(half, half, (1 - np.abs(r)) / 2)
    return np.where(np.isfinite(r), np.minimum(p, 1.0), np.nan)


def p_of_tau(counts: Array, x_ties: Array, z_ties: Array) -> Array:
    """Return the p of each row's tau, NaN where a side is constant.

    tau-b, tau-c and gamma are zero together and share their p: that of C - D, concordant minus discordant
    pairs, over all orders of one side. Exact without ties up to `EXACT_UP_TO` pairs or near ±1, else normal
    with the variance corrected for ties.
    counts: shape (fields, rows), see `concordance_counts`.
    x_ties, z_ties: shape (rows, 3), see `tie_sums`; one row of z may serve all.
    """
    z_rows = np.broadcast_to(z_ties, x_ties.shape)
    rows = zip(counts.T.tolist(), x_ties.tolist(), z_rows.tolist(), strict=True)
    return np.array([_p_of_one_tau(row_counts, x, z) for row_counts, x, z in rows], dtype=np.float64)


def tie_sums(sizes: NDArray[np.int64]) -> Array:
    """Return sums of t (t - 1), t (t - 1) (2 t + 5), t (t - 1) (t - 2) over ties of size t; shape (rows, 3).

    sizes: shape (rows, values), number of items of a row that share each value. The sums are exact integers.
    """
    pairs = sizes * (sizes - 1.0)
    return np.stack([(pairs * more).sum(axis=1) for more in (1.0, 2 * sizes + 5, sizes - 2)], axis=1)


def p_of_means(values: Array) -> Array:
    """Return the p of the mean of each row of independent values against 0 by Student's t.

    values: correlations, shape (rows, n). NaN for fewer than two values, or if all are equal.
    """
    from scipy.special import stdtr

    n = values.shape[1]
    if n < 2:
        return np.full(values.shape[0], np.nan)
    differ = varies(values, axis=1)
    spread = values.std(axis=1, ddof=1) / math.sqrt(n)
    t = values.mean(axis=1) / np.where(differ, spread, 1.0)
    return np.where(differ, 2 * stdtr(n - 1, -np.abs(t)), np.nan)


def _p_of_one_tau(row_counts: Sequence[float], x: Sequence[float], z: Sequence[float]) -> float:
    n, balance, untied, x_tied, z_tied = (int(count) for count in row_counts[:5])
    total = n * (n - 1) // 2
    if total in (x_tied, z_tied):
        return math.nan
    discordant = (untied - balance) // 2
    rarer = min(discordant, total - discordant)
    if not x_tied and not z_tied and (n <= EXACT_UP_TO or rarer <= 1):
        return _exact_p(n, rarer)
    return math.erfc(abs(balance) / math.sqrt(2 * _variance_of_balance(n, x, z)))


def _variance_of_balance(n: int, x: Sequence[float], z: Sequence[float]) -> float:
    """Return the variance of C - D under independence. Source: Kendall 1970, chapter 4."""
    m = n * (n - 1)
    spread = m * (2 * n + 5) - x[1] - z[1]
    return spread / 18 + x[0] * z[0] / (2 * m) + x[2] * z[2] / (9 * m * (n - 2))


def _exact_p(n: int, rarer: int) -> float:
    """Return the p of at most `rarer` discordant, or concordant, pairs over all orders of n."""
    if rarer <= 1:  # one order has none, n - 1 have one; n may be too large to count others
        return min(1.0, 2 * (1 + rarer * (n - 1)) / math.factorial(n))
    return min(1.0, 2 * sum(_orders(n)[: rarer + 1]) / math.factorial(n))


@lru_cache(maxsize=EXACT_UP_TO)
def _orders(n: int) -> tuple[int, ...]:
    """Return the number of orders of n items with 0, 1, 2, ... inversions (Mahonian numbers)."""
    counts = [1]
    for size in range(2, n + 1):
        grown = [0] * (len(counts) + size - 1)
        for inversions, orders in enumerate(counts):
            for more in range(size):
                grown[inversions + more] += orders
        counts = grown
    return tuple(counts)
