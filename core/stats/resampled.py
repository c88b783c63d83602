"""A coefficient under many resamples of systems and topics at once, measures against a judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.accuracy import calibrate, grained
from core.stats.correlation import Coefficient, Level, Undefined, system_means
from core.stats.counts import Counts
from core.stats.rows import on_grain
from core.stats.weighted_pearson import Moments, pearson
from core.stats.weighted_ranks import Ranked

Array = NDArray[np.float64]
Where = NDArray[np.bool_]


def resampled(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    counts: Counts,
    undefined: Undefined = Undefined.SKIP,
) -> Array:
    """What `correlate_many` would give for each resample, shape (draws, measures), NaN = undefined.

    x: shape (measures, systems, topics), z: shape (systems, topics), NaN = missing. What a resample holds
    twice counts as two. Accuracy keeps the threshold for ties that fits the whole sample. `undefined` says
    what an undefined topic, or an undefined resample, counts as; "error" leaves them out, for a resample is
    easily undefined where the sample is not.
    """
    found = np.full((counts.draws, x.shape[0]), np.nan)
    for ground in grounds(x, z, level, coefficient):
        found[:, ground.measures] = ground.coefficients(counts, undefined)
    return found


def grounds(x: Array, z: Array, level: Level, coefficient: Coefficient) -> Iterator[Ground]:
    """What can be made ready before any resample is known, once for all measures that share their cells."""
    both = np.isfinite(x) & np.isfinite(z)
    sharing: dict[bytes, list[int]] = {}
    for measure, cells in enumerate(both):
        sharing.setdefault(cells.tobytes(), []).append(measure)
    for measures in sharing.values():
        here = both[measures[0]]
        mine, human = np.where(here, x[measures], np.nan), np.where(here, z, np.nan)
        yield Ground(np.array(measures), _FORMS[level](mine, human, np.isfinite(z), coefficient))


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Measures by their places, and what gives their coefficients."""

    measures: NDArray[np.int64]
    form: SystemForm | TopicForm | GlobalForm

    def coefficients(self, counts: Counts, undefined: Undefined) -> Array:
        """Shape (draws, measures), NaN = undefined."""
        values = self.form.coefficients(counts, undefined)
        return np.where(np.isfinite(values), values, 0.0) if undefined is Undefined.ZERO else values


class SystemForm:
    """Means over the topics drawn, correlated over the systems drawn."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._there = np.isfinite(z).astype(np.float64)
        self._x, self._z = _whole(x), _whole(z[None])
        self._coefficient = coefficient
        means = system_means(x, np.isfinite(x)), system_means(z[None], np.isfinite(z)[None])
        self._thresholds = _thresholds([(row[None], means[1]) for row in means[0]], coefficient)

    def coefficients(self, counts: Counts, _undefined: Undefined) -> Array:
        n = counts.topics @ self._there.T
        x, z = self._means(self._x, counts, n), self._means(self._z, counts, n)
        if self._coefficient is Coefficient.PEARSON:
            return pearson(x, z, counts.systems[:, None, :])
        ranked = Ranked.of(x, z)
        return ranked.coefficients(counts.systems, self._coefficient, self._thresholds)

    @staticmethod
    def _means(x: Array, counts: Counts, n: Array) -> Array:
        """Shape (draws or 1, measures, systems), on their grain, NaN = no topic drawn."""
        measures, systems, topics = x.shape
        sums = (counts.topics @ x.reshape(-1, topics).T).reshape(-1, measures, systems)
        means = np.where(n[:, None] > 0, sums / np.maximum(n[:, None], 1.0), np.nan)
        return on_grain(means.reshape(-1, systems)).reshape(means.shape)


class TopicForm:
    """Coefficients within topics under the systems drawn, averaged over the topics drawn."""

    def __init__(self, x: Array, z: Array, judged: Where, coefficient: Coefficient) -> None:
        measures, systems, topics = x.shape
        self._judged = judged.any(axis=0)
        self._coefficient = coefficient
        self._moments = Moments.of(x, z, pooled=False) if coefficient is Coefficient.PEARSON else None
        if self._moments is not None:
            return
        if coefficient is Coefficient.ACCURACY:
            x = np.array([grained(measure) for measure in x])
        self._thresholds = _thresholds([(measure.T, z.T) for measure in x], coefficient).repeat(topics)
        rows = x.transpose(0, 2, 1).reshape(1, measures * topics, systems)
        self._ranked = Ranked.of(rows, z.T[None])

    def coefficients(self, counts: Counts, undefined: Undefined) -> Array:
        if self._moments is not None:
            each = self._moments.coefficients(counts)
        else:
            flat = self._ranked.coefficients(counts.systems, self._coefficient, self._thresholds)
            each = flat.reshape(flat.shape[0], -1, self._judged.size)
        topics = np.where(self._judged, counts.topics, 0.0)[:, :, None]
        defined = np.isfinite(each)
        total = np.matmul(np.where(defined, each, 0.0), topics)[:, :, 0]
        counted = np.ones_like(each) if undefined is Undefined.ZERO else defined.astype(np.float64)
        n = np.matmul(counted, topics)[:, :, 0]
        return np.where(n > 0, total / np.maximum(n, 1.0), np.nan)


class GlobalForm:
    """All summaries of the systems and topics drawn in one."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._coefficient = coefficient
        self._moments = Moments.of(x, z, pooled=True) if coefficient is Coefficient.PEARSON else None
        if self._moments is not None:
            return
        flat, human = x.reshape(1, x.shape[0], -1), z.reshape(1, 1, -1)
        if coefficient is Coefficient.ACCURACY:
            flat = np.array([[grained(row) for row in flat[0]]])
        self._thresholds = _thresholds([(row[None], human[0]) for row in flat[0]], coefficient)
        self._ranked = Ranked.of(flat, human)

    def coefficients(self, counts: Counts, _undefined: Undefined) -> Array:
        if self._moments is not None:
            return self._moments.coefficients(counts)[:, :, 0]
        weights = counts.systems[:, :, None] * counts.topics[:, None, :]
        flat = weights.reshape(counts.draws, -1)
        return self._ranked.coefficients(flat, self._coefficient, self._thresholds)


_FORMS: dict[Level, type[SystemForm | TopicForm | GlobalForm]] = {
    Level.SYSTEM: SystemForm,
    Level.TOPIC: TopicForm,
    Level.GLOBAL: GlobalForm,
}


def _thresholds(sides: list[tuple[Array, Array]], coefficient: Coefficient) -> Array:
    """Of ties, one per measure, as accuracy is calibrated on the whole sample; 0 for what needs none.

    sides: of each measure x and z, shape (groups, n).
    """
    if coefficient is not Coefficient.ACCURACY:
        return np.zeros(len(sides))
    found = np.array([calibrate(x, z).threshold for x, z in sides])
    return np.where(np.isfinite(found), found, 0.0)


def _whole(x: Array) -> Array:
    """Each measure scaled by a power of two and rounded to whole numbers, 0 = missing.

    They are so small that sums over several times the topics are exact: equal sums tie in any order.
    """
    largest = np.where(np.isfinite(x), np.abs(x), 0.0).max(axis=(1, 2), keepdims=True, initial=0.0)
    bits = 52 - (4 * x.shape[2]).bit_length()
    exponents = bits - np.frexp(largest)[1]
    whole: Array = np.rint(np.ldexp(np.where(np.isfinite(x), x, 0.0), exponents))
    scaled: Array = np.ldexp(whole, -exponents)
    return scaled
