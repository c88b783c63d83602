"""Choices of systems, intervals and tests; imports no numpy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.stats.types import DRAWS, Alternative, Coefficient, Ends, Level, WilliamsDf

BEST = "best"
"""Value of `against` that compares each measure with the one of the highest correlation."""


class SystemSelection(StrEnum):
    """Systems included in a comparison.

    Automatic systems and baselines; human summaries too; or automatic systems plus every reference as a
    system, scored by the other references.
    """

    AUTOMATIC = "automatic"
    ALL = "all"
    WITH_HUMANS = "with-humans"


class IntervalMethod(StrEnum):
    """Method of a correlation's interval and of its p, which always belong together.

    bootstrap-...: both from resamples of systems and topics, systems, topics, or annotators.
    fisher: both by Fisher's transformation, which takes pairs as independent.
    t-test: no interval; p of the coefficient's own test, which takes systems, topics or summaries as
        independent.
    none: no interval; p as by t-test at the system level, where it is valid, else no p.
    auto: none at the system level, else bootstrap-both; see `method_at`.
    """

    AUTO = "auto"
    NONE = "none"
    T_TEST = "t-test"
    BOOTSTRAP_BOTH = "bootstrap-both"
    BOOTSTRAP_SYSTEMS = "bootstrap-systems"
    BOOTSTRAP_TOPICS = "bootstrap-topics"
    BOOTSTRAP_ANNOTATORS = "bootstrap-annotators"
    FISHER = "fisher"


class DifferenceTest(StrEnum):
    """Test of the difference between two measures' correlations."""

    PERMUTATION_BOTH = "permutation-both"
    WILLIAMS = "williams"
    PERMUTATION_SYSTEMS = "permutation-systems"
    PERMUTATION_TOPICS = "permutation-topics"


class Adjustment(StrEnum):
    """Adjustment of p-values for multiple testing."""

    HOLM = "holm"
    BENJAMINI_HOCHBERG = "bh"
    NONE = "none"


class Variants(StrEnum):
    """Variants of a metric in a family of tests: its default configuration's main measure, or all."""

    MAIN = "main"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class InferenceOptions:
    """Options of intervals and tests.

    against: label of the measure to compare with, `BEST`, or empty = none.
    draws, seed: of resamples and permutations.
    simulated: simulated studies per size for required sample sizes.
    ends: ends of bootstrap intervals.
    confidence: of intervals.
    freedom, magnitudes: of Williams' test.
    """

    interval: IntervalMethod = IntervalMethod.BOOTSTRAP_BOTH
    against: str = BEST
    test: DifferenceTest = DifferenceTest.PERMUTATION_BOTH
    adjustment: Adjustment = Adjustment.HOLM
    sides: Alternative = Alternative.TWO
    draws: int = DRAWS
    simulated: int = 1000
    seed: int = 0
    ends: Ends = Ends.BCA
    confidence: float = 0.95
    freedom: WilliamsDf = WilliamsDf.N_MINUS_3
    magnitudes: bool = False


def williams_refusal(level: Level, coefficient: Coefficient) -> str:
    """Return why Williams' test does not apply; empty if it does."""
    if level is Level.SYSTEM and coefficient is Coefficient.PEARSON:
        return ""
    return (
        "Williams' test applies to Pearson's r of independent pairs, so to the system level only. Choose a "
        "permutation test."
    )
