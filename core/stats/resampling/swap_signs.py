"""Permutations of two measures' scores as signs of systems and topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.resample_counts import ResampleUnit

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SwapSigns:
    """Permutations: a cell's scores are swapped if its system's sign times its topic's is -1.

    systems: shape (draws or 1, systems).
    topics: shape (draws or 1, topics).
    """

    systems: Array
    topics: Array

    @property
    def draws(self) -> int:
        """Number of permutations."""
        return max(len(self.systems), len(self.topics))

    def part(self, which: slice | NDArray[np.intp]) -> SwapSigns:
        """Return some of the permutations."""
        sides = (self.systems, self.topics)
        return SwapSigns(*(side if side.shape[0] == 1 else side[which] for side in sides))

    def after_sample(self) -> SwapSigns:
        """Return these permutations after the one without swaps; a side without swaps stays one row."""
        systems, topics = (
            side if len(side) == 1 and (side > 0).all() else np.concatenate((np.ones_like(side[:1]), side))
            for side in (self.systems, self.topics)
        )
        return SwapSigns(systems, topics)


def draw_swaps(systems: int, topics: int, over: ResampleUnit, draws: int, seed: int) -> SwapSigns:
    """Draw each sign, ±1 with probability one half; a unit that is not swapped has one row of ones."""
    streams = np.random.SeedSequence(seed).spawn(2)

    def drawn(which: ResampleUnit, there: int, stream: np.random.SeedSequence) -> Array:
        if over not in (which, ResampleUnit.BOTH):
            return np.ones((1, there))
        picked = np.random.Generator(np.random.PCG64(stream)).integers(0, 2, (draws, there))
        return np.where(picked == 1, 1.0, -1.0)

    return SwapSigns(
        drawn(ResampleUnit.SYSTEMS, systems, streams[0]), drawn(ResampleUnit.TOPICS, topics, streams[1])
    )
