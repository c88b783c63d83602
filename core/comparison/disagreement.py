"""Where a measure and people rank a system's summaries apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.matrix import Array, ScoreMatrix, align_matrices
from core.stats.row_coefficients import average_ranks


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One topic: a system's rank by the measure and by people among the systems that have both numbers.

    Ranks count from 1, the best; ties share their mean rank. systems: how many were ranked. system: whose
    summary it is.
    """

    topic: str
    measure_rank: float
    human_rank: float
    systems: int
    system: str = ""

    @property
    def distance(self) -> float:
        return abs(self.measure_rank - self.human_rank)


def disagreements(
    scores: ScoreMatrix, judgement: ScoreMatrix, system: str, *, higher_is_better: bool = True
) -> list[Disagreement]:
    """A system's topics, those on top where measure and people disagree most; ties in the topics' order.

    higher_is_better: of the measure. Topics where the system lacks a number, or stands alone, are left out.
    """
    return [
        one
        for one in all_disagreements(scores, judgement, higher_is_better=higher_is_better)
        if one.system == system
    ]


def all_disagreements(
    scores: ScoreMatrix, judgement: ScoreMatrix, *, higher_is_better: bool = True, within_topics: bool = True
) -> list[Disagreement]:
    """Every summary, those on top where measure and people disagree most; ties by topic, then system.

    within_topics: ranks among the systems of a topic; else among all summaries. See `disagreements`.
    """
    scores, judgement = align_matrices(scores, judgement)
    both = np.isfinite(scores.values) & np.isfinite(judgement.values)
    x = scores.values if higher_is_better else -scores.values
    rank = _ranks if within_topics else _ranks_among_all
    by_measure, by_people = rank(x, both), rank(judgement.values, both)
    counts = both.sum(axis=0) if within_topics else np.full(both.shape[1], both.sum())
    found = [
        Disagreement(
            scores.topics[column],
            float(by_measure[row, column]),
            float(by_people[row, column]),
            int(counts[column]),
            scores.systems[row],
        )
        for column, row in np.argwhere(both.T).tolist()
        if counts[column] > 1
    ]
    return sorted(found, key=lambda one: -one.distance)


def _ranks_among_all(values: Array, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    """Ranks of all summaries in one list, the largest value first, shape (systems, topics)."""
    return _ranks(values.reshape(-1, 1), both.reshape(-1, 1)).reshape(values.shape)


def _ranks(values: Array, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    """Ranks of the systems within each topic, the largest value first, shape (systems, topics)."""
    ranks: Array = average_ranks(np.where(both, -values, np.nan).T).T
    return ranks
