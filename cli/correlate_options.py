"""The options of `pyramidion correlate` about chance and about who takes part."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


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


Interval = Annotated[
    IntervalName,
    typer.Option(
        help="An interval for each correlation: resamples of systems, topics or both, or of the annotators "
        "of a rating; or Fisher's transformation, which takes pairs for independent."
    ),
]
Draws = Annotated[int, typer.Option(min=1, help="How many resamples or permutations.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same draws.")]
Confidence = Annotated[float, typer.Option(min=0.5, max=0.9999, help="Of the intervals.")]
Compare = Annotated[
    str | None,
    typer.Option(
        help="Test the difference of each measure from this one, as rouge-2.f, or from the best. "
        "Default: no test."
    ),
]
Test = Annotated[
    TestName,
    typer.Option(
        help="Williams' test (n - 3 degrees of freedom), or permutations that swap two measures' scores for "
        "systems, topics or both."
    ),
]
Freedom = Annotated[
    FreedomName,
    typer.Option(help="Degrees of freedom of Williams' test: n-3, or n-2 as older programs have it."),
]
Magnitudes = Annotated[
    bool,
    typer.Option(
        "--magnitudes", help="Williams' test of the correlations without their signs, as WMT's scripts."
    ),
]
Sides = Annotated[
    SidesName,
    typer.Option(
        help="two = a difference either way; greater = the one compared with follows people better."
    ),
]
Adjust = Annotated[
    AdjustName,
    typer.Option(help="Adjust p-values over the measures of a judgement: Holm, Benjamini and Hochberg (bh)."),
]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--system", help="Only this system; may be repeated, at least three. Default: all."),
]
Weakest = Annotated[
    int,
    typer.Option(
        "--leave-out-weakest", min=0, help="Leave out so many systems of the lowest mean judgement."
    ),
]
Below = Annotated[
    float | None,
    typer.Option(
        "--leave-out-below",
        min=0,
        help="Leave out systems so many standard deviations below the mean of the systems.",
    ),
]
WeakBy = Annotated[
    str | None, typer.Option(help="The judgement by which systems are weak. Default: the first that counts.")
]
Needed = Annotated[
    NeededName | None,
    typer.Option(help="With --compare: how many systems or topics would tell each difference."),
]
Bounds = Annotated[
    bool,
    typer.Option(
        "--upper-bound", help="How far annotators agree, and so how far any measure can follow a rating."
    ),
]
Clusters = Annotated[
    bool,
    typer.Option(
        "--clusters",
        help="Test every pair of measures and number the clusters that do not differ, the best first.",
    ),
]
TopicSet = Annotated[
    str | None, typer.Option("--set", help="Only topics of this set, as initial or update. Default: all.")
]
