"""Coefficients of measures with a judgement under many resamples of systems and topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.pairwise_accuracy import calibrate_ties
from core.stats.precision import GRAIN, exact_parts, normalize, round_to_grain, sums_of_parts
from core.stats.resample_counts import ResampleCounts, ResampleUnit, at_once, full_sample, ranges
from core.stats.soft_pairwise_accuracy import ResampledSoftAccuracy
from core.stats.weighted.weighted_coefficients import WeightedMoments, weighted_rows
from core.stats.weighted.weighted_rank_coefficients import NOT_OF_PAIRS, TAUS, SortedRows
from core.stats.within_topic_tau import pairs_at_once, within_topic_taus

Array = NDArray[np.float64]
Where = NDArray[np.bool_]
Sums = tuple[Array, Array, Array]
"""Both exact parts of the sum of coefficients, and their number, shape (draws, measures)."""

_MIN_DRAWS = 512
"""Draws for which a block of topics is prepared once, if there are as many."""

_MIN_POOLED_DRAWS = 32
"""Draws for which the cells of all measures are read once."""


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
    work = ResampledMeasures(x, z, level, coefficient, undefined).work(counts)
    for number, task in enumerate(work.tasks):
        task()
        work.add(number)
    return work.values()


class ResampledMeasures:
    """Measures and a judgement, prepared for any resamples of them; see `bootstrap_coefficients`.

    Measures with the same cells share what does not depend on the resample.
    """

    def __init__(
        self,
        x: Array,
        z: Array,
        level: Level,
        coefficient: Coefficient,
        undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ) -> None:
        self._count, self._undefined = x.shape[0], undefined
        self._groups = list(_prepare_groups(x, z, level, coefficient))

    def work(self, counts: ResampleCounts) -> ResamplingWork:
        """Return what has to be computed for these resamples."""
        return ResamplingWork(self._groups, counts, self._count, self._undefined)


class ResamplingWork:
    """Coefficients in resamples as independent tasks, each of some draws and topics.

    The division depends on the sizes only, not on the machine. It changes no digit, but rounds Pearson's r
    within topics and over all summaries otherwise.
    """

    def __init__(
        self, groups: list[_MeasureGroup], counts: ResampleCounts, measures: int, undefined: UndefinedPolicy
    ) -> None:
        self._counts, self._undefined = counts, undefined
        self._parts = [(group, part) for group in groups for part in group.form.parts(counts)]
        self._done: dict[int, Sums] = {}
        self._sums = np.zeros((3, counts.draws, measures))
        self.tasks: list[Callable[[], None]] = [
            partial(self._compute, number) for number in range(len(self._parts))
        ]

    def _compute(self, number: int) -> None:
        group, (draws, topics) = self._parts[number]
        self._done[number] = group.form.sums(self._counts.part(draws), topics, self._undefined)

    def add(self, number: int) -> None:
        """Add what a task has computed."""
        group, (draws, _) = self._parts[number]
        for mine, of_part in zip(self._sums, self._done.pop(number), strict=True):
            mine[draws, group.measures] += of_part

    def values(self) -> Array:
        """Return the coefficients, shape (draws, measures), NaN = undefined."""
        high, low, n = self._sums
        return np.where(n > 0, (high + low) / np.maximum(n, 1.0), np.nan)


def _prepare_groups(x: Array, z: Array, level: Level, coefficient: Coefficient) -> Iterator[_MeasureGroup]:
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
        yield _MeasureGroup(np.array(measures), _FORMS[level](mine, human, np.isfinite(z), coefficient))


@dataclass(frozen=True, slots=True, eq=False)
class _MeasureGroup:
    """Measures by index, and the computation of their coefficients."""

    measures: NDArray[np.int64]
    form: SystemLevel | TopicLevel | GlobalLevel


class SystemLevel:
    """Means over the resampled topics, correlated over the resampled systems."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._shape = x.shape
        self._soft = ResampledSoftAccuracy(x, z) if coefficient is Coefficient.SOFT_ACCURACY else None
        if self._soft is not None:
            return
        self._there = np.isfinite(z).astype(np.float64)
        self._x, self._z = (
            exact_parts(np.where(np.isfinite(side), side, 0.0).reshape(-1, z.shape[1])) for side in (x, z)
        )
        self._coefficient = coefficient
        self._thresholds = np.zeros(x.shape[0])
        if coefficient is Coefficient.ACCURACY:
            means, people = (each[0] for each in self._rows(full_sample(*z.shape)))
            self._thresholds = _thresholds([(row[None], people) for row in means])

    def parts(self, counts: ResampleCounts) -> Iterator[tuple[slice, slice]]:
        measures, systems, topics = self._shape
        cells = max(measures * systems, topics)
        if self._soft is not None:
            cells = max(measures, systems) * topics
        return _all_topics(ranges(counts.draws, at_once(cells)))

    def sums(self, counts: ResampleCounts, _topics: slice, undefined: UndefinedPolicy) -> Sums:
        if self._soft is not None:
            return _single(self._soft.coefficients(counts), undefined)
        x, z = self._rows(counts)
        values = weighted_rows(x, z, counts.systems, self._coefficient, self._thresholds)
        return _single(values, undefined)

    def _rows(self, counts: ResampleCounts) -> tuple[Array, Array]:
        """Return means of x and z, shape (draws or 1, measures, systems), NaN = no topic drawn."""
        n = counts.topics @ self._there.T
        there = np.where(n > 0, n, np.nan)[:, None]
        x, z = (
            sums_of_parts(counts.topics, side).reshape(len(n), -1, n.shape[1]) / there
            for side in (self._x, self._z)
        )
        return (x if self._coefficient is Coefficient.ACCURACY else round_to_grain(x)), round_to_grain(z)


class TopicLevel:
    """Coefficients within topics over the resampled systems, averaged over the resampled topics."""

    def __init__(self, x: Array, z: Array, judged: Where, coefficient: Coefficient) -> None:
        self._x, self._z = x, z
        self._judged: Where = np.asarray(judged.any(axis=0))
        self._coefficient = coefficient
        self._thresholds = np.zeros(x.shape[0])
        if coefficient is Coefficient.ACCURACY:
            self._thresholds = _thresholds([(measure.T, z.T) for measure in x])

    def parts(self, counts: ResampleCounts) -> Iterator[tuple[slice, slice]]:
        measures, systems, topics = self._x.shape
        cells = measures * _NUMBERS.get(self._coefficient, _RANK_NUMBERS)
        size = max(_MIN_DRAWS, at_once(cells * topics)) if len(counts.systems) > 1 else counts.draws
        rows = min(size, len(counts.systems))
        if self._coefficient in _BY_PAIRS:
            rows = max(rows, pairs_at_once(systems) // _SIGNS_PER_NUMBER)
        blocks = list(ranges(topics, at_once(cells * rows)))
        return ((part, block) for part in ranges(counts.draws, size) for block in blocks)

    def sums(self, counts: ResampleCounts, topics: slice, undefined: UndefinedPolicy) -> Sums:
        each = self._within(counts, topics)
        drawn = np.where(self._judged[topics], counts.topics[:, topics], 0.0)[:, :, None]
        defined = np.isfinite(each)
        high, low = exact_parts(np.where(defined, each, 0.0))
        if undefined is UndefinedPolicy.ZERO:
            defined = np.ones_like(defined)
        high, low, n = (np.matmul(side, drawn)[:, :, 0] for side in (high, low, defined.astype(np.float64)))
        return high, low, n

    def _within(self, counts: ResampleCounts, topics: slice) -> Array:
        """Return the coefficient within each of some topics, shape (draws or 1, measures, topics)."""
        x, z = self._x[:, :, topics], self._z[:, topics]
        if self._coefficient is Coefficient.PEARSON:
            return WeightedMoments.of(x, z, pooled=False).coefficients(counts)
        if self._coefficient in _BY_PAIRS:
            return within_topic_taus(x, z, counts.systems, plain=self._coefficient is Coefficient.GAMMA)
        measures, systems, count = x.shape
        rows = x.transpose(0, 2, 1).reshape(1, measures * count, systems)
        ranked = SortedRows.of(rows, z.T[None])
        flat = ranked.coefficients(counts.systems, self._coefficient, self._thresholds.repeat(count))
        return flat.reshape(-1, measures, count)


_BY_PAIRS = (Coefficient.KENDALL, Coefficient.GAMMA)
_SIGNS_PER_NUMBER = 4
"""Signs that take as much memory as the numbers of a coefficient."""

_NUMBERS = {Coefficient.PEARSON: 3, **dict.fromkeys(_BY_PAIRS, 1)}
_RANK_NUMBERS = 7
"""Numbers of which the coefficient of a row is computed."""


class GlobalLevel:
    """All summaries of the resampled systems and topics."""

    def __init__(self, x: Array, z: Array, _judged: Where, coefficient: Coefficient) -> None:
        self._shape = x.shape
        self._coefficient = coefficient
        self._moments = WeightedMoments.of(x, z, pooled=True) if coefficient is Coefficient.PEARSON else None
        if self._moments is not None:
            return
        self._x, self._z = x, z
        self._of_units: dict[ResampleUnit, Array] = {}
        flat, human = x.reshape(1, x.shape[0], -1), z.reshape(1, 1, -1)
        self._thresholds = np.zeros(x.shape[0])
        if coefficient is Coefficient.ACCURACY:
            self._thresholds = _thresholds([(row[None], human[0]) for row in flat[0]])
        self._ranked = SortedRows.of(flat, human)

    def parts(self, counts: ResampleCounts) -> Iterator[tuple[slice, slice]]:
        measures, systems, topics = self._shape
        least = 1 if self._moments is None else min(_MIN_POOLED_DRAWS, at_once(topics))
        size = max(least, at_once(max(measures * max(systems, topics), systems * topics)))
        return _all_topics(ranges(counts.draws, size))

    def sums(self, counts: ResampleCounts, _topics: slice, undefined: UndefinedPolicy) -> Sums:
        if self._moments is not None:
            return _single(self._moments.coefficients(counts)[:, :, 0], undefined)
        if counts.left_out is not None and self._coefficient in TAUS:
            return _single(TAUS[self._coefficient](self._without_each(counts, counts.left_out)), undefined)
        weights = counts.systems[:, :, None] * counts.topics[:, None, :]
        flat = weights.reshape(counts.draws, -1)
        return _single(self._ranked.coefficients(flat, self._coefficient, self._thresholds), undefined)

    def _without_each(self, counts: ResampleCounts, unit: ResampleUnit) -> Array:
        """Return the counts that `TAUS` need where one unit is left out, shape (fields, draws, measures).

        Those of the whole less what each unit has in common with all; its own pairs were then taken away
        twice.
        """
        measures, systems, topics = self._shape
        x, z, drawn = self._x, self._z, counts.systems
        if unit is ResampleUnit.TOPICS:
            x, z, drawn = x.swapaxes(1, 2), z.T, counts.topics
        if unit not in self._of_units:  # by the first task, which runs alone
            clusters = np.arange(systems * topics) // topics
            if unit is ResampleUnit.TOPICS:
                clusters = np.arange(systems * topics) % topics
            self._of_units[unit] = self._ranked.pair_counts() - self._ranked.counts_by_cluster(clusters)
        units = drawn.argmin(axis=1)
        rows = x[:, units].reshape(1, measures * units.size, -1)
        own = SortedRows.of(rows, z[units][None]).pair_counts().reshape(-1, measures, units.size)
        own[NOT_OF_PAIRS] = 0.0
        return self._of_units[unit][:, units] + own.swapaxes(1, 2)


_FORMS: dict[Level, type[SystemLevel | TopicLevel | GlobalLevel]] = {
    Level.SYSTEM: SystemLevel,
    Level.TOPIC: TopicLevel,
    Level.GLOBAL: GlobalLevel,
}


def _all_topics(draws: Iterator[slice]) -> Iterator[tuple[slice, slice]]:
    return ((part, slice(None)) for part in draws)


def _single(values: Array, undefined: UndefinedPolicy) -> Sums:
    """Return each coefficient as a sum of one."""
    if undefined is UndefinedPolicy.ZERO:
        values = np.where(np.isfinite(values), values, 0.0)
    return values, np.zeros_like(values), np.ones_like(values)


def _thresholds(sides: list[tuple[Array, Array]]) -> Array:
    """Return accuracy's tie threshold of each measure in the full sample.

    It is half a grain larger than the distance, since differences are not rounded again.
    sides: x and z of each measure, shape (groups, n).
    """
    thresholds = np.array([calibrate_ties(x, z).threshold for x, z in sides])
    return np.where(np.isfinite(thresholds), thresholds, 0.0) + GRAIN / 2
