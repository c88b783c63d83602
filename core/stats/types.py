"""Levels, coefficients and results of correlations, and choices of intervals and tests; imports no numpy."""

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
    (C - D) / (C + D), pairwise accuracy with calibrated ties, and soft pairwise accuracy, which compares
    p-values of pairs of systems and so exists at system level only. The accuracies are in [0, 1].
    """

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    STUART_TAU_C = "kendall-c"
    GAMMA = "gamma"
    ACCURACY = "accuracy"
    SOFT_ACCURACY = "soft-accuracy"

    @property
    def is_accuracy(self) -> bool:
        """Whether its values are in [0, 1] and none corresponds to chance: no sign, no p."""
        return self in (Coefficient.ACCURACY, Coefficient.SOFT_ACCURACY)


WHICH_TAU = "Which tau: kendall (tau-b) or gamma?"
"""Answer to `tau`, which was the name of gamma in earlier versions and is that of tau-b in most papers."""


def stored_coefficient(name: str) -> str:
    """Return the name of a coefficient in a file, whatever the version that wrote it."""
    return Coefficient.GAMMA.value if name == "tau" else name


CLASSIC = (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL)
"""Coefficients that papers usually report together."""


OF_ROWS = tuple(each for each in Coefficient if each is not Coefficient.SOFT_ACCURACY)
"""Coefficients of two rows of numbers, which every level has; soft pairwise accuracy needs single topics."""


UNDEFINED = "the correlation is undefined (constant values or fewer than three pairs)"
"""Why nothing that is about a correlation exists: value, interval, p, place in a family, cluster."""


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


class Ends(StrEnum):
    """Method that computes the ends of an interval from resamples."""

    BCA = "bca"
    PERCENTILE = "percentile"


class Alternative(StrEnum):
    """Alternative hypothesis: a difference in either direction, the first larger, or the first smaller."""

    TWO = "two"
    GREATER = "greater"
    LESS = "less"


class WilliamsDf(StrEnum):
    """Degrees of freedom of Williams' test: n - 3, which is correct, or n - 2, as in older programs."""

    N_MINUS_3 = "n-3"
    N_MINUS_2 = "n-2"


DRAWS = 10_000
"""Default number of resamples. With few systems and a large bias, an end of a BCa interval near the tail of
the resamples still varies by some hundredths between seeds."""
