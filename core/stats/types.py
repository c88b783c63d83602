"""The words of correlating: levels, coefficients, what becomes of undefined ones, what is found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


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
    STUART_TAU_C = "kendall-c"
    GAMMA = "tau"
    ACCURACY = "accuracy"


CLASSIC = (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL)
"""The three that papers print side by side."""


class UndefinedPolicy(StrEnum):
    """What becomes of a correlation that does not exist: left out, counted as 0, or an error."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient and what it stands on.

    value: in [-1, 1], accuracy in [0, 1], NaN = undefined. p: two-sided, NaN = none, and accuracy has none:
    no value of it stands for chance. n: systems, topics or summaries used, by the level. dropped: how many of
    these have a judgement but could not be used. tie_threshold: of accuracy, the largest difference of the
    measure that counts as a tie, in the measure's units; NaN = none.
    """

    value: float
    p: float
    n: int
    dropped: int
    tie_threshold: float = math.nan
