"""Statistical inference: intervals, tests, and how far people agree."""

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
    """How intervals are made."""

    NONE = "none"
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
    """Which measures are tested together."""

    MAIN = "main"
    ALL = "all"


class TestName(StrEnum):
    """Test of the difference between two measures' correlations."""

    PERMUTATION_BOTH = "permutation-both"
    WILLIAMS = "williams"
    PERMUTATION_SYSTEMS = "permutation-systems"
    PERMUTATION_TOPICS = "permutation-topics"


class AdjustName(StrEnum):
    """How p-values are raised for the number of tests."""

    HOLM = "holm"
    BH = "bh"
    NONE = "none"


class NeededName(StrEnum):
    """What there should be more of."""

    SYSTEMS = "systems"
    TOPICS = "topics"


class FreedomName(StrEnum):
    """Degrees of freedom of Williams' test."""

    N_MINUS_3 = "n-3"
    N_MINUS_2 = "n-2"


class SidesName(StrEnum):
    """What counts as at least so extreme."""

    TWO = "two"
    GREATER = "greater"
    LESS = "less"


SIMULATED = 1_000
"""Studies of each size, and splits of annotators, by default."""


@dataclass(frozen=True, slots=True)
class InferenceArguments:
    """Inference asked for: about each correlation and about their differences."""

    interval: Annotated[
        IntervalName,
        typer.Option(
            help="An interval for each correlation: resamples of systems, topics or both, or of the "
            "annotators of a rating; or Fisher's transformation, which takes pairs for independent."
        ),
    ] = IntervalName.NONE
    interval_method: Annotated[
        EndsName,
        typer.Option(
            help="Ends of bootstrap intervals: bca = bias-corrected and accelerated; percentile = narrower, "
            "and too narrow for few systems (covers about 90 % at 8 systems)."
        ),
    ] = EndsName.BCA
    confidence: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Of the intervals.")] = 0.95
    compare: Annotated[
        str | None,
        typer.Option(
            help="Test the difference of each measure from this one, as rouge-2.f, or from the best. "
            "Default: no test."
        ),
    ] = None
    test: Annotated[
        TestName,
        typer.Option(
            help="Permutations that swap two measures' scores for systems, topics or both; or Williams' test "
            "(n - 3 degrees of freedom), for Pearson's r at system level only."
        ),
    ] = TestName.PERMUTATION_BOTH
    family: Annotated[
        FamilyName,
        typer.Option(
            help="Measures tested together: main = of each metric the default configuration's main measure; "
            "all. Measures named by --measure are all tested."
        ),
    ] = FamilyName.MAIN
    sides: Annotated[
        SidesName,
        typer.Option(
            help="two = a difference either way; greater = the one compared with follows people better."
        ),
    ] = SidesName.TWO
    freedom: Annotated[
        FreedomName,
        typer.Option(help="Degrees of freedom of Williams' test: n-3, or n-2 as older programs have it."),
    ] = FreedomName.N_MINUS_3
    magnitudes: Annotated[
        bool,
        typer.Option(
            "--magnitudes", help="Williams' test of the correlations without their signs, as WMT's scripts."
        ),
    ] = False
    adjust: Annotated[
        AdjustName,
        typer.Option(
            help="Adjust p-values over the tests of a judgement: Holm, Benjamini and Hochberg (bh)."
        ),
    ] = AdjustName.HOLM
    needed: Annotated[
        NeededName | None,
        typer.Option(
            help="With --compare: how many systems or topics would show each difference, with an interval."
        ),
    ] = None
    clusters: Annotated[
        bool,
        typer.Option(
            "--clusters",
            help="Test every pair of measures and number the clusters that do not differ, the best first.",
        ),
    ] = False
    upper_bound: Annotated[
        bool,
        typer.Option(
            "--upper-bound", help="How far annotators agree, and so how far any measure can follow a rating."
        ),
    ] = False
    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many resamples, permutations or simulated studies. Default: 10,000; 1,000 for --needed "
            "and --upper-bound.",
            show_default=False,
        ),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same draws.")] = 0

    def check(self, question: CorrelationOptions) -> None:
        """Raise BadParameter where the test does not fit the question."""
        from core.comparison.inference import williams_refusal

        level, coefficient, _ = question.correlation()
        if self.test is TestName.WILLIAMS and (refusal := williams_refusal(level, coefficient)):
            raise typer.BadParameter(f"--test williams: {refusal}")

    def variants(self, question: CorrelationOptions) -> Variants:
        """Which variants of a metric are tested together."""
        from core.comparison.families import Variants

        return Variants.ALL if question.measure else Variants(self.family)

    def chance(self) -> InferenceOptions:
        """The same in the engine's words."""
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
