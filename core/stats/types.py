"""Levels, coefficients and results of correlations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """Aggregation level of a correlation.

    system: correlation of the systems' means.
    topic: mean over topics of the correlation among the systems of a topic ("summary level" in papers).
    global: correlation over all summaries.
    """

    SYSTEM = "system"
    TOPIC = "topic"
    GLOBAL = "global"


class Coefficient(StrEnum):
    """Correlation coefficient.

    Pearson's r, Spearman's rho, Kendall's tau-b, Stuart's tau-c, Goodman and Kruskal's gamma, which is
    (C - D) / (C + D), and pairwise accuracy with calibrated ties, which is in [0, 1].
    """

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    STUART_TAU_C = "kendall-c"
    GAMMA = "tau"
    ACCURACY = "accuracy"


CLASSIC = (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL)
"""Coefficients that papers usually report together."""


class UndefinedPolicy(StrEnum):
    """Treatment of an undefined correlation: leave it out, count it as 0, or raise an error."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its p-value and counts.

    value: in [-1, 1], accuracy in [0, 1], NaN = undefined.
    p: two-sided, NaN = none; accuracy has none, since it has no value that corresponds to chance.
    n: number of systems, topics or summaries used, depending on the level.
    dropped: number of judged ones that could not be used.
    tie_threshold: for accuracy, the largest difference of the measure that counts as a tie, in the measure's
    units;
    NaN = none.
    """

    value: float
    p: float
    n: int
    dropped: int
    tie_threshold: float = math.nan
