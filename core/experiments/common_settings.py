"""Settings that experiments share: whose judgement, at which level, by which coefficient."""

from __future__ import annotations

from typing import Any

from core.formatting.coefficients import coefficient_title
from core.metrics.base import setting
from core.stats.correlation import Coefficient, Level


def judgements_setting() -> Any:
    return setting(
        "",
        "Judgements to compare with, as rating.coherence; commas between; none = all.",
        title="Judgements",
    )


def level_setting(default: Level) -> Any:
    explained = (
        "What is correlated: the systems' means, the systems within each topic (then averaged), or all "
        "summaries at once."
    )
    return setting(str(default), explained, choices=tuple(map(str, Level)), title="Level")


def coefficient_setting(default: Coefficient) -> Any:
    return setting(
        str(default), "Which correlation.", choices=tuple(map(str, Coefficient)), title="Coefficient"
    )


def measures_setting() -> Any:
    explained = "Measures by their names, as rouge-2.f; commas between; none = all that the study has."
    return setting("", explained, title="Measures")


def own_judgements_setting() -> Any:
    """Of a recipe, which compares with the paper's own judgement where none is chosen."""
    explained = "Judgements to compare with, commas between; none = the paper's, or what stands in for it."
    return setting("", explained, title="Judgements")


def own_measures_setting() -> Any:
    """Of a recipe, which scores the paper's own metrics where none is chosen."""
    return setting("", "Measures by their names, commas between; none = the paper's.", title="Measures")


def without_setting() -> Any:
    """Of a recipe whose paper left out systems that are clearly inferior, or no summarizers."""
    explained = (
        "Systems left out, commas between, as the paper left out two poor ones of DUC 2002 and the oracle of "
        "Newsroom."
    )
    return setting("", explained, title="Without")


def seed_setting() -> Any:
    return setting(0, "What the draws begin with: the same seed gives the same digits.", low=0, title="Seed")


LEVELS = {
    Level.SYSTEM: "of the systems' means over topics",
    Level.TOPIC: "among the systems of each topic, averaged over topics",
    Level.GLOBAL: "over all summaries at once",
}
"""What a level correlates, as a sentence goes on."""


def policy(level: Level, coefficient: Coefficient) -> str:
    """What was correlated, in a sentence."""
    return f"{coefficient_title(coefficient)} {LEVELS[level]}."
