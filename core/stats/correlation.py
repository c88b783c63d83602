"""Correlation of measures with judgements at system, topic and global level; partial correlation.

Rows of a matrix are systems, columns topics. The levels are named as in Deutsch, Dror & Roth 2021.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.stats import row_coefficients as rows
from core.stats.measure_stack import MeasureStack
from core.stats.pairwise_accuracy import accuracy
from core.stats.precision import normalize, round_to_grain
from core.stats.types import CLASSIC, Coefficient, Correlation, Level, UndefinedPolicy

__all__ = [
    "CLASSIC", "Coefficient", "Correlation", "Level", "UndefinedPolicy",
    "correlate", "correlate_many", "row_coefficients", "topic_coefficients",
]  # fmt: skip

Array = NDArray[np.float64]

_KERNELS: dict[Coefficient, Callable[[Array, Array], Array]] = {
    Coefficient.PEARSON: rows.pearson,
    Coefficient.SPEARMAN: rows.spearman,
    Coefficient.KENDALL: rows.kendall,
    Coefficient.STUART_TAU_C: rows.stuart_tau_c,
    Coefficient.GAMMA: rows.goodman_kruskal_gamma,
    Coefficient.ACCURACY: accuracy,
}


def correlate(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> Correlation:
    """Correlate a measure with a judgement.

    x, z: shape (systems, topics), NaN = missing; z is the judgement. See `correlate_many`.
    """
    return correlate_many(x[None], z, level, coefficient, undefined)[0]


def correlate_many(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
) -> list[Correlation]:
    """Correlate each of many measures with one judgement.

    x: shape (measures, systems, topics), NaN = missing.
    z: the judgement, shape (systems, topics), NaN = missing.
    A cell counts if both have a number. A coefficient is undefined with a constant side (accuracy treats that
    as ties) or with fewer than three pairs.

    system: means over the topics that both have; dropped are judged systems that share no cell.
    topic: p is that of a one-sample t-test of the topics' coefficients against 0, with topics as the
    independent sample; n counts the topics used, dropped the judged topics with an undefined coefficient.
    Accuracy has one tie threshold for all topics.
    global: dropped are judged summaries without a score.

    Raises InputError if a coefficient is undefined and `undefined` is ERROR.
    """
    return MeasureStack(x).correlate(z, level, coefficient, undefined)


def row_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """Return the coefficient of each row, shape (rows,), NaN = undefined.

    x, z: values that enter a level, shape (rows, n), NaN in both = missing; each of one measure, normalized
    by all of its cells (see `core.stats.precision`).
    """
    if coefficient is not Coefficient.ACCURACY:  # which rounds differences
        x = round_to_grain(x)
    return _KERNELS[coefficient](x, round_to_grain(z))


def topic_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """Return the coefficient among the systems of each topic, shape (topics,), NaN = undefined.

    x, z: shape (systems, topics), NaN = missing.
    """
    values: Array = MeasureStack(x[None]).topic_values(z, coefficient)[0]
    return values


_CONSTANT = 1e-10
"""Residuals of a smaller share of a variable's spread are rounding errors: the others determine it."""


def partial_correlation(x: Array, y: Array, controls: Array, *, is_ranked: bool = False) -> float:
    """Return the correlation of x and y given controls; Pearson's of the residuals.

    x, y: shape (n,). controls: shape (k, n). Items that lack a value are left out. is_ranked: ranks are taken
    first, as in Spearman's partial correlation.
    NaN with fewer than k + 3 items, or where the controls determine x or y.
    """
    there = np.isfinite(x) & np.isfinite(y) & np.isfinite(controls).all(axis=0)
    if there.sum() < len(controls) + 3:
        return float("nan")
    rows = [round_to_grain(normalize(np.asarray(row[there], dtype=np.float64))) for row in (x, y, *controls)]
    if is_ranked:
        from scipy.stats import rankdata  # slow to import; imports of files reach this module

        rows = [rankdata(row) for row in rows]
    design = np.vstack([np.ones(len(rows[0])), *rows[2:]]).T
    left = []
    for row in rows[:2]:
        centred = row - row.mean()
        residual = centred - design @ np.linalg.lstsq(design, centred, rcond=None)[0]
        if np.ptp(row) == 0 or float(np.linalg.norm(residual)) <= _CONSTANT * float(np.linalg.norm(centred)):
            return float("nan")
        left.append(residual)
    one, other = left
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
