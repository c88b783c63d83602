"""What is correlated with what, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options.common import chosen_names

if TYPE_CHECKING:
    from core.stats import correlation


class LevelName(StrEnum):
    """How a correlation pools."""

    SYSTEM = "system"
    TOPIC = "topic"
    GLOBAL = "global"


class CoefficientName(StrEnum):
    """Which correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    STUART_TAU_C = "kendall-c"
    GAMMA = "tau"
    ACCURACY = "accuracy"


class UndefinedName(StrEnum):
    """What becomes of a correlation that does not exist."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


Level = Annotated[
    LevelName,
    typer.Option(
        help="system = of the systems' means; topic = within each topic, averaged; "
        "global = of all single summaries."
    ),
]
Coefficient = Annotated[
    CoefficientName,
    typer.Option(
        help="Pearson's r, Spearman's rho, Kendall's tau-b (kendall) or tau-c, the plain tau "
        "(C - D) / (C + D), or pairwise accuracy with calibrated ties."
    ),
]
Undefined = Annotated[
    UndefinedName,
    typer.Option(
        help="A correlation that does not exist (one side constant, or fewer than three pairs): "
        "skip = leave it out, zero = count it as 0, error = stop."
    ),
]
HumanReferences = Annotated[
    str | None,
    typer.Option(
        help="Pyramid scores by these authors' references alone, by name with commas; weights are "
        "counted anew. Default: all."
    ),
]


@dataclass(frozen=True, slots=True)
class CorrelationOptions:
    """Which measures are correlated with which judgements, at which level and by which coefficient."""

    human: Annotated[
        list[str] | None,
        typer.Option(
            help="A judgement, as rating.coherence, pyramid.modified or pyramid.modified\\[references:A+B]; "
            "may be repeated. Default: all."
        ),
    ] = None
    human_references: HumanReferences = None
    level: Level = LevelName.SYSTEM
    coefficient: Coefficient = CoefficientName.PEARSON
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as rouge-2.f; may be repeated. Default: all."),
    ] = None
    undefined: Undefined = UndefinedName.SKIP
    with_made: Annotated[
        bool, typer.Option("--all", help="Also measures that sweeps and recipes alone have scored.")
    ] = False

    def references(self) -> list[str]:
        """Authors whose references pyramid scores count, none = as the judgements' names say."""
        return chosen_names(self.human_references, "--human-references")

    def correlation(self) -> tuple[correlation.Level, correlation.Coefficient, correlation.UndefinedPolicy]:
        """How to correlate, in the engine's words."""
        from core.stats import correlation

        return (
            correlation.Level(self.level),
            correlation.Coefficient(self.coefficient),
            correlation.UndefinedPolicy(self.undefined),
        )
