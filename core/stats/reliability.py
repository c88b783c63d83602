"""Reliability of ratings and the resulting noise ceiling of correlations.

Ratings are cubes of shape (annotators, systems, topics), NaN = not rated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.matrix import nanmean_first_axis, row_means
from core.stats.correlation import Coefficient, Correlation, Level, correlate
from core.stats.precision import normalize, varies

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Intraclass:
    """Intraclass correlations of one rating and of the mean of all.

    k: ratings per item, their harmonic mean if it varies.
    one_way: raters differ between items.
    agreement, consistency: the same raters rate all items, and their levels count or do not; NaN if a rating
    is missing.
    Shrout & Fleiss 1979 call them (1), (2), (3); McGraw & Wong 1996 give the names.
    """

    k: float
    one_way: float
    one_way_mean: float
    agreement: float
    agreement_mean: float
    consistency: float
    consistency_mean: float


def leave_one_out_agreement(cube: Array, level: Level, coefficient: Coefficient) -> list[Correlation]:
    """Correlate each annotator with the mean of the others, over what both rated."""
    correlations = []
    for who in range(cube.shape[0]):
        others = nanmean_first_axis(np.delete(cube, who, axis=0))
        correlations.append(correlate(cube[who], others, level, coefficient))
    return correlations


def split_half(
    cube: Array, level: Level, coefficient: Coefficient, draws: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Return the split-half correlation, averaged over draws, and stepped up to all annotators.

    The halves of an odd number differ by one. Stepped up by the Spearman–Brown formula, 2r / (1 + r). NaN for
    fewer than two annotators or if no draw is defined.
    """
    annotators = cube.shape[0]
    if annotators < 2:
        return math.nan, math.nan
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    orders = [tuple(random.permutation(annotators)[: annotators // 2]) for _ in range(draws)]
    once = dict.fromkeys({tuple(sorted(order)) for order in orders}, 0.0)
    for half in once:
        mine, rest = nanmean_first_axis(cube[list(half)]), nanmean_first_axis(np.delete(cube, half, axis=0))
        once[half] = correlate(mine, rest, level, coefficient).value
    values = np.array([once[tuple(sorted(order))] for order in orders])
    r = float(values[np.isfinite(values)].mean()) if np.isfinite(values).any() else math.nan
    return r, spearman_brown(r, 2)


def spearman_brown(r: float, times: float) -> float:
    """Return the reliability of `times` as many raters. Source: Spearman 1910; Brown 1910."""
    return times * r / (1 + (times - 1) * r) if 1 + (times - 1) * r > 0 else math.nan


def noise_ceiling(reliability: float) -> float:
    """Return the highest correlation of an error-free measure with a judgement of this reliability.

    Its square root, by Spearman's correction for attenuation, 1904; NaN below 0.
    """
    return math.sqrt(reliability) if reliability >= 0 else math.nan


def ratings_of(cube: Array, level: Level) -> Array:
    """Return items by raters, shape (items, annotators): systems' means, or summaries at other levels."""
    if level is not Level.SYSTEM:
        return cube.reshape(cube.shape[0], -1).T
    return row_means(cube).T


def intraclass(ratings: Array) -> Intraclass:
    """Return the intraclass correlations of ratings of shape (items, raters), NaN = not rated.

    Items rated once carry no information and are left out.
    """
    there = np.isfinite(ratings)
    ratings = ratings[there.sum(axis=1) >= 2]
    things = ratings.shape[0]
    if things < 2 or not varies(normalize(ratings)):
        return Intraclass(*(math.nan,) * 7)
    there = np.isfinite(ratings)
    n = there.sum(axis=1)
    means = np.where(there, ratings, 0.0).sum(axis=1) / n
    grand = float(ratings[there].mean())
    within = float((np.where(there, ratings - means[:, None], 0.0) ** 2).sum()) / float((n - 1).sum())
    k = float(things / (1 / n).sum())
    between = k * float(((means - grand) ** 2).sum()) / (things - 1)
    one_way = _ratio(between - within, between + (k - 1) * within, between + within)
    one_way_mean = _ratio(between - within, between, between + within)
    if not there.all():
        return Intraclass(k, one_way, one_way_mean, *(math.nan,) * 4)
    return Intraclass(k, one_way, one_way_mean, *_two_way(ratings, between))


def _two_way(ratings: Array, between: float) -> tuple[float, float, float, float]:
    """Return agreement and consistency, of one rating and of the mean. ratings: complete."""
    things, k = ratings.shape
    of_raters = ratings.mean(axis=0)
    raters = things * float(((of_raters - ratings.mean()) ** 2).sum()) / (k - 1)
    rest = ratings - ratings.mean(axis=1, keepdims=True) - of_raters + ratings.mean()
    error = float((rest**2).sum()) / ((things - 1) * (k - 1))
    moved, size = k * (raters - error) / things, between + raters + error
    return (
        _ratio(between - error, between + (k - 1) * error + moved, size),
        _ratio(between - error, between + moved / k, size),
        _ratio(between - error, between + (k - 1) * error, size),
        _ratio(between - error, between, size),
    )


ROUNDING = 1e-12
"""Part of its terms below which the denominator of an intraclass correlation is zero but for rounding."""


def _ratio(over: float, under: float, size: float) -> float:
    """Return a quotient; NaN if its denominator is not above zero. size: of the denominator's terms."""
    return over / under if under > ROUNDING * size else math.nan
