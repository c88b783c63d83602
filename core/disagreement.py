"""Where a measure and people rank a system's summaries apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.matrix import Array, Matrix, align
from core.stats.rows import average_ranks


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One topic: a system's rank by the measure and by people among the systems that have both numbers.

    Ranks count from 1, the best; ties share their mean rank. systems: how many were ranked.
    """

    topic: str
    measure_rank: float
    human_rank: float
    systems: int

    @property
    def distance(self) -> float:
        return abs(self.measure_rank - self.human_rank)


def disagreements(
    scores: Matrix, judgement: Matrix, system: str, *, higher_is_better: bool = True
) -> list[Disagreement]:
    """A system's topics, those on top where measure and people disagree most; ties in the topics' order.

    higher_is_better: of the measure. Topics where the system lacks a number, or stands alone, are left out.
    """
    scores, judgement = align(scores, judgement)
    if system not in scores.systems:
        return []
    row = scores.systems.index(system)
    both = np.isfinite(scores.values) & np.isfinite(judgement.values)
    by_measure = _ranks(scores.values if higher_is_better else -scores.values, both)[row]
    by_people = _ranks(judgement.values, both)[row]
    counts = both.sum(axis=0)
    found = [
        Disagreement(topic, float(by_measure[i]), float(by_people[i]), int(counts[i]))
        for i, topic in enumerate(scores.topics)
        if both[row, i] and counts[i] > 1
    ]
    return sorted(found, key=lambda one: -one.distance)


def _ranks(values: Array, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    """Ranks of the systems within each topic, the largest value first, shape (systems, topics)."""
    ranks: Array = average_ranks(np.where(both, -values, np.nan).T).T
    return ranks
