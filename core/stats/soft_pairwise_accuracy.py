"""Soft pairwise accuracy: agreement of a measure and a judgement on how sure the order of two systems is.

Thompson, Mathur, Deutsch & Khayrallah 2024, "Improving Statistical Significance in Human Evaluation of
Automatic Metrics via Soft Pairwise Accuracy" (WMT).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_ROUNDING = 1e-12
"""Differences of sums that are smaller, relative to the largest score, are rounding errors."""


def random_signs(topics: int, draws: int, seed: int) -> Array:
    """Return random signs, shape (draws, topics): -1 exchanges the two systems' scores of a topic."""
    return np.random.default_rng(seed).choice((-1.0, 1.0), size=(draws, topics))


def pairwise_p_values(scores: Array, signs: Array) -> Array:
    """Return the p of each system being better than each other one, shape (systems, systems).

    It is the share of permutations in which the exchanged difference is at least the observed one (paired,
    one-sided). The diagonal is NaN.
    scores: shape (systems, topics), without NaN. signs: see `random_signs`.
    """
    sums, exchanged = scores.sum(axis=1), signs @ scores.T
    slack = _ROUNDING * max(1.0, float(np.abs(scores).max(initial=0.0))) * scores.shape[1]
    p = np.full((len(scores), len(scores)), np.nan)
    for one in range(len(scores)):
        differences = exchanged[:, [one]] - exchanged
        p[one] = (differences >= sums[one] - sums - slack).mean(axis=0)
    np.fill_diagonal(p, np.nan)
    return p


def soft_pairwise_accuracy(p: Array, q: Array) -> float:
    """Return 1 minus the mean difference of two matrices of p over all pairs; NaN = fewer than two systems.

    p, q: shape (systems, systems), of a measure and of a judgement.
    """
    above = np.triu_indices(len(p), 1)
    if not len(above[0]):
        return float("nan")
    return float(1.0 - np.abs(p[above] - q[above]).mean())
