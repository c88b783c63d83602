"""Correlation of many measures with one judgement after another, with shared preparation.

Measures with numbers in the same cells share everything that depends on a judgement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.stats import p_values
from core.stats.concordance import PreparedRows, concordance_counts
from core.stats.pairwise_accuracy import accuracies
from core.stats.precision import normalize, round_to_grain, scale_exponents, weighted_sums
from core.stats.row_coefficients import CentredRows, average_ranks, product_moment
from core.stats.soft_pairwise_accuracy import soft_accuracies
from core.stats.types import Coefficient, Correlation, Level, UndefinedPolicy
from core.stats.weighted.weighted_rank_coefficients import TAUS

Array = NDArray[np.float64]
Where = NDArray[np.bool_]
Places = NDArray[np.intp]


SYSTEM_LEVEL_ONLY = (
    "Soft pairwise accuracy compares pairs of systems over topics, so it exists at system level only. "
    "Choose the system level, or another coefficient."
)


class MeasureStack:
    """Numbers of many measures. x: shape (measures, systems, topics), NaN = missing."""

    def __init__(self, x: Array) -> None:
        if x.ndim != 3:
            raise ValueError(f"x has shape {x.shape}: not measures, systems, topics")
        self._x = np.ascontiguousarray(
            x, dtype=np.float64
        )  # a fixed summation order gives the same last digit
        self._there = np.isfinite(self._x)
        self._sides: dict[Hashable, Any] = {}

    @property
    def x(self) -> Array:
        """Numbers, shape (measures, systems, topics)."""
        return self._x

    def correlate(
        self,
        z: Array,
        level: Level,
        coefficient: Coefficient,
        undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ) -> list[Correlation]:
        """Correlate each measure with one judgement; see `correlate_many`. z: shape (systems, topics)."""
        z = self._fitting(z)
        if coefficient is Coefficient.SOFT_ACCURACY:
            return self._soft_accuracies(z, level, undefined)
        if level is Level.TOPIC:
            return self._topic_level(z, coefficient, undefined)
        judged = np.isfinite(z)
        available = int(judged.any(axis=1).sum() if level is Level.SYSTEM else judged.sum())
        results: list[Correlation] = [Correlation(math.nan, math.nan, 0, available)] * len(self._x)
        for places, both in self._groups_of_equal_cells(judged):
            n = int(both.any(axis=1).sum() if level is Level.SYSTEM else both.sum())
            columns = self._values_and_p(places, both, z, level, coefficient)
            for place, value, p, tie in zip(
                places.tolist(), *(side.tolist() for side in columns), strict=True
            ):
                results[place] = _apply_policy(
                    Correlation(value, p, n, available - n, _or_none(tie)), level, undefined
                )
        return results

    def topic_values(self, z: Array, coefficient: Coefficient) -> Array:
        """Return coefficients among the systems of each topic, shape (measures, topics); NaN = undefined.

        Raises InputError for soft pairwise accuracy.
        """
        if coefficient is Coefficient.SOFT_ACCURACY:
            raise InputError(SYSTEM_LEVEL_ONLY)
        return self._topic_values(self._fitting(z), coefficient)[0]

    def _soft_accuracies(self, z: Array, level: Level, undefined: UndefinedPolicy) -> list[Correlation]:
        if level is not Level.SYSTEM:
            raise InputError(SYSTEM_LEVEL_ONLY)
        values, counts = soft_accuracies(self._x, z)
        judged = int(np.isfinite(z).any(axis=1).sum())
        found = [
            Correlation(value, math.nan, int(n), judged - int(n))
            for value, n in zip(values.tolist(), counts.tolist(), strict=True)
        ]
        return [_apply_policy(one, level, undefined) for one in found]

    def _topic_values(self, z: Array, coefficient: Coefficient) -> tuple[Array, Array]:
        """Return the same, and accuracy's tie thresholds, shape (measures,), NaN = none."""
        values = np.full((self._x.shape[0], self._x.shape[2]), np.nan)
        thresholds = np.full(self._x.shape[0], np.nan)
        for places, both in self._groups_of_equal_cells(np.isfinite(z)):
            z_rows = round_to_grain(level_rows(z[None], both, Level.TOPIC))
            results, thresholds[places] = self._coefficients(places, both, z_rows, Level.TOPIC, coefficient)
            values[places] = results.reshape(len(places), -1)
        return values, thresholds

    def _fitting(self, z: Array) -> Array:
        if self._x.shape[1:] != z.shape:
            raise ValueError(f"x has shape {self._x.shape}, z {z.shape}: not the same systems and topics")
        return np.ascontiguousarray(z)

    def _groups_of_equal_cells(self, judged: Where) -> Iterator[tuple[Places, Where]]:
        """Yield groups of measures that share the same cells with a judgement, and these cells."""
        both = self._there & judged
        if (both == both[:1]).all():
            groups: dict[bytes, list[int]] = {b"": list(range(len(both)))} if len(both) else {}
        else:
            groups = {}
            for place, here in enumerate(both):
                groups.setdefault(here.tobytes(), []).append(place)
        for places in groups.values():
            yield np.array(places, dtype=np.intp), both[places[0]]

    def _side(self, places: Places, both: Where, level: Level, make: Callable[[Array], Any]) -> Any:
        """Return what `make` returns for the measures' rows over some cells, cached."""
        key = (places.tobytes(), both.tobytes(), level, make)
        if key not in self._sides:
            rows = level_rows(self._x[places], both, level)
            self._sides[key] = make(rows if make is _unrounded else round_to_grain(rows))
        return self._sides[key]

    def _values_and_p(
        self, places: Places, both: Where, z: Array, level: Level, coefficient: Coefficient
    ) -> tuple[Array, Array, Array]:
        """Return values, p and accuracy's thresholds for ties, each of shape (places,), NaN = none."""
        z_rows = round_to_grain(level_rows(z[None], both, level))
        none = np.full(len(places), np.nan)
        if coefficient in TAUS:
            x_side: PreparedRows = self._side(places, both, level, PreparedRows.of)
            z_side = PreparedRows.of(z_rows)
            counts = concordance_counts(x_side, z_side)
            values = TAUS[coefficient](counts)
            ps = p_values.p_of_tau(counts, x_side.tie_sums, z_side.tie_sums)
            return values, np.where(np.isfinite(values), ps, np.nan), none
        values, thresholds = self._coefficients(places, both, z_rows, level, coefficient)
        if coefficient is Coefficient.ACCURACY:
            return values, none, thresholds
        n = np.isfinite(z_rows).sum(axis=1)
        return values, p_values.p_of_r(values, np.broadcast_to(n, values.shape)), none

    def _coefficients(
        self, places: Places, both: Where, z_rows: Array, level: Level, coefficient: Coefficient
    ) -> tuple[Array, Array]:
        """Return the coefficient of each row of the measures, measure by measure, and thresholds for ties."""
        none = np.full(len(places), np.nan)
        if coefficient in TAUS:
            x_side: PreparedRows = self._side(places, both, level, PreparedRows.of)
            return TAUS[coefficient](concordance_counts(x_side, PreparedRows.of(z_rows))), none
        if coefficient is Coefficient.ACCURACY:
            rows: Array = self._side(places, both, level, _unrounded)
            results = accuracies(rows.reshape(len(places), *z_rows.shape), z_rows)
            exponents = scale_exponents(np.where(both, self._x[places], np.nan), (1, 2)).ravel()
            return results.values.ravel(), np.ldexp(results.thresholds, exponents)
        if coefficient not in _CENTRING:
            raise ValueError(f"{coefficient} is neither in TAUS nor in _CENTRING, so it cannot be computed")
        centred = _CENTRING[coefficient]
        return product_moment(self._side(places, both, level, centred), centred(z_rows)), none

    def _topic_level(
        self, z: Array, coefficient: Coefficient, undefined: UndefinedPolicy
    ) -> list[Correlation]:
        judged = np.isfinite(z).any(axis=0)
        every, thresholds = self._topic_values(z, coefficient)
        values = np.ascontiguousarray(every[:, judged])
        defined = np.isfinite(values)
        counts = defined.sum(axis=1)
        if undefined is UndefinedPolicy.ERROR and (counts < values.shape[1]).any():
            first = int(values.shape[1] - counts[counts < values.shape[1]][0])
            raise InputError(
                f"The correlation is undefined in {first} of {values.shape[1]} topics: a side is constant "
                "there or has fewer than three systems. Skip such topics or count them as 0."
            )
        if undefined is UndefinedPolicy.ZERO:
            used, sizes = np.where(defined, values, 0.0), np.full(counts.shape, values.shape[1])
        else:
            used, sizes = values, counts
        has_p = coefficient is not Coefficient.ACCURACY
        means, ps = _means_and_p(used, sizes, has_p=has_p)
        columns = (means, ps, sizes, counts, thresholds)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [
            Correlation(mean, p, n, values.shape[1] - count, _or_none(tie)) for mean, p, n, count, tie in rows
        ]


def level_rows(x: Array, both: Where, level: Level) -> Array:
    """Return the rows that a level correlates, shape (measures or measures times topics, n).

    x: shape (measures, systems, topics), of which the cells `both` count. The rows are normalized by these
    cells but not rounded yet; NaN = missing.
    """
    measures, systems, topics = x.shape
    x = normalize(np.where(both, x, np.nan), (1, 2))
    if level is Level.TOPIC:
        return np.ascontiguousarray(x.transpose(0, 2, 1).reshape(measures * topics, systems))
    if level is Level.GLOBAL:
        return np.ascontiguousarray(x).reshape(measures, -1)
    sums = weighted_sums(np.ones((1, topics)), np.where(both, x, 0.0).reshape(measures * systems, topics))
    counts = both.sum(axis=1)
    return np.where(counts > 0, sums.reshape(measures, systems) / np.maximum(counts, 1), np.nan)


def _centred_ranks(x: Array) -> CentredRows:
    return CentredRows.of(average_ranks(x))


_CENTRING: Mapping[Coefficient, Callable[[Array], CentredRows]] = {
    Coefficient.PEARSON: CentredRows.of,
    Coefficient.SPEARMAN: _centred_ranks,
}
"""The transformation of both sides whose product moment is the coefficient."""


def _unrounded(x: Array) -> Array:
    """Return x: accuracy rounds differences of values instead of values."""
    return x


def _means_and_p(values: Array, sizes: NDArray[np.int64], *, has_p: bool) -> tuple[Array, Array]:
    """Return the mean of each row's defined values and its p against 0, for rows of equal counts at once."""
    means, ps = np.full(sizes.shape, np.nan), np.full(sizes.shape, np.nan)
    for size in np.unique(sizes[sizes > 0]):
        chosen = sizes == size
        used = values[chosen]
        used = used[np.isfinite(used)].reshape(-1, int(size))
        means[chosen] = used.mean(axis=1)
        if has_p:
            ps[chosen] = p_values.p_of_means(used)
    return means, ps


def _or_none(tie_threshold: float) -> float:
    """Return math.nan for any NaN, so that records compare equal."""
    return tie_threshold if math.isfinite(tie_threshold) else math.nan


def _apply_policy(correlation: Correlation, level: Level, undefined: UndefinedPolicy) -> Correlation:
    if math.isfinite(correlation.value) or undefined is UndefinedPolicy.SKIP:
        return correlation
    if undefined is UndefinedPolicy.ZERO:
        return Correlation(0.0, math.nan, correlation.n, correlation.dropped)
    pairs = "systems" if level is Level.SYSTEM else "summaries"
    raise InputError(
        f"The correlation is undefined at the {level} level: a side is constant or fewer than three {pairs} "
        "have both numbers. Skip what is undefined or count it as 0."
    )
