"""The full sample, bootstrapped: how much a correlation would move with other systems or topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.matrix import Array
from core.metrics.base import setting
from core.progress import JobSteps
from core.stats.bootstrap import bootstrap
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit

NONE = "none"
WORDS: Mapping[str, str] = {
    ResampleUnit.SYSTEMS: "systems, drawn with replacement",
    ResampleUnit.TOPICS: "topics, drawn with replacement",
    ResampleUnit.BOTH: "systems and topics, both drawn with replacement",
}


def bootstrap_setting(default: str = ResampleUnit.SYSTEMS) -> Any:
    """What the full sample is bootstrapped over.

    Owczarzak & Dang 2009 do not say what they drew. Two of their thousands differ by up to .0023 in the mean
    for one metric (tables 1 and 7), as systems drawn anew do; topics drawn anew would move it far less.
    """
    explained = (
        "What is drawn with replacement from the full sample, as there is one alone to compare the draws "
        "with; none = nothing."
    )
    return setting(str(default), explained, choices=(NONE, *map(str, ResampleUnit)), title="Bootstrap")


def bootstrapped(
    x: Array, z: Array, level: Level, coefficient: Coefficient, over: str, draws: int, seed: int
) -> JobSteps[Array]:
    """The correlations of resamples of the full sample, shape (measures, draws), NaN = undefined.

    x: shape (measures, systems, topics); z: shape (systems, topics); NaN = missing.
    """
    found = yield from bootstrap(x, z, level, coefficient, ResampleUnit(over), draws=draws, seed=seed)
    return found.T
