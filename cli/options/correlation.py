"""What is correlated with what, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import chosen_names
from core.stats.types import Coefficient, Level, UndefinedPolicy

LevelOption = Annotated[
    Level,
    typer.Option(
        help="system = of the systems' means; topic = within each topic, averaged; "
        "global = of all single summaries."
    ),
]
CoefficientOption = Annotated[
    Coefficient,
    typer.Option(
        help="Pearson's r, Spearman's rho, Kendall's tau-b (kendall), Stuart's tau-c (kendall-c), "
        "Goodman-Kruskal gamma (tau), or pairwise accuracy with calibrated ties."
    ),
]
UndefinedOption = Annotated[
    UndefinedPolicy,
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
    level: LevelOption = Level.SYSTEM
    coefficient: CoefficientOption = Coefficient.PEARSON
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as rouge-2.f; may be repeated. Default: all."),
    ] = None
    undefined: UndefinedOption = UndefinedPolicy.SKIP
    with_made: Annotated[
        bool, typer.Option("--all", help="Also measures that sweeps and recipes alone have scored.")
    ] = False

    def references(self) -> list[str]:
        """Authors whose references pyramid scores count, none = as the judgements' names say."""
        return chosen_names(self.human_references, "--human-references")

    def correlation(self) -> tuple[Level, Coefficient, UndefinedPolicy]:
        """Return the level, the coefficient and the treatment of undefined correlations."""
        return self.level, self.coefficient, self.undefined
