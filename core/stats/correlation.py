"""How well one set of numbers follows another, at three levels.

Rows of a matrix are systems, columns topics. Deutsch, Dror & Roth 2021 name the levels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.stats import p_values, rows
from core.stats.accuracy import accuracy, calibrate

Array = NDArray[np.float64]
Where = NDArray[np.bool_]


class Level(StrEnum):
    """How a correlation pools.

    system: of the systems' means. topic: mean over the topics of the correlation among the systems within one
    ("summary level" in papers). global: of all single summaries.
    """

    SYSTEM = "system"
    TOPIC = "topic"
    GLOBAL = "global"


class Coefficient(StrEnum):
    """Which number says how far two sides agree.

    Pearson's r, Spearman's rho, Kendall's tau-b, Stuart's tau-c, the plain tau (C - D) / (C + D), and
    pairwise accuracy with calibrated ties, which lies in [0, 1].
    """

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    KENDALL_C = "kendall-c"
    TAU = "tau"
    ACCURACY = "accuracy"


CLASSIC = (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL)
"""The three that papers print side by side."""


class Undefined(StrEnum):
    """What becomes of a correlation that does not exist: left out, counted as 0, or an error."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient and what it stands on.

    value: in [-1, 1], accuracy in [0, 1], NaN = undefined. p: two-sided, NaN = none, and accuracy has none:
    no value of it stands for chance. n: systems, topics or summaries used, by the level. dropped: how many of
    these have a judgement but could not be used.
    """

    value: float
    p: float
    n: int
    dropped: int


_KERNELS: dict[Coefficient, Callable[[Array, Array], Array]] = {
    Coefficient.PEARSON: rows.pearson,
    Coefficient.SPEARMAN: rows.spearman,
    Coefficient.KENDALL: rows.kendall,
    Coefficient.KENDALL_C: rows.kendall_c,
    Coefficient.TAU: rows.plain_tau,
    Coefficient.ACCURACY: accuracy,
}
_BY_PAIRS: dict[Coefficient, Callable[[Array, Array, rows.PairCounts], Array]] = {
    Coefficient.KENDALL: rows.kendall,
    Coefficient.KENDALL_C: rows.kendall_c,
    Coefficient.TAU: rows.plain_tau,
}
"""All are 0 where as many pairs agree as disagree, and so share the p of that."""


def correlate(
    x: Array, z: Array, level: Level, coefficient: Coefficient, undefined: Undefined = Undefined.SKIP
) -> Correlation:
    """Correlate a measure with a judgement.

    x, z: shape (systems, topics), NaN = missing; z is the judgement. See `correlate_many`.
    """
    return correlate_many(x[None], z, level, coefficient, undefined)[0]


def correlate_many(
    x: Array, z: Array, level: Level, coefficient: Coefficient, undefined: Undefined = Undefined.SKIP
) -> list[Correlation]:
    """Correlate each of many measures with one judgement.

    x: shape (measures, systems, topics); z, the judgement: shape (systems, topics); NaN = missing. A cell
    counts where both are there. Undefined is a coefficient with a constant side (accuracy takes that for
    ties) or of fewer than three pairs.

    system: means over the topics that both have; dropped are systems that are judged but share no cell.
    topic: p is that of a one-sample t-test of the topics' coefficients against 0, the topics being the
    independent draws; n counts the topics used, dropped those judged whose coefficient is undefined. Accuracy
    has one threshold for ties in all topics.
    global: dropped are judged summaries without a score.
    Raises InputError where a coefficient is undefined and `undefined` is an error.
    """
    if x.ndim != 3 or x.shape[1:] != z.shape:
        raise ValueError(f"x has shape {x.shape}, z {z.shape}: not the same systems and topics")
    x, z = np.ascontiguousarray(x), np.ascontiguousarray(z)  # one order of summing: the same last digit
    judged = np.isfinite(z)
    both = np.isfinite(x) & judged
    if level is Level.TOPIC:
        return _topic_level(x, z, both, coefficient, undefined)
    if level is Level.SYSTEM:
        x_rows, z_rows = _system_means(x, both), _system_means(np.broadcast_to(z, x.shape), both)
        available = int(judged.any(axis=1).sum())
    else:
        x_rows, z_rows = _flat(x, both), _flat(np.broadcast_to(z, x.shape), both)
        available = int(judged.sum())
    counts = np.isfinite(x_rows).sum(axis=1)
    values, ps = _values_and_p(x_rows, z_rows, counts, coefficient)
    return [
        _settled(Correlation(float(value), float(p), int(n), available - int(n)), level, undefined)
        for value, p, n in zip(values, ps, counts, strict=True)
    ]


def row_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """The coefficient of each row, shape (rows,), NaN = undefined. x, z: shape (rows, n), NaN in both."""
    return _KERNELS[coefficient](x, z)


def topic_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """The coefficient among the systems of each topic, shape (topics,), NaN = undefined.

    x, z: shape (systems, topics), NaN = missing.
    """
    values: Array = _topic_values(x[None], z, np.isfinite(x)[None] & np.isfinite(z), coefficient)[0]
    return values


def _topic_values(x: Array, z: Array, both: Where, coefficient: Coefficient) -> Array:
    measures, systems, topics = x.shape
    if coefficient is Coefficient.ACCURACY:
        sides = (
            (np.where(here, side, np.nan).T, np.where(here, z, np.nan).T)
            for side, here in zip(x, both, strict=True)
        )
        return np.array([calibrate(*side).values for side in sides]).reshape(measures, topics)
    shape = (measures * topics, systems)
    x_rows, z_rows = (
        np.ascontiguousarray(np.where(both, side, np.nan).transpose(0, 2, 1).reshape(shape))
        for side in (x, z)
    )
    return _KERNELS[coefficient](x_rows, z_rows).reshape(measures, topics)


def _topic_level(
    x: Array, z: Array, both: Where, coefficient: Coefficient, undefined: Undefined
) -> list[Correlation]:
    judged = np.asarray(np.isfinite(z).any(axis=0))
    values = _topic_values(x, z, both, coefficient)
    has_p = coefficient is not Coefficient.ACCURACY
    return [_topic_mean(row, judged, undefined, has_p=has_p) for row in values]


def _topic_mean(values: Array, judged: Where, undefined: Undefined, *, has_p: bool) -> Correlation:
    values = values[judged]
    defined = np.isfinite(values)
    dropped = int((~defined).sum())
    if dropped and undefined is Undefined.ERROR:
        raise InputError(
            f"The correlation is undefined in {dropped} of {values.size} topics: a side is constant there or "
            "has fewer than three systems. Skip such topics or count them as 0."
        )
    used = np.where(defined, values, 0.0) if undefined is Undefined.ZERO else values[defined]
    if not used.size:
        return Correlation(math.nan, math.nan, 0, dropped)
    p = p_values.p_of_mean(used) if has_p else math.nan
    return Correlation(float(used.mean()), p, int(used.size), dropped)


def _settled(correlation: Correlation, level: Level, undefined: Undefined) -> Correlation:
    if math.isfinite(correlation.value) or undefined is Undefined.SKIP:
        return correlation
    if undefined is Undefined.ZERO:
        return Correlation(0.0, math.nan, correlation.n, correlation.dropped)
    pairs = "systems" if level is Level.SYSTEM else "summaries"
    raise InputError(
        f"The correlation is undefined at the {level} level: a side is constant or fewer than three {pairs} "
        "have both numbers. Skip what is undefined or count it as 0."
    )


def _system_means(x: Array, both: Where) -> Array:
    """Means over the shared topics, on their grain, shape (measures, systems), NaN = none."""
    counts = both.sum(axis=2)
    means = np.ascontiguousarray(np.where(both, x, 0.0)).sum(axis=2) / np.maximum(counts, 1)
    return rows.on_grain(np.where(counts > 0, means, np.nan))


def _flat(x: Array, both: Where) -> Array:
    return np.ascontiguousarray(np.where(both, x, np.nan)).reshape(x.shape[0], -1)


def _values_and_p(x: Array, z: Array, n: NDArray[np.int64], coefficient: Coefficient) -> tuple[Array, Array]:
    if coefficient in _BY_PAIRS:
        counts = rows.pair_counts(x, z)  # what takes long, for both
        values = _BY_PAIRS[coefficient](x, z, counts)
        return values, np.where(np.isfinite(values), p_values.p_of_tau(x, z, counts), np.nan)
    values = _KERNELS[coefficient](x, z)
    if coefficient is Coefficient.ACCURACY:
        return values, np.full(values.shape, np.nan)
    return values, p_values.p_of_r(values, n)
