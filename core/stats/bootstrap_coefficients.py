"""A coefficient under many resamples of systems and topics at once, measures against a judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.pairwise_accuracy import calibrate_ties, rounded
from core.stats.resample_counts import ResampleCounts, full_sample
from core.stats.weighted_coefficients import weighted_rows
from core.stats.weighted_pearson import WeightedMoments
from core.stats.weighted_rank_coefficients import SortedRows
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
    """What `correlate_many` would give for each resample, shape (draws, measures), NaN = undefined.

    x: shape (measures, systems, topics), z: shape (systems, topics), NaN = missing. What a resample holds
    twice counts as two. Accuracy keeps the threshold for ties that fits the whole sample, and leaves out
    pairs of a thing with itself, which would always be right. `undefined` says what an undefined topic, or an
    undefined resample, counts as; "error" leaves them out, for a resample is easily undefined where the
    sample is not.
    """
    found = np.full((counts.draws, x.shape[0]), np.nan)
    for ground in prepare_groups(x, z, level, coefficient):
        found[:, ground.measures] = ground.coefficients(counts, undefined)
    return found


def prepare_groups(x: Array, z: Array, level: Level, coefficient: Coefficient) -> Iterator[MeasureGroup]:
    """What can be made ready before any resample is known, once for all measures that share their cells."""
    both = np.isfinite(x) & np.isfinite(z)
    sharing: dict[bytes, list[int]] = {}
    for measure, cells in enumerate(both):
        sharing.setdefault(cells.tobytes(), []).append(measure)
    for measures in sharing.values():
        here = both[measures[0]]
        mine, human = np.where(here, x[measures], np.nan), np.where(here, z, np.nan)
        yield MeasureGroup(np.array(measures), _FORMS[level](mine, human, np.isfinite(z), coefficient))


@dataclass(frozen=True, slots=True, eq=False)
class MeasureGroup:
    """Measures by their places, and what gives their coefficients."""

    measures: NDArray[np.int64]
    form: SystemLevel | TopicLevel | GlobalLevel

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        """Shape (draws, measures), NaN = undefined."""
        return self.form.coefficients(counts, undefined)


class SystemLevel:
    """Means over the topics drawn, correlated over the systems drawn."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._there = np.isfinite(z).astype(np.float64)
        self._x, self._z = _whole(x), _whole(z[None])
        self._coefficient = coefficient
        once = full_sample(*z.shape)
        n = once.topics @ self._there.T
        means, people = self._means(self._x, once, n)[0], self._means(self._z, once, n)[0]
        self._thresholds = _thresholds([(row[None], people) for row in means], coefficient)

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        n = counts.topics @ self._there.T
        x, z = self._means(self._x, counts, n), self._means(self._z, counts, n)
        values = weighted_rows(x, z, counts.systems, self._coefficient, self._thresholds)
        return _settled(values, undefined)

    @staticmethod
    def _means(x: Array, counts: ResampleCounts, n: Array) -> Array:
        """Shape (draws or 1, measures, systems), NaN = no topic drawn."""
        measures, systems, topics = x.shape
        sums = (counts.topics @ x.reshape(-1, topics).T).reshape(-1, measures, systems)
        sums /= np.where(n > 0, n, np.nan)[:, None]
        return sums


class TopicLevel:
    """Coefficients within topics under the systems drawn, averaged over the topics drawn."""

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
        if coefficient is Coefficient.ACCURACY:
            x = np.array([rounded(measure) for measure in x])
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
    """All summaries of the systems and topics drawn in one."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._coefficient = coefficient
        self._moments = WeightedMoments.of(x, z, pooled=True) if coefficient is Coefficient.PEARSON else None
        if self._moments is not None:
            return
        flat, human = x.reshape(1, x.shape[0], -1), z.reshape(1, 1, -1)
        if coefficient is Coefficient.ACCURACY:
            flat = np.array([[rounded(row) for row in flat[0]]])
        self._thresholds = _thresholds([(row[None], human[0]) for row in flat[0]], coefficient)
        self._ranked = SortedRows.of(flat, human)

    def coefficients(self, counts: ResampleCounts, undefined: UndefinedPolicy) -> Array:
        if self._moments is not None:
            return _settled(self._moments.coefficients(counts)[:, :, 0], undefined)
        weights = counts.systems[:, :, None] * counts.topics[:, None, :]
        flat = weights.reshape(counts.draws, -1)
        values = self._ranked.coefficients(flat, self._coefficient, self._thresholds)
        return _settled(values, undefined)


_FORMS: dict[Level, type[SystemLevel | TopicLevel | GlobalLevel]] = {
    Level.SYSTEM: SystemLevel,
    Level.TOPIC: TopicLevel,
    Level.GLOBAL: GlobalLevel,
}


def _settled(values: Array, undefined: UndefinedPolicy) -> Array:
    return np.where(np.isfinite(values), values, 0.0) if undefined is UndefinedPolicy.ZERO else values


def _thresholds(sides: list[tuple[Array, Array]], coefficient: Coefficient) -> Array:
    """Of ties, one per measure, as accuracy is calibrated on the whole sample; 0 for what needs none.

    sides: of each measure x and z, shape (groups, n).
    """
    if coefficient is not Coefficient.ACCURACY:
        return np.zeros(len(sides))
    found = np.array([calibrate_ties(x, z).threshold for x, z in sides])
    return np.where(np.isfinite(found), found, 0.0)


def _whole(x: Array) -> Array:
    """Each measure as whole numbers of some unit of its own, 0 = missing: equal sums tie in any order.

    Where all are fractions with one small denominator, as mean ratings are, it is the unit, else a power of
    two, so small that sums over several times the topics are exact.
    """
    x = np.where(np.isfinite(x), x, 0.0)
    largest = np.abs(x).max(axis=(1, 2), keepdims=True, initial=0.0)
    bits = 52 - (4 * x.shape[2]).bit_length()
    whole: Array = np.rint(np.ldexp(x, bits - np.frexp(largest)[1]))
    for measure, values in enumerate(x):
        denominator = _denominator(values)
        if denominator is not None:
            whole[measure] = np.rint(values * denominator)
    return whole


def _denominator(values: Array) -> int | None:
    """The smallest by which all values are whole numbers, None = none so small. values: any shape."""
    few, all_values = values.ravel()[:32], values.ravel()
    for denominator in range(1, MAX_PARTS):
        if _are_whole(few * denominator) and _are_whole(all_values * denominator):
            return denominator
    return None


def _are_whole(values: Array) -> bool:
    """Whether these are whole numbers but for rounding, and small enough to be summed exactly."""
    is_small = np.abs(values).max(initial=0.0) < 2.0**31
    return bool(is_small and np.abs(values - np.rint(values)).max(initial=0.0) < 1e-9)


MAX_PARTS = 61
"""Denominators below are tried: means of that many ratings."""
