"""Soft pairwise accuracy: agreement of a measure and a judgement on how sure the order of two systems is.

Thompson, Mathur, Deutsch & Khayrallah 2024, "Improving Statistical Significance in Human Evaluation of
Automatic Metrics via Soft Pairwise Accuracy" (WMT).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.stats.precision import GRAIN, normalize
from core.stats.resample_counts import ResampleCounts


def fill_shares(sizes: Any, permuted: Any, bounds: Any, out: Any) -> None:
    """Fill the share of permutations in which the difference of two rows reaches its bound.

    sizes: groups, rows of a group, permutations. permuted: permuted sums, by group, row and permutation.
    bounds, out: by group and pair of rows, (0, 1), (0, 2), ...
    """
    groups, rows, draws = sizes[0], sizes[1], sizes[2]
    at = 0
    for group in range(groups):
        for one in range(rows):
            start = (group * rows + one) * draws
            first = permuted[start : start + draws]
            for other in range(one + 1, rows):
                start = (group * rows + other) * draws
                second = permuted[start : start + draws]
                bound, count = bounds[at], 0
                for draw in range(draws):
                    if first[draw] - second[draw] >= bound:
                        count += 1
                out[at] = count / draws
                at += 1


Array = NDArray[np.float64]

DRAWS, SEED = 1000, 0
"""Permutations of the coefficient, as in the authors' program, and their seed."""

FEWEST_SYSTEMS, FEWEST_TOPICS = 3, 5
"""Fewer topics give too few permutations for a p."""

_ROWS_AT_ONCE = 512
"""Systems of all measures whose permuted sums are in memory at once."""

_COUNTING = Kernel(fill_shares)


def random_signs(topics: int, draws: int, seed: int) -> Array:
    """Return random signs, shape (draws, topics): -1 exchanges the two systems' scores of a topic.

    More topics begin with the same signs.
    """
    signs: Array = np.random.default_rng(seed).choice((-1.0, 1.0), size=(topics, draws)).T
    return signs


def pairwise_p_values(scores: Array, signs: Array, counts: Array | None = None) -> Array:
    """Return the p of the first system of each pair being better than the second, shape (measures, pairs).

    It is the share of permutations in which the exchanged difference is at least the observed one (paired,
    one-sided). Pairs are in the order (0, 1), (0, 2), ….
    scores: normalized, shape (measures, systems, topics), without NaN. signs: see `random_signs`.
    counts: how often each topic was drawn, shape (topics,); each time is exchanged by a sign of its own, so
    there are as many signs as drawn topics. None = each topic once.
    """
    measures, systems, topics = scores.shape
    if counts is not None:
        drawn = np.flatnonzero(counts)
        often = counts[drawn].astype(np.intp)
        scores, topics = scores[:, :, drawn], int(often.sum())
        first = np.concatenate([[0], np.cumsum(often)[:-1]]).astype(np.intp)
        signs = np.add.reduceat(signs.T[:topics], first, axis=0).T
        weights = often.astype(np.float64)
    else:
        weights = np.ones(topics)
    one, other = np.triu_indices(systems, 1)
    p = np.empty((measures, len(one)))
    at_once = max(1, _ROWS_AT_ONCE // max(systems, 1))
    for begin in range(0, measures, at_once):
        part = scores[begin : begin + at_once]
        sums = part @ weights
        bounds = sums[:, one] - sums[:, other] - GRAIN * topics
        permuted = part.reshape(-1, part.shape[2]) @ signs.T
        shares = np.zeros(bounds.size)
        sizes = np.array([len(part), systems, permuted.shape[1]])
        _COUNTING(sizes, permuted.ravel(), bounds.ravel(), shares, steps=bounds.size * permuted.shape[1])
        p[begin : begin + at_once] = shares.reshape(bounds.shape)
    return p


def soft_pairwise_accuracy(p: Array, q: Array) -> Array:
    """Return 1 minus the mean difference of p over all pairs of systems; NaN = no pair.

    p: of measures, shape (measures, pairs). q: of a judgement, shape (pairs,). Returns shape (measures,).
    """
    if not q.size:
        return np.full(len(p), np.nan)
    values: Array = 1.0 - np.abs(p - q).mean(axis=1)
    return values


def soft_accuracies(x: Array, z: Array) -> tuple[Array, Array]:
    """Return the soft pairwise accuracy of each measure and the number of systems behind it.

    x: shape (measures, systems, topics), larger is better; z: shape (systems, topics); NaN = missing. Only
    systems and topics are used for which a measure and the judgement have every value.
    NaN = fewer than `FEWEST_SYSTEMS` systems or `FEWEST_TOPICS` topics.
    """
    values, counts = np.full(len(x), np.nan), np.zeros(len(x))
    sharing: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for place, scores in enumerate(x):
        systems, topics = complete_part(scores, z)
        counts[place] = len(systems) if topics else 0
        sharing.setdefault((tuple(systems), tuple(topics)), []).append(place)
    for (systems_of, topics_of), places in sharing.items():
        if len(systems_of) < FEWEST_SYSTEMS or len(topics_of) < FEWEST_TOPICS:
            continue
        signs, part = random_signs(len(topics_of), DRAWS, SEED), np.ix_(systems_of, topics_of)
        (q,) = pairwise_p_values(normalize(z[part])[None], signs)
        scores = normalize(x[np.ix_(places, systems_of, topics_of)], (1, 2))
        values[places] = soft_pairwise_accuracy(pairwise_p_values(scores, signs), q)
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


class ResampledSoftAccuracy:
    """Soft pairwise accuracy of measures with the same cells in resamples of systems and topics.

    A topic that is drawn twice counts as two topics. A system that is drawn twice counts twice in the mean
    over pairs, but forms no pair with itself, on which measure and judgement would always agree.
    """

    def __init__(self, x: Array, z: Array) -> None:
        """Prepare measures, shape (measures, systems, topics), and a judgement, both normalized."""
        self._systems, self._topics = complete_part(x[0], z)
        part = np.ix_(self._systems, self._topics)
        self._x, self._z = x[:, self._systems][:, :, self._topics], z[part]

    def coefficients(self, counts: ResampleCounts) -> Array:
        """Return the coefficients, shape (draws, measures), NaN = too few topics or different systems."""
        topics, systems = counts.topics[:, self._topics], counts.systems[:, self._systems]
        one, other = np.triu_indices(len(self._systems), 1)
        weights = systems[:, one] * systems[:, other]
        total = weights.sum(axis=1)
        values = np.full((counts.draws, len(self._x)), np.nan)
        if len(self._systems) < FEWEST_SYSTEMS or topics.sum(axis=1).max(initial=0) < FEWEST_TOPICS:
            return values
        signs = random_signs(int(topics.sum(axis=1).max()), DRAWS, SEED)
        both = np.concatenate([self._z[None], self._x])
        distances = np.zeros((len(self._x), len(one)))
        for draw in range(counts.draws):
            drawn = topics[min(draw, len(topics) - 1)]
            if drawn.sum() < FEWEST_TOPICS:
                continue
            if draw < len(topics):
                p = pairwise_p_values(both, signs, drawn)
                distances = np.abs(p[1:] - p[0])
            at = min(draw, len(systems) - 1)
            if total[at] > 0:
                values[draw] = 1.0 - distances @ weights[at] / total[at]
        return values


def soft_accuracies_of_swaps(x: Array, z: Array) -> Array:
    """Return the soft pairwise accuracy of many versions of a measure with the same cells, shape (versions,).

    x: shape (versions, systems, topics), z: shape (systems, topics), NaN = missing; normalized.
    """
    systems, topics = complete_part(x[0], z)
    if len(systems) < FEWEST_SYSTEMS or len(topics) < FEWEST_TOPICS:
        return np.full(len(x), np.nan)
    signs = random_signs(len(topics), DRAWS, SEED)
    (q,) = pairwise_p_values(z[np.ix_(systems, topics)][None], signs)
    return soft_pairwise_accuracy(pairwise_p_values(x[:, systems][:, :, topics], signs), q)
