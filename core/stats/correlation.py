"""How well one set of numbers follows another, at three levels.

Rows of a matrix are systems, columns topics. Deutsch, Dror & Roth 2021 name the levels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.stats import row_coefficients as rows
from core.stats.measure_stack import MeasureStack
from core.stats.pairwise_accuracy import accuracy
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
    return MeasureStack(x).correlate(z, level, coefficient, undefined)


def row_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """The coefficient of each row, shape (rows,), NaN = undefined. x, z: shape (rows, n), NaN in both."""
    return _KERNELS[coefficient](x, z)


def topic_coefficients(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """The coefficient among the systems of each topic, shape (topics,), NaN = undefined.

    x, z: shape (systems, topics), NaN = missing.
    """
    values: Array = MeasureStack(x[None]).topic_values(z, coefficient)[0]
    return values
