"""Krippendorff's alpha of set-valued annotations, with MASI and Jaccard distances."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Set
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from core.agreement.estimates import Estimator, undefined

Array = NDArray[np.float64]

SetDistance = Callable[[Array, Array, Array], Array]
"""Distances from the numbers of elements that two sets share, and of either; arrays that broadcast."""
SetPairs = Sequence[tuple[frozenset[Hashable], frozenset[Hashable]]]
"""For each item of one topic, the sets of two annotators."""


def jaccard_distance(common: Array, a: Array, b: Array) -> Array:
    """Return 1 - |A ∩ B| / |A ∪ B|, in [0, 1]; 0 for two empty sets."""
    union = a + b - common
    return np.where(union > 0, 1 - common / np.where(union > 0, union, 1), 0.0)


def masi_distance(common: Array, a: Array, b: Array) -> Array:
    """Return 1 - J · M, in [0, 1]; 0 for two empty sets.

    J: Jaccard's coefficient.
    M: 1 for equal sets, 2/3 if one contains the other, 1/3 if they overlap otherwise, 0 if they are disjoint.
    Source: Passonneau 2006.
    """
    union = a + b - common
    monotonicity = np.where(common == np.minimum(a, b), 2 / 3, 1 / 3)
    return np.where(common == union, 0.0, 1 - common / np.where(union > 0, union, 1) * monotonicity)


def common_counts(first: Sequence[Set[Hashable]], second: Sequence[Set[Hashable]]) -> Array:
    """Return how many elements each two sets share, shape (first, second)."""
    place = {element: i for i, element in enumerate(set(chain(*first, *second)))}

    def has_elements(sets: Sequence[Set[Hashable]]) -> NDArray[np.float32]:  # exact: counts are small
        found = np.zeros((len(sets), len(place)), dtype=np.float32)
        for row, elements in zip(found, sets, strict=True):
            row[[place[element] for element in elements]] = 1
        return found

    return (has_elements(first) @ has_elements(second).T).astype(np.float64)


def set_alpha(topics: Sequence[SetPairs], distance: SetDistance) -> Estimator:
    """Return Krippendorff's alpha of two annotators' sets.

    topics: items of each topic.
    Chance is estimated within each topic, since sets of different topics share no element and would be at
    distance 1 by design. With one topic this is Krippendorff's alpha (2019, chapter 12).
    Undefined if the sets of each topic are all equal.
    """
    observed, expected = np.zeros(len(topics)), np.zeros(len(topics))
    with threadpool_limits(1, user_api="blas"):  # many small products
        for place, pairs in enumerate(topics):
            observed[place], expected[place] = _disagreements(pairs, distance)
    items = sum(map(len, topics))
    if not items:
        return undefined(len(topics), "no item of both annotators")
    if expected.sum() <= 0:
        return undefined(len(topics), "both annotators always chose the same set", items)

    def of(counts: Array) -> Array:
        chance = counts @ expected
        defined = chance > 0
        return np.where(defined, 1 - (counts @ observed) / np.where(defined, chance, 1.0), np.nan)

    return Estimator(of, np.array([len(pairs) > 0 for pairs in topics]), items)


def _disagreements(pairs: SetPairs, distance: SetDistance) -> tuple[float, float]:
    """Return observed and expected disagreement of one topic, times the number of its values."""
    values = list(dict.fromkeys(value for pair in pairs for value in pair))
    place = {value: i for i, value in enumerate(values)}
    sizes = np.array([len(value) for value in values], dtype=np.float64)
    apart = distance(common_counts(values, values), sizes[:, None], sizes)
    n_v = np.bincount([place[value] for pair in pairs for value in pair], minlength=len(values))
    observed = 2 * sum(apart[place[a], place[b]] for a, b in pairs)
    return float(observed), float(n_v @ apart @ n_v) / max(int(n_v.sum()) - 1, 1)
