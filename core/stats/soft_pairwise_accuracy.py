"""Soft pairwise accuracy: agreement of a measure and a judgement on how sure the order of two systems is.

Thompson, Mathur, Deutsch & Khayrallah 2024, "Improving Statistical Significance in Human Evaluation of
Automatic Metrics via Soft Pairwise Accuracy" (WMT).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DRAWS, SEED = 1000, 0
"""Permutations of the coefficient, as in the authors' program, and their seed."""

FEWEST_SYSTEMS, FEWEST_TOPICS = 3, 5
"""Fewer topics give too few permutations for a p."""

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


def soft_accuracies(x: Array, z: Array) -> tuple[Array, Array]:
    """Return the soft pairwise accuracy of each measure and the number of systems behind it.

    x: shape (measures, systems, topics), larger is better; z: shape (systems, topics); NaN = missing. Only
    systems and topics are used for which a measure and the judgement have every value.
    NaN = fewer than `FEWEST_SYSTEMS` systems or `FEWEST_TOPICS` topics.
    """
    values, counts = np.full(len(x), np.nan), np.zeros(len(x))
    judged: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[Array, Array]] = {}
    for place, scores in enumerate(x):
        systems, topics = complete_part(scores, z)
        counts[place] = len(systems) if topics else 0
        if len(systems) < FEWEST_SYSTEMS or len(topics) < FEWEST_TOPICS:
            continue
        key, part = (tuple(systems), tuple(topics)), np.ix_(systems, topics)
        if key not in judged:
            signs = random_signs(len(topics), DRAWS, SEED)
            judged[key] = signs, pairwise_p_values(z[part], signs)
        signs, q = judged[key]
        values[place] = soft_pairwise_accuracy(pairwise_p_values(scores[part], signs), q)
    return values, counts


def complete_part(scores: Array, judged: Array) -> tuple[list[int], list[int]]:
    """Return the places of systems and topics for which both have every value.

    Systems without any common value are left out first, then topics that lack a value.
    scores, judged: shape (systems, topics), NaN = missing.
    """
    there = np.isfinite(scores) & np.isfinite(judged)
    systems = np.flatnonzero(there.any(axis=1))
    topics = np.flatnonzero(there[systems].all(axis=0)) if len(systems) else np.array([], dtype=np.intp)
    return list(map(int, systems)), list(map(int, topics))
