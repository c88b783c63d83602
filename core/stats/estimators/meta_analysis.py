"""Random-effects meta-analysis of correlations: Fisher's z, DerSimonian and Laird, Hartung and Knapp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


@dataclass(frozen=True, slots=True)
class PooledEffect:
    """Mean of the effects of several studies.

    low, high: interval of the mean. from_, to: interval in which the effect of another such study lies.
    tau2: variance between studies. q, p: Cochran's test of equal effects. i2: share of the variance that is
    between studies, 0 to 1. NaN = undefined.
    """

    mean: float
    low: float
    high: float
    from_: float
    to: float
    tau2: float
    q: float
    p: float
    i2: float


def fisher_z(r: float, items: int) -> tuple[float, float]:
    """Return arctanh(r) and its variance 1 / (items − 3); NaN for |r| = 1 or fewer than four items."""
    if items < 4 or not abs(r) < 1:
        return float("nan"), float("nan")
    return float(np.arctanh(r)), 1.0 / (items - 3)


def pool_effects(effects: ArrayLike, variances: ArrayLike, confidence: float = 0.95) -> PooledEffect:
    """Pool effects of independent studies by a random-effects model.

    The variance between studies is DerSimonian and Laird's (1986); the interval of the mean is Hartung and
    Knapp's (2001), with Student's t; that of another study is Higgins, Thompson and Spiegelhalter's (2009).
    effects, variances: shape (studies,), without NaN. With one study there are no intervals.
    """
    y, v = np.asarray(effects, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    count = len(y)
    if not count:
        return PooledEffect(*(float("nan"),) * 9)
    if count == 1:
        return PooledEffect(float(y[0]), *(float("nan"),) * 8)
    fixed = 1 / v
    q = float((fixed * (y - np.average(y, weights=fixed)) ** 2).sum())
    scale = fixed.sum() - (fixed**2).sum() / fixed.sum()
    tau2 = max(0.0, (q - (count - 1)) / float(scale))
    weights = 1 / (v + tau2)
    mean = float(np.average(y, weights=weights))
    error2 = float((weights * (y - mean) ** 2).sum() / ((count - 1) * weights.sum()))
    half = float(stats.t.isf((1 - confidence) / 2, count - 1) * np.sqrt(error2))
    wide = float("nan")
    if count > 2:
        wide = float(stats.t.isf((1 - confidence) / 2, count - 2) * np.sqrt(tau2 + 1 / weights.sum()))
    return PooledEffect(
        mean,
        mean - half,
        mean + half,
        mean - wide,
        mean + wide,
        tau2,
        q,
        float(stats.chi2.sf(q, count - 1)),
        max(0.0, (q - (count - 1)) / q) if q > 0 else 0.0,
    )
