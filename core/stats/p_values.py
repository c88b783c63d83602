"""Two-sided p-values of coefficients, by the rules of scipy 1.17."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.stats.rows import PairCounts, pair_counts, tie_sizes

Array = NDArray[np.float64]

EXACT_UP_TO = 33
"""Pairs without ties up to which Kendall's p is exact, as scipy's ``method="auto"`` has it."""


def p_of_r(r: Array, n: NDArray[np.int64]) -> Array:
    """p of Pearson's r, or of Spearman's rho, under the exact distribution of r for normal values.

    It is Student's t with n - 2 degrees of freedom, written as a beta distribution, so that r = ±1 gives 0.
    NaN where r is NaN.
    """
    from scipy.special import betainc

    half = np.maximum(n / 2 - 1, 0.5)
    p = 2 * betainc(half, half, (1 - np.abs(r)) / 2)
    return np.where(np.isfinite(r), np.minimum(p, 1.0), np.nan)


def p_of_tau(x: Array, z: Array, counts: PairCounts | None = None) -> Array:
    """p of Kendall's tau of each row of x, z, shape (rows, n), NaN = missing in both.

    tau-b, tau-c and the plain tau are 0 together, so it is the p of all three: that of C - D, the difference
    of concordant and discordant pairs, among all orders of one side. Exact without ties up to `EXACT_UP_TO`
    pairs or near ±1, else normal with the variance corrected for ties. counts: if they are known already.
    """
    counts = counts or pair_counts(x, z)
    return np.array([_p_of_one_tau(counts, i, x[i], z[i]) for i in range(x.shape[0])], dtype=np.float64)


def p_of_mean(values: Array) -> float:
    """p of the mean of independent values against 0 by Student's t; NaN below two or without spread."""
    from scipy.special import stdtr

    n = values.size
    if n < 2 or np.ptp(values) == 0:
        return math.nan
    t = float(values.mean() / (values.std(ddof=1) / math.sqrt(n)))
    return float(2 * stdtr(n - 1, -abs(t)))


def _p_of_one_tau(counts: PairCounts, row: int, x: Array, z: Array) -> float:
    n, total = int(counts.pairs[row]), int(counts.total[row])
    x_ties, z_ties = int(counts.x_ties[row]), int(counts.z_ties[row])
    if x_ties == total or z_ties == total:
        return math.nan
    discordant = int(counts.discordant[row])
    rarer = min(discordant, total - discordant)
    if not x_ties and not z_ties and (n <= EXACT_UP_TO or rarer <= 1):
        return _exact_p(n, rarer)
    there = np.isfinite(x)
    variance = _variance_of_balance(n, tie_sizes(x[there]), tie_sizes(z[there]))
    return math.erfc(abs(int(counts.balance[row])) / math.sqrt(2 * variance))


def _variance_of_balance(n: int, x_ties: NDArray[np.int64], z_ties: NDArray[np.int64]) -> float:
    """Variance of concordant minus discordant pairs under independence. Kendall 1970, chapter 4."""
    m = n * (n - 1)
    spread = m * (2 * n + 5) - _over(x_ties, 5) - _over(z_ties, 5)
    pairs = float((x_ties * (x_ties - 1)).sum()) * float((z_ties * (z_ties - 1)).sum()) / (2 * m)
    return spread / 18 + pairs + _triples(x_ties) * _triples(z_ties) / (9 * m * (n - 2))


def _over(ties: NDArray[np.int64], plus: int) -> float:
    return float((ties * (ties - 1.0) * (2 * ties + plus)).sum())


def _triples(ties: NDArray[np.int64]) -> float:
    return float((ties * (ties - 1.0) * (ties - 2)).sum())


def _exact_p(n: int, rarer: int) -> float:
    """p of so few discordant (or concordant) pairs among all orders of n, all equally likely."""
    if rarer <= 1:  # 1 order without any, n - 1 with one; n may be too large to list the others
        return min(1.0, 2 * (1 + rarer * (n - 1)) / math.factorial(n))
    return min(1.0, 2 * sum(_orders(n)[: rarer + 1]) / math.factorial(n))


@lru_cache(maxsize=EXACT_UP_TO)
def _orders(n: int) -> tuple[int, ...]:
    """How many orders of n things have 0, 1, 2, ... inversions (Mahonian numbers)."""
    counts = [1]
    for size in range(2, n + 1):
        grown = [0] * (len(counts) + size - 1)
        for inversions, orders in enumerate(counts):
            for more in range(size):
                grown[inversions + more] += orders
        counts = grown
    return tuple(counts)
