"""Options for statistical inference: intervals, tests, power and inter-annotator agreement."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from cli.options.correlation import CorrelationOptions
from core.comparison.options import Adjustment, DifferenceTest, InferenceOptions, IntervalMethod, Variants
from core.stats.types import DRAWS, Alternative, Ends, WilliamsDf


class NeededName(StrEnum):
    """Sample whose required size is estimated."""

    SYSTEMS = "systems"
    TOPICS = "topics"


SIMULATED = 1_000
"""Default number of simulated studies of each size and of splits of annotators."""


@dataclass(frozen=True, slots=True)
class InferenceArguments:
    """Requested inference on correlations and on their differences."""

    interval: Annotated[
        IntervalMethod,
        typer.Option(
            help="Confidence interval of each correlation, and its p: bootstrap over systems, topics, both, "
            "or the annotators of a rating; or Fisher's transformation, which assumes independent pairs. "
            "t-test: no interval; p by t-test or Kendall's test, too small at topic and global level. none: "
            "no interval; p at system level only. auto: none at system level, else bootstrap-both."
        ),
    ] = IntervalMethod.AUTO
    interval_method: Annotated[
        Ends,
        typer.Option(
            help="Type of bootstrap interval: bca (bias-corrected and accelerated) or percentile (too narrow "
            "for few systems: covers about 90% with 8 systems)."
        ),
    ] = Ends.BCA
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
        DifferenceTest,
        typer.Option(
            help="Test of differences: paired permutation of systems, topics or both; or Williams' test, for "
            "Pearson's r at system level."
        ),
    ] = DifferenceTest.PERMUTATION_BOTH
    family: Annotated[
        Variants,
        typer.Option(
            help="Measures to test. main: the main measure of each metric's default configuration; all: "
            "every measure. Measures given by --measure are always tested."
        ),
    ] = Variants.MAIN
    sides: Annotated[
        Alternative,
        typer.Option(
            help="Alternative hypothesis. two: two-sided; greater: the measure given by --compare correlates "
            "better; less: it correlates worse."
        ),
    ] = Alternative.TWO
    freedom: Annotated[
        WilliamsDf,
        typer.Option(help="Degrees of freedom of Williams' test; n-2 is used by older programs."),
    ] = WilliamsDf.N_MINUS_3
    magnitudes: Annotated[
        bool,
        typer.Option(
            "--magnitudes", help="Apply Williams' test to absolute correlations, as the WMT scripts do."
        ),
    ] = False
    adjust: Annotated[
        Adjustment,
        typer.Option(
            help="Adjustment of p-values for multiple tests per judgement: Holm or Benjamini-Hochberg (bh)."
        ),
    ] = Adjustment.HOLM
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
        if self.test is DifferenceTest.WILLIAMS and (refusal := williams_refusal(level, coefficient)):
            raise typer.BadParameter(f"--test williams: {refusal}")

    def variants(self, selection: CorrelationOptions) -> Variants:
        """Return which variants of a metric are tested together."""
        return Variants.ALL if selection.measure else self.family

    def options(self) -> InferenceOptions:
        """Return the options as the engine takes them."""
        return InferenceOptions(
            interval=self.interval,
            against=self.compare or "",
            test=self.test,
            adjustment=self.adjust,
            sides=self.sides,
            draws=DRAWS if self.draws is None else self.draws,
            simulated=SIMULATED if self.draws is None else self.draws,
            ends=self.interval_method,
            seed=self.seed,
            confidence=self.confidence,
            freedom=self.freedom,
            magnitudes=self.magnitudes,
        )
