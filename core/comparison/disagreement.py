"""Summaries for which a measure and the human judgement disagree most on the rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.matrix import Array, ScoreMatrix, align_matrices
from core.stats.precision import round_values
from core.stats.row_coefficients import average_ranks


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Ranks of a system's summary in a topic, by measure and by judgement, among systems with both values.

    Ranks start at 1 = best; ties share their mean rank.
    systems: number of ranked systems.
    system: author of the summary.
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
    """Return a system's topics, largest disagreement first; ties in the order of topics.

    higher_is_better: of the measure. Topics in which the system lacks a value or is the only one are left
    out.
    """
    return [
        one
        for one in all_disagreements(scores, judgement, higher_is_better=higher_is_better)
        if one.system == system
    ]


def all_disagreements(
    scores: ScoreMatrix, judgement: ScoreMatrix, *, higher_is_better: bool = True, within_topics: bool = True
) -> list[Disagreement]:
    """Return every summary, largest disagreement first; ties by topic, then system.

    within_topics: rank within topics, else among all summaries. See `disagreements`.
    """
    scores, judgement = align_matrices(scores, judgement)
    both = np.isfinite(scores.values) & np.isfinite(judgement.values)
    x = scores.values if higher_is_better else -scores.values
    rank = _ranks if within_topics else _ranks_among_all
    by_measure, by_people = rank(x, both), rank(judgement.values, both)
    counts = both.sum(axis=0) if within_topics else np.full(both.shape[1], both.sum())
    disagreements = [
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
    return sorted(disagreements, key=lambda one: -one.distance)


def _ranks_among_all(values: Array, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    """Return ranks among all summaries, largest value first, shape (systems, topics)."""
    return _ranks(values.reshape(-1, 1), both.reshape(-1, 1)).reshape(values.shape)


def _ranks(values: Array, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Array:
    """Return ranks of the systems within each topic, largest value first, shape (systems, topics)."""
    ranks: Array = average_ranks(round_values(np.where(both, -values, np.nan)).T).T
    return ranks
