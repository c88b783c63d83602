"""Resamples as counts of drawn systems and topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CELLS_AT_ONCE = 500_000
"""Numbers per step: few enough for the processor's cache, and for a fast reaction to Cancel."""


class ResampleUnit(StrEnum):
    """Unit of resampling: systems, topics (each a cluster of its summaries), or both independently."""

    SYSTEMS = "systems"
    TOPICS = "topics"
    BOTH = "both"


@dataclass(frozen=True, slots=True, eq=False)
class ResampleCounts:
    """Draws, each a count per system and per topic.

    systems: shape (draws, systems).
    topics: shape (draws, topics). A unit that is not resampled has one row of ones for all draws.
    left_out: the unit of which each draw has all but one, each once; None = other draws.
    """

    systems: Array
    topics: Array
    left_out: ResampleUnit | None = None

    @property
    def draws(self) -> int:
        """Number of resamples."""
        draws: int = max(self.systems.shape[0], self.topics.shape[0])
        return draws

    def part(self, which: slice | NDArray[np.intp]) -> ResampleCounts:
        """Return some of the draws."""
        sides = (self.systems, self.topics)
        systems, topics = (side if side.shape[0] == 1 else side[which] for side in sides)
        return ResampleCounts(systems, topics, self.left_out)


def at_once(cells: int) -> int:
    """Return how many things of so many numbers one step can have; 0 = not one."""
    return CELLS_AT_ONCE // max(1, cells)


def ranges(count: int, size: int) -> Iterator[slice]:
    """Divide `count` things into ranges of `size`, or of one if that is less."""
    return (slice(first, last) for first, last in pairwise([*range(0, count, max(1, size)), count]))


def full_sample(systems: int, topics: int) -> ResampleCounts:
    """Return each system and topic once."""
    return ResampleCounts(np.ones((1, systems)), np.ones((1, topics)))


def draw_counts(
    systems: int, topics: int, over: ResampleUnit, draws: int, seed: int, sizes: tuple[int, int] | None = None
) -> ResampleCounts:
    """Draw with replacement as many systems or topics as there are, or `sizes` of each.

    Systems and topics come from separate random streams, so that more draws, or drawing both, begin with the
    same ones.
    """
    streams = np.random.SeedSequence(seed).spawn(2)
    size_of = sizes or (systems, topics)
    of_systems, of_topics = [
        _drawn(there, size, draws, stream) if over in (which, ResampleUnit.BOTH) else np.ones((1, there))
        for which, there, size, stream in zip(
            (ResampleUnit.SYSTEMS, ResampleUnit.TOPICS), (systems, topics), size_of, streams, strict=True
        )
    ]
    return ResampleCounts(of_systems, of_topics)


def draw_annotators(annotators: int, draws: int, seed: int) -> Array:
    """Return the count of each annotator in each draw, shape (draws, annotators).

    They come from a third random stream of the same seed.
    """
    return _drawn(annotators, annotators, draws, np.random.SeedSequence(seed).spawn(3)[2])


def _drawn(there: int, size: int, draws: int, stream: np.random.SeedSequence) -> Array:
    """Return counts, shape (draws, there), each row of sum `size`."""
    picked = np.random.Generator(np.random.PCG64(stream)).integers(0, max(there, 1), (draws, size))
    flat = (picked + np.arange(draws)[:, None] * there).ravel()
    return np.bincount(flat, minlength=draws * there).reshape(draws, there).astype(np.float64)
