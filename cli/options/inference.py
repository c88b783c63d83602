"""Options for statistical inference: intervals, tests, power and inter-annotator agreement."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options.correlation import CorrelationOptions

if TYPE_CHECKING:
    from core.comparison.families import Variants
    from core.comparison.inference import InferenceOptions


class IntervalName(StrEnum):
    """Methods for confidence intervals and p-values."""

    AUTO = "auto"
    NONE = "none"
    T_TEST = "t-test"
    BOOTSTRAP_BOTH = "bootstrap-both"
    BOOTSTRAP_SYSTEMS = "bootstrap-systems"
    BOOTSTRAP_TOPICS = "bootstrap-topics"
    BOOTSTRAP_ANNOTATORS = "bootstrap-annotators"
    FISHER = "fisher"


class EndsName(StrEnum):
    """Method that turns resamples into the ends of an interval."""

    BCA = "bca"
    PERCENTILE = "percentile"


class FamilyName(StrEnum):
    """Families of measures for multiple testing."""

    MAIN = "main"
    ALL = "all"


class TestName(StrEnum):
    """Test of the difference between two measures' correlations."""

    PERMUTATION_BOTH = "permutation-both"
    WILLIAMS = "williams"
    PERMUTATION_SYSTEMS = "permutation-systems"
    PERMUTATION_TOPICS = "permutation-topics"


class AdjustName(StrEnum):
    """Corrections for multiple testing."""

    HOLM = "holm"
    BH = "bh"
    NONE = "none"


class NeededName(StrEnum):
    """Sample whose required size is estimated."""

    SYSTEMS = "systems"
    TOPICS = "topics"


class FreedomName(StrEnum):
    """Degrees of freedom of Williams' test."""

    N_MINUS_3 = "n-3"
    N_MINUS_2 = "n-2"


class SidesName(StrEnum):
    """Alternative hypotheses."""

    TWO = "two"
    GREATER = "greater"
    LESS = "less"


SIMULATED = 1_000
"""Default number of simulated studies of each size and of splits of annotators."""


@dataclass(frozen=True, slots=True)
class InferenceArguments:
    """Requested inference on correlations and on their differences."""

    interval: Annotated[
        IntervalName,
        typer.Option(
            help="Confidence interval of each correlation, and its p: bootstrap over systems, topics, both, "
            "or the annotators of a rating; or Fisher's transformation, which assumes independent pairs. "
            "t-test: no interval; p by t-test or Kendall's test, too small at topic and global level. none: "
            "no interval; p at system level only. auto: none at system level, else bootstrap-both."
        ),
    ] = IntervalName.AUTO
    interval_method: Annotated[
        EndsName,
        typer.Option(
            help="Type of bootstrap interval: bca (bias-corrected and accelerated) or percentile (too narrow "
            "for few systems: covers about 90% with 8 systems)."
        ),
    ] = EndsName.BCA
    confidence: Annotated[
        float,
        typer.Option(
            metavar="LEVEL", min=0.5, max=0.9999, help="Confidence level of intervals and clusters."
        ),
    ] = 0.95
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="Test each measure against this one, such as rouge-2.f, or against the best one (`best`).",
        ),
    ] = None
    test: Annotated[
        TestName,
        typer.Option(
            help="Test of differences: paired permutation of systems, topics or both; or Williams' test, for "
            "Pearson's r at system level."
        ),
    ] = TestName.PERMUTATION_BOTH
    family: Annotated[
        FamilyName,
        typer.Option(
            help="Measures to test. main: the main measure of each metric's default configuration; all: "
            "every measure. Measures given by --measure are always tested."
        ),
    ] = FamilyName.MAIN
    sides: Annotated[
        SidesName,
        typer.Option(
            help="Alternative hypothesis. two: two-sided; greater: the measure given by --compare correlates "
            "better; less: it correlates worse."
        ),
    ] = SidesName.TWO
    freedom: Annotated[
        FreedomName,
        typer.Option(help="Degrees of freedom of Williams' test; n-2 is used by older programs."),
    ] = FreedomName.N_MINUS_3
    magnitudes: Annotated[
        bool,
        typer.Option(
            "--magnitudes", help="Apply Williams' test to absolute correlations, as the WMT scripts do."
        ),
    ] = False
    adjust: Annotated[
        AdjustName,
        typer.Option(
            help="Adjustment of p-values for multiple tests per judgement: Holm or Benjamini-Hochberg (bh)."
        ),
    ] = AdjustName.HOLM
    needed: Annotated[
        NeededName | None,
        typer.Option(
            help="With --compare: estimate how many systems or topics are required to detect each difference "
            "with 80% power."
        ),
    ] = None
    clusters: Annotated[
        bool,
        typer.Option(
            "--clusters",
            help="Test every pair of measures and show clusters without significant differences.",
        ),
    ] = False
    upper_bound: Annotated[
        bool,
        typer.Option(
            "--upper-bound",
            help="Estimate inter-annotator agreement: one annotator with the mean of the others, and the "
            "ceiling of correlations with a rating (the square root of its reliability).",
        ),
    ] = False
    draws: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of resamples, permutations or simulated studies. Default: 10,000; 1,000 for "
            "--needed and --upper-bound.",
            show_default=False,
        ),
    ] = None
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 0

    def check(self, selection: CorrelationOptions) -> None:
        """Raise BadParameter where the test does not apply to the level or coefficient."""
        from core.comparison.inference import williams_refusal

        level, coefficient, _ = selection.correlation()
        if self.test is TestName.WILLIAMS and (refusal := williams_refusal(level, coefficient)):
            raise typer.BadParameter(f"--test williams: {refusal}")

    def variants(self, selection: CorrelationOptions) -> Variants:
        """Return which variants of a metric are tested together."""
        from core.comparison.families import Variants

        return Variants.ALL if selection.measure else Variants(self.family)

    def options(self) -> InferenceOptions:
        """Return the options as the engine takes them."""
        from core.comparison.inference import Adjustment, DifferenceTest, InferenceOptions, IntervalMethod
        from core.stats.intervals import DRAWS, Ends
        from core.stats.significance import Alternative, WilliamsDf

        return InferenceOptions(
            interval=IntervalMethod(self.interval),
            against=self.compare or "",
            test=DifferenceTest(self.test),
            adjustment=Adjustment(self.adjust),
            sides=Alternative(self.sides),
            draws=DRAWS if self.draws is None else self.draws,
            simulated=SIMULATED if self.draws is None else self.draws,
            ends=Ends(self.interval_method),
            seed=self.seed,
            confidence=self.confidence,
            freedom=WilliamsDf(self.freedom),
            magnitudes=self.magnitudes,
        )
