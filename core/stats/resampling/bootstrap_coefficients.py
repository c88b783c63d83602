"""Coefficients of measures with a judgement under many resamples of systems and topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.pairwise_accuracy import calibrate_ties
from core.stats.precision import GRAIN, normalize, round_to_grain, weighted_sums
from core.stats.resample_counts import ResampleCounts, full_sample
from core.stats.soft_pairwise_accuracy import ResampledSoftAccuracy
from core.stats.weighted.weighted_coefficients import weighted_rows
from core.stats.weighted.weighted_pearson import WeightedMoments
from core.stats.weighted.weighted_rank_coefficients import SortedRows
from core.stats.within_topic_tau import PairOrder, fits_in_memory

Array = NDArray[np.float64]
Where = NDArray[np.bool_]


def bootstrap_coefficients(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    counts: ResampleCounts,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> Array:
    """Return the result of `correlate_many` for each resample, shape (draws, measures), NaN = undefined.

    x: shape (measures, systems, topics), z: shape (systems, topics), NaN = missing.
    undefined: treatment of an undefined topic or resample; "error" leaves them out, since a resample is
    easily undefined when the sample is not.
    What is drawn twice counts twice. Accuracy keeps the tie threshold of the full sample and leaves out pairs
    of an item with itself, which would always be correct.
    """
    coefficients = np.full((counts.draws, x.shape[0]), np.nan)
    for ground in prepare_groups(x, z, level, coefficient):
        coefficients[:, ground.measures] = ground.coefficients(counts, undefined)
    return coefficients


def prepare_groups(x: Array, z: Array, level: Level, coefficient: Coefficient) -> Iterator[MeasureGroup]:
    """Prepare everything that does not depend on the resample, once for all measures with the same cells."""
    both = np.isfinite(x) & np.isfinite(z)
    sharing: dict[bytes, list[int]] = {}
    for measure, cells in enumerate(both):
        sharing.setdefault(cells.tobytes(), []).append(measure)
    for measures in sharing.values():
        here = both[measures[0]]
        mine = normalize(np.where(here, x[measures], np.nan), (1, 2))
        human = normalize(np.where(here, z, np.nan))
        if level is not Level.SYSTEM:  # whose means are rounded
            mine = mine if coefficient is Coefficient.ACCURACY else round_to_grain(mine)
            human = round_to_grain(human)
        yield MeasureGroup(np.array(measures), _FORMS[level](mine, human, np.isfinite(z), coefficient))


@dataclass(frozen=True, slots=True, eq=False)
class MeasureGroup:
    """Measures by index, and the computation of their coefficients."""

    measures: NDArray[np.int64]
    form: SystemLevel | TopicLevel | GlobalLevel

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        """Return coefficients, shape (draws, measures), NaN = undefined."""
        return self.form.coefficients(counts, undefined)


class SystemLevel:
    """Means over the resampled topics, correlated over the resampled systems."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._soft = ResampledSoftAccuracy(x, z) if coefficient is Coefficient.SOFT_ACCURACY else None
        if self._soft is not None:
            return
        self._there = np.isfinite(z).astype(np.float64)
        self._x, self._z = (np.where(np.isfinite(side), side, 0.0) for side in (x, z[None]))
        self._coefficient = coefficient
        once = full_sample(*z.shape)
        n = once.topics @ self._there.T
        means, people = (each[0] for each in self._rows(once, n))
        self._thresholds = _thresholds([(row[None], people) for row in means], coefficient)

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        if self._soft is not None:
            return _apply_policy(self._soft.coefficients(counts), undefined)
        n = counts.topics @ self._there.T
        x, z = self._rows(counts, n)
        values = weighted_rows(x, z, counts.systems, self._coefficient, self._thresholds)
        return _apply_policy(values, undefined)

    def _rows(self, counts: ResampleCounts, n: Array) -> tuple[Array, Array]:
        """Return means of x and z, shape (draws or 1, measures, systems), NaN = no topic drawn."""
        x, z = _means(self._x, counts, n), round_to_grain(_means(self._z, counts, n))
        return (x if self._coefficient is Coefficient.ACCURACY else round_to_grain(x)), z


class TopicLevel:
    """Coefficients within topics over the resampled systems, averaged over the resampled topics."""

    def __init__(self, x: Array, z: Array, judged: Where, coefficient: Coefficient) -> None:
        measures, systems, topics = x.shape
        self._judged = judged.any(axis=0)
        self._coefficient = coefficient
        self._moments = self._signs = None
        if coefficient is Coefficient.PEARSON:
            self._moments = WeightedMoments.of(x, z, pooled=False)
            return
        if coefficient in (Coefficient.KENDALL, Coefficient.GAMMA) and fits_in_memory(
            measures, systems, topics
        ):
            self._signs = PairOrder.of(x, z, plain=coefficient is Coefficient.GAMMA)
            return
        self._thresholds = _thresholds([(measure.T, z.T) for measure in x], coefficient).repeat(topics)
        rows = x.transpose(0, 2, 1).reshape(1, measures * topics, systems)
        self._ranked = SortedRows.of(rows, z.T[None])

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        if self._moments is not None:
            each = self._moments.coefficients(counts)
        elif self._signs is not None:
            each = self._signs.coefficients(counts.systems)
        else:
            flat = self._ranked.coefficients(counts.systems, self._coefficient, self._thresholds)
            each = flat.reshape(flat.shape[0], -1, self._judged.size)
        topics = np.where(self._judged, counts.topics, 0.0)[:, :, None]
        defined = np.isfinite(each)
        total = np.matmul(np.where(defined, each, 0.0), topics)[:, :, 0]
        counted = np.ones_like(each) if undefined is UndefinedPolicy.ZERO else defined.astype(np.float64)
        n = np.matmul(counted, topics)[:, :, 0]
        return np.where(n > 0, total / np.maximum(n, 1.0), np.nan)


class GlobalLevel:
    """All summaries of the resampled systems and topics."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._coefficient = coefficient
        self._moments = WeightedMoments.of(x, z, pooled=True) if coefficient is Coefficient.PEARSON else None
        if self._moments is not None:
            return
        flat, human = x.reshape(1, x.shape[0], -1), z.reshape(1, 1, -1)
        self._thresholds = _thresholds([(row[None], human[0]) for row in flat[0]], coefficient)
        self._ranked = SortedRows.of(flat, human)

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        if self._moments is not None:
            return _apply_policy(self._moments.coefficients(counts)[:, :, 0], undefined)
        weights = counts.systems[:, :, None] * counts.topics[:, None, :]
        flat = weights.reshape(counts.draws, -1)
        values = self._ranked.coefficients(flat, self._coefficient, self._thresholds)
        return _apply_policy(values, undefined)


_FORMS: dict[Level, type[SystemLevel | TopicLevel | GlobalLevel]] = {
    Level.SYSTEM: SystemLevel,
    Level.TOPIC: TopicLevel,
    Level.GLOBAL: GlobalLevel,
}


def _apply_policy(values: Array, undefined: UndefinedPolicy) -> Array:
    return np.where(np.isfinite(values), values, 0.0) if undefined is UndefinedPolicy.ZERO else values


def _thresholds(sides: list[tuple[Array, Array]], coefficient: Coefficient) -> Array:
    """Return accuracy's tie threshold of each measure in the full sample; 0 for other coefficients.

    It is half a grain larger than the distance, since differences are not rounded again.
    sides: x and z of each measure, shape (groups, n).
    """
    if coefficient is not Coefficient.ACCURACY:
        return np.zeros(len(sides))
    thresholds = np.array([calibrate_ties(x, z).threshold for x, z in sides])
    return np.where(np.isfinite(thresholds), thresholds, 0.0) + GRAIN / 2


def _means(x: Array, counts: ResampleCounts, n: Array) -> Array:
    measures, systems, topics = x.shape
    sums = weighted_sums(counts.topics, x.reshape(measures * systems, topics)).reshape(-1, measures, systems)
    sums /= np.where(n > 0, n, np.nan)[:, None]
    return sums
