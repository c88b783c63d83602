"""Effect of the annotator on the ranking of systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.agreement.coefficients import PairCorrelation
from core.agreement.estimates import Estimator, undefined
from core.stats.row_coefficients import MINIMUM_PAIRS

Array = NDArray[np.float64]


def ranking_agreements(pairs: Sequence[tuple[Array, Array]], kind: PairCorrelation) -> list[Estimator]:
    """Return the correlation of the systems' means under the work of either annotator of each pair.

    pairs: of shape (systems, topics) each, NaN = no score; only cells with both scores are used.
    Systems without such a cell in a resample are left out of it. Kendall's is tau-b.
    """
    both = [_Means(*sides) for sides in pairs]
    whole = [means.of(np.ones((1, means.topics))) for means in both]
    exact = kind.of_pairs([np.concatenate(sides) for sides in whole])
    return [
        _estimator(means, kind, sides, float(value))
        for means, sides, value in zip(both, whole, exact, strict=True)
    ]


class _Means:
    """The means of systems under either annotator's work, over the cells with both scores."""

    def __init__(self, first: Array, second: Array) -> None:
        both = np.isfinite(first) & np.isfinite(second)
        self.topics = both.shape[1]
        self.has_items = np.asarray(both.any(axis=0))
        self.used = np.flatnonzero(self.has_items)
        cells = np.ix_(both.any(axis=1), self.used)
        both = both[cells]
        self._both = both.T.astype(np.float64)
        self._sides = [np.where(both, side[cells], 0.0).T for side in (first, second)]
        self.systems = len(both)

    def of(self, counts: Array) -> tuple[Array, Array]:
        """Return both sides' means, each of shape (draws, systems), NaN = none. counts: (draws, topics)."""
        drawn = counts[:, self.used]
        weights = drawn @ self._both
        # Rounded, so that equal means of different sums are ties.
        first, second = (
            np.where(weights > 0, np.round((drawn @ side) / np.maximum(weights, 1), 12), np.nan)
            for side in self._sides
        )
        return first, second


def _estimator(means: _Means, kind: PairCorrelation, whole: tuple[Array, Array], exact: float) -> Estimator:
    n = means.systems
    if n < MINIMUM_PAIRS:
        reason = f"{n} {'system is' if n == 1 else 'systems are'} too few to rank; {MINIMUM_PAIRS} are needed"
        return undefined(means.topics, reason, n)
    if any(np.ptp(side) == 0 for side in whole):
        return undefined(means.topics, "all systems have the same mean under one annotator", n)
    return Estimator(
        lambda counts: kind.of_rows(*means.of(counts)), means.has_items, n, cells=n * n, exact=exact
    )
