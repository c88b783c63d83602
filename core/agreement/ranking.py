"""Effect of the annotator on the ranking of systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.agreement.coefficients import PairCorrelation
from core.agreement.estimates import Estimator, undefined
from core.stats import row_coefficients as rows
from core.stats.row_coefficients import MINIMUM_PAIRS

Array = NDArray[np.float64]


def ranking_agreement(first: Array, second: Array, kind: PairCorrelation) -> Estimator:
    """Return the correlation of the systems' means under either annotator's work.

    first, second: shape (systems, topics), NaN = no score; only cells with both scores are used.
    Systems without such a cell in a resample are left out of it. Kendall's is tau-b.
    """
    both = np.isfinite(first) & np.isfinite(second)
    topics = both.shape[1]
    n = int(both.any(axis=1).sum())
    if n < MINIMUM_PAIRS:
        reason = f"{n} {'system is' if n == 1 else 'systems are'} too few to rank; {MINIMUM_PAIRS} are needed"
        return undefined(topics, reason, n)
    sides = [np.where(both, side, 0.0).T for side in (first, second)]
    cells = both.T.astype(np.float64)
    kernel = {PairCorrelation.PEARSON: rows.pearson, PairCorrelation.SPEARMAN: rows.spearman}.get(
        kind, rows.kendall
    )

    def means(counts: Array) -> list[Array]:
        weights = counts @ cells
        # Rounded, so that equal means of different sums are ties.
        return [
            np.where(weights > 0, np.round((counts @ side) / np.maximum(weights, 1), 12), np.nan)
            for side in sides
        ]

    def of(counts: Array) -> Array:
        return np.asarray(kernel(*means(counts)))

    for mean in means(np.ones((1, topics))):
        if np.ptp(mean[np.isfinite(mean)]) == 0:
            return undefined(topics, "all systems have the same mean under one annotator", n)
    return Estimator(of, np.asarray(both.any(axis=0)), n, cells=n * n)
