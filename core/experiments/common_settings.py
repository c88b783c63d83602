"""Settings shared by experiments: judgements, level, coefficient, measures, seed."""

from __future__ import annotations

from typing import Any

from core.formatting.coefficients import coefficient_title
from core.metrics.base import setting
from core.stats.correlation import Coefficient, Level
from core.stats.types import OF_ROWS, WHICH_TAU


def judgements_setting() -> Any:
    return setting(
        "",
        "Judgements to compare with, such as rating.coherence, separated by commas. Empty = all.",
        title="Judgements",
    )


def level_setting(default: Level) -> Any:
    explained = (
        "What is correlated: system means, the systems of each topic (averaged over topics), or all "
        "summaries pooled."
    )
    return setting(str(default), explained, choices=tuple(map(str, Level)), title="Level")


def coefficient_setting(default: Coefficient) -> Any:
    return setting(
        str(default),
        "Correlation coefficient.",
        choices=tuple(map(str, OF_ROWS)),
        title="Coefficient",
        questions={"tau": WHICH_TAU},
    )


def measures_setting() -> Any:
    explained = "Measures, such as rouge-2.f, separated by commas. Empty = all measures of the study."
    return setting("", explained, title="Measures")


def own_judgements_setting() -> Any:
    """Return the setting of a recipe that compares with the paper's own judgement by default."""
    explained = "Judgements to compare with, separated by commas. Empty = the paper's, or its substitute."
    return setting("", explained, title="Judgements")


def own_measures_setting() -> Any:
    """Return the setting of a recipe that scores the paper's own metrics by default."""
    return setting("", "Measures, separated by commas. Empty = the paper's.", title="Measures")


def without_setting() -> Any:
    """Return the setting of a recipe whose paper excluded inferior systems or an oracle."""
    explained = (
        "Systems to exclude, separated by commas. The paper excluded two poor systems of DUC 2002 and the "
        "oracle of Newsroom."
    )
    return setting("", explained, title="Exclude systems")


def seed_setting() -> Any:
    return setting(0, "Random seed. The same seed gives the same numbers.", low=0, title="Seed")


LEVELS = {
    Level.SYSTEM: "of system means over topics",
    Level.TOPIC: "across the systems of each topic, averaged over topics",
    Level.GLOBAL: "over all summaries pooled",
}
"""Phrases that complete "Pearson's r …" for each level."""


def policy(level: Level, coefficient: Coefficient) -> str:
    """Return a sentence that names the coefficient and the level."""
    return f"{coefficient_title(coefficient)} {LEVELS[level]}."
