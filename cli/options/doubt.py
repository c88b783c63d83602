"""What chance could have done: intervals, tests, and how far people agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from core.comparing import Chance


class IntervalName(StrEnum):
    """How intervals are made."""

    NONE = "none"
    BOOTSTRAP_BOTH = "bootstrap-both"
    BOOTSTRAP_SYSTEMS = "bootstrap-systems"
    BOOTSTRAP_TOPICS = "bootstrap-topics"
    BOOTSTRAP_ANNOTATORS = "bootstrap-annotators"
    FISHER = "fisher"


class TestName(StrEnum):
    """What tells two measures apart."""

    WILLIAMS = "williams"
    PERMUTATION_BOTH = "permutation-both"
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


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is asked about chance, of each correlation and of their differences."""

    interval: Annotated[
        IntervalName,
        typer.Option(
            help="An interval for each correlation: resamples of systems, topics or both, or of the "
            "annotators of a rating; or Fisher's transformation, which takes pairs for independent."
        ),
    ] = IntervalName.NONE
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
            help="Williams' test (n - 3 degrees of freedom), or permutations that swap two measures' scores "
            "for systems, topics or both."
        ),
    ] = TestName.WILLIAMS
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
            help="Adjust p-values over the measures of a judgement: Holm, Benjamini and Hochberg (bh)."
        ),
    ] = AdjustName.HOLM
    needed: Annotated[
        NeededName | None,
        typer.Option(help="With --compare: how many systems or topics would tell each difference."),
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
    draws: Annotated[int, typer.Option(min=1, help="How many resamples or permutations.")] = 1000
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same draws.")] = 0

    def chance(self) -> Chance:
        """The same in the engine's words."""
        from core.comparing import Adjustment, Chance, DifferenceTest, IntervalKind
        from core.stats.significance import Freedom, Sides

        return Chance(
            interval=IntervalKind(self.interval),
            against=self.compare or "",
            test=DifferenceTest(self.test),
            adjustment=Adjustment(self.adjust),
            sides=Sides(self.sides),
            draws=self.draws,
            seed=self.seed,
            confidence=self.confidence,
            freedom=Freedom(self.freedom),
            magnitudes=self.magnitudes,
        )
