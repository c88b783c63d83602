"""Options that select the correlations to compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import chosen_names
from core.stats.types import WHICH_TAU, Coefficient, Level, UndefinedPolicy

LevelOption = Annotated[
    Level,
    typer.Option(
        help="Aggregation of scores. system: correlate the systems' means; topic: correlate within each "
        "topic, then average; global: correlate all summaries."
    ),
]


_COEFFICIENTS = [each.value for each in Coefficient]


def _coefficient(name: str) -> Coefficient:
    """Return a coefficient by name; `tau` is answered with a question."""
    if name not in _COEFFICIENTS:
        listed = ", ".join(_COEFFICIENTS)
        raise typer.BadParameter(WHICH_TAU if name == "tau" else f"{name!r} is not one of: {listed}.")
    return Coefficient(name)


def _completed(incomplete: str) -> list[str]:
    return [name for name in _COEFFICIENTS if name.startswith(incomplete)]


CoefficientOption = Annotated[
    Coefficient,
    typer.Option(
        parser=_coefficient,
        metavar=f"<{'|'.join(_COEFFICIENTS)}>",
        autocompletion=_completed,
        help="Correlation coefficient: Pearson's r, Spearman's rho, Kendall's tau-b (kendall), Stuart's "
        "tau-c (kendall-c), Goodman-Kruskal gamma (gamma), pairwise accuracy with tie calibration "
        "(accuracy), or soft pairwise accuracy (soft-accuracy; system level).",
    ),
]
UndefinedOption = Annotated[
    UndefinedPolicy,
    typer.Option(
        help="Treatment of undefined correlations (constant values or fewer than three pairs). skip: "
        "exclude them; zero: count them as 0; error: stop."
    ),
]
HumanReferences = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Recompute pyramid scores from the references of these authors (comma-separated). Default: all.",
    ),
]


@dataclass(frozen=True, slots=True)
class CorrelationOptions:
    """Measures and judgements to correlate, the level and the coefficient."""

    human: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JUDGEMENT",
            help="Human judgement to compare with, such as rating.coherence, pyramid.modified or "
            "pyramid.modified[references:A+B]. Can be repeated. Default: all.",
        ),
    ] = None
    human_references: HumanReferences = None
    level: LevelOption = Level.SYSTEM
    coefficient: CoefficientOption = Coefficient.PEARSON
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE", help="Measure to include, such as rouge-2.f. Can be repeated. Default: all."
        ),
    ] = None
    undefined: UndefinedOption = UndefinedPolicy.SKIP
    with_made: Annotated[
        bool, typer.Option("--all", help="Also include scores that were computed only for experiments.")
    ] = False

    def references(self) -> list[str]:
        """Return the authors of `--human-references`; empty if not given."""
        return chosen_names(self.human_references, "--human-references")

    def correlation(self) -> tuple[Level, Coefficient, UndefinedPolicy]:
        """Return the level, the coefficient and the treatment of undefined correlations."""
        return self.level, self.coefficient, self.undefined
