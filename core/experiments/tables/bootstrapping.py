"""Bootstrap of the full sample as a condition of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.matrix import Array
from core.metrics.base import setting
from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap

NONE = "none"
WORDS: Mapping[str, str] = {
    ResampleUnit.SYSTEMS: "systems, resampled with replacement",
    ResampleUnit.TOPICS: "topics, resampled with replacement",
    ResampleUnit.BOTH: "systems and topics, both resampled with replacement",
}


def bootstrap_setting(default: str = ResampleUnit.SYSTEMS) -> Any:
    """Return the setting of the resampling unit.

    Owczarzak & Dang 2009 do not state what they resampled. Two of their runs differ by up to .0023 in the
    mean for one metric (Tables 1 and 7), as expected when systems are resampled; resampled topics would
    differ far less.
    """
    explained = (
        "Units of the full sample that are resampled with replacement, for comparison with the draws; "
        "none = no bootstrap."
    )
    return setting(str(default), explained, choices=(NONE, *map(str, ResampleUnit)), title="Bootstrap")


def bootstrapped(
    x: Array, z: Array, level: Level, coefficient: Coefficient, over: str, draws: int, seed: int
) -> JobSteps[Array]:
    """Return correlations of resamples of the full sample, shape (measures, draws), NaN = undefined.

    x: shape (measures, systems, topics); z: shape (systems, topics); NaN = missing.
    """
    samples = yield from bootstrap(x, z, level, coefficient, ResampleUnit(over), draws=draws, seed=seed)
    return samples.T
