"""Bootstrap of correlations over annotators, optionally over systems and topics too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.resample_counts import ResampleUnit, draw_annotators, draw_counts, full_sample
from core.stats.resampling.bootstrap_coefficients import bootstrap_coefficients

Array = NDArray[np.float64]


def bootstrap_annotators(
    x: Array,
    cube: Array,
    level: Level,
    coefficient: Coefficient,
    also: ResampleUnit | None = None,
    draws: int = 1000,
    seed: int = 0,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> JobSteps[Array]:
    """Correlate with the mean ratings of annotators drawn with replacement.

    x: shape (measures, systems, topics).
    cube: shape (annotators, systems, topics), NaN = missing.
    also: resample systems, topics or both too, from separate random streams.
    Returns shape (draws, measures). Summaries that no drawn annotator rated are not judged in that draw.
    Draws of the same annotators are correlated together.
    """
    there: NDArray[np.bool_] = np.asarray(np.isfinite(cube).any(axis=0))
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    x, cube = x[:, rows][:, :, columns], cube[:, rows][:, :, columns]
    annotators, systems, topics = cube.shape
    things = draw_counts(systems, topics, also, draws, seed) if also else full_sample(systems, topics)
    kinds, kind_of = np.unique(draw_annotators(annotators, draws, seed), axis=0, return_inverse=True)
    values = np.full((draws, x.shape[0]), np.nan)
    for kind, counts in enumerate(kinds):
        yield Progress(kind, len(kinds), "Resampling annotators")
        which = np.flatnonzero(kind_of.ravel() == kind)
        judged = weighted_mean(cube, counts)
        values[which] = bootstrap_coefficients(x, judged, level, coefficient, things.part(which), undefined)
    return values


def weighted_mean(cube: Array, counts: Array) -> Array:
    """Return the mean over annotators with these counts, shape (systems, topics), NaN = not rated."""
    weights = np.where(np.isfinite(cube), counts[:, None, None], 0.0)
    n = weights.sum(axis=0)
    total = (np.where(np.isfinite(cube), cube, 0.0) * weights).sum(axis=0)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)
