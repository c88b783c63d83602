"""Confidence intervals of correlations: bootstrap over systems, topics or both, and Fisher's transformation.

Compared by Deutsch, Dror & Roth 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.resample_counts import ResampleCounts, ResampleUnit, draw_annotators, draw_counts, full_sample
from core.stats.resampling.bootstrap_coefficients import ResampledMeasures, bootstrap_coefficients
from core.stats.resampling.parallel import map_threads

Array = NDArray[np.float64]


def bootstrap(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    over: ResampleUnit,
    draws: int = 1000,
    seed: int = 0,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> JobSteps[Array]:
    """Correlate every measure in each of many resamples, the same for all measures.

    x: shape (measures, systems, topics), z: shape (systems, topics), NaN = missing. Judged systems and topics
    are resampled.
    Returns shape (draws, measures), NaN = undefined in that resample; see `bootstrap_coefficients`.
    """
    x, z = drop_unjudged(x, z)
    counts = draw_counts(z.shape[0], z.shape[1], over, draws, seed)
    return (yield from in_steps(ResampledMeasures(x, z, level, coefficient, undefined), counts))


def in_steps(
    measures: ResampledMeasures, counts: ResampleCounts, before: int = 0, total: int = 0
) -> JobSteps[Array]:
    """Compute the coefficients of measures in resamples in steps, on all processors.

    before, total: resamples computed before these and in the whole job, for its progress; 0 = only these.
    Returns shape (draws, measures), NaN = undefined.
    """
    work = measures.work(counts)
    with closing(map_threads(work.tasks, "Resampling")) as steps:
        for number, step in enumerate(steps):
            work.add(number)
            done = before + counts.draws * step.done / step.total
            yield Progress(done, total or counts.draws, step.note)
    return work.values()


def interval(samples: Array, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the percentile interval of each column of samples.

    samples: shape (draws, measures), NaN left out.
    Returns low and high, shape (measures,), NaN = no sample is defined.
    """
    tail = 50 * (1 - confidence)
    ends = [np.percentile(column, (tail, 100 - tail)) for column in _defined(samples)]
    low, high = np.array(ends).reshape(-1, 2).T
    return low, high


def fisher_interval(
    r: Array, n: Array, coefficient: Coefficient, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the interval by Fisher's transformation, for independent pairs; low and high, shaped as r.

    n: pairs; at the topic level the most systems of a topic, as in Deutsch et al.
    NaN for too few pairs, and for coefficients without a known variance (tau-c, gamma, accuracy).
    Source: Bonett & Wright 2000.
    """
    from scipy.special import ndtri

    r, n = np.asarray(r, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if coefficient not in _SPREADS:
        return np.full(r.shape, np.nan), np.full(r.shape, np.nan)
    fewer, spread = _SPREADS[coefficient]
    usable = n > fewer
    reach = ndtri((1 + confidence) / 2) * spread(r) / np.sqrt(np.where(usable, n - fewer, np.nan))
    with np.errstate(divide="ignore"):  # r = ±1 has an interval of zero width
        middle = np.arctanh(r)
    return np.tanh(middle - reach), np.tanh(middle + reach)


def fisher_p(r: Array, n: Array, coefficient: Coefficient) -> Array:
    """Return the two-sided p of "the correlation is 0" that inverts `fisher_interval`; NaN = no interval."""
    from scipy.special import ndtr

    r, n = np.asarray(r, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if coefficient not in _SPREADS:
        return np.full(r.shape, np.nan)
    fewer, spread = _SPREADS[coefficient]
    with np.errstate(divide="ignore"):
        z = np.abs(np.arctanh(r)) * np.sqrt(np.where(n > fewer, n - fewer, np.nan)) / spread(r)
    p: Array = 2 * ndtr(-z)
    return p


_SPREADS: dict[Coefficient, tuple[int, Callable[[Array], Array]]] = {
    Coefficient.PEARSON: (3, np.ones_like),
    Coefficient.SPEARMAN: (3, lambda r: np.sqrt(1 + r**2 / 2)),
    Coefficient.KENDALL: (4, lambda r: np.full_like(r, np.sqrt(0.437))),
}
"""Subtrahend of n, and standard deviation of the transformed coefficient times the root of the difference."""


def drop_unjudged(x: Array, z: Array) -> tuple[Array, Array]:
    """Return the systems and topics with any judgement; only these can be resampled."""
    there = np.isfinite(z)
    systems, topics = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    return x[:, systems][:, :, topics], z[np.ix_(systems, topics)]


def _defined(samples: Array) -> Iterator[Array]:
    for column in samples.T:
        finite = column[np.isfinite(column)]
        yield finite if finite.size else np.array([np.nan])


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
