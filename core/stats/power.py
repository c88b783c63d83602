"""How many systems or topics it takes to tell two measures apart, simulated from a study's own numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.progress import Steps
from core.stats.correlation import Coefficient, Level, Undefined
from core.stats.counts import Over, draw_counts, whole_sample
from core.stats.resampled import resampled
from core.stats.resampling import in_resamples, only_judged

Array = NDArray[np.float64]

WANTED = 0.8
"""The chance of finding a difference that studies are usually planned for."""

TIMES = (0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16)
"""Sizes tried, as multiples of the study's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """How often studies of other sizes would find a difference.

    over: what the sizes count, systems or topics. difference: of the two correlations in the study itself.
    sizes: rising. chances: of finding it at each size, NaN = undefined. needed: the smallest size with the
    wanted chance, None = none of those tried has it.
    """

    over: Over
    difference: float
    sizes: tuple[int, ...]
    chances: tuple[float, ...]
    needed: int | None


def power(
    x: Array,
    z: Array,
    level: Level,
    coefficient: Coefficient,
    over: Over,
    pairs: Sequence[tuple[int, int]],
    sizes: Sequence[int] | None = None,
    *,
    wanted: float = WANTED,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> Steps[list[Power]]:
    """The chance that a study with so many systems, or topics, tells two measures apart; for each pair.

    x: shape (measures, systems, topics); z: the judgement, shape (systems, topics); NaN = missing. over:
    systems or topics; the other stay as they are. A study of n is simulated by drawing n of this one's with
    replacement, so that the difference found here is taken for true. It is found where the difference lies
    further from 0, on its side, than the normal quantile times its spread over the simulated studies.
    """
    x, z = only_judged(x, z)
    own = z.shape[0] if over is Over.SYSTEMS else z.shape[1]
    tried = tuple(sorted(set(sizes or [max(3, round(own * times)) for times in TIMES])))
    here = resampled(x, z, level, coefficient, whole_sample(z.shape[0], z.shape[1]))[0]
    true = [float(here[one] - here[other]) for one, other in pairs]
    chances = np.full((len(pairs), len(tried)), np.nan)
    for place, size in enumerate(tried):
        shape = (size, z.shape[1]) if over is Over.SYSTEMS else (z.shape[0], size)
        counts = draw_counts(z.shape[0], z.shape[1], over, draws, seed, shape)
        found = yield from in_resamples(x, z, level, coefficient, counts, Undefined.SKIP)
        for pair, (one, other) in enumerate(pairs):
            chances[pair, place] = _chance(found[:, one] - found[:, other], true[pair], confidence)
    return [
        Power(over, difference, tried, tuple(map(float, row)), needed(tried, row, wanted))
        for difference, row in zip(true, chances, strict=True)
    ]


def needed(sizes: Sequence[int], chances: Sequence[float] | Array, wanted: float = WANTED) -> int | None:
    """The smallest size with the wanted chance, between two sizes along the logarithm of size."""
    before: tuple[int, float] | None = None
    for size, chance in zip(sizes, map(float, chances), strict=True):
        if chance >= wanted:
            if before is None or not before[1] < chance:
                return size
            part = (wanted - before[1]) / (chance - before[1])
            between: float = before[0] * (size / before[0]) ** part
            return math.ceil(between - 1e-9)
        if math.isfinite(chance):
            before = (size, chance)
    return None


def _chance(differences: Array, true: float, confidence: float) -> float:
    from scipy.special import ndtri

    kept = differences[np.isfinite(differences)]
    if kept.size < 2 or not math.isfinite(true) or true == 0:
        return math.nan
    bound = float(ndtri((1 + confidence) / 2)) * float(kept.std(ddof=1))
    return float((np.sign(true) * kept > bound).mean())
