"""Decisions by a threshold: balanced accuracy and area under the ROC curve, also of resampled topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.bool_]


def best_threshold(scores: Array, labels: Labels) -> float:
    """Return the threshold of the highest balanced accuracy; scores of at least the threshold are positive.

    Candidates are halfway between neighbouring scores; the lowest of equal ones counts. NaN unless both
    labels occur. scores: rounded (`round_values`), so that a number is between unequal ones. scores, labels:
    shape (texts,).
    """
    if not labels.any() or labels.all():
        return float("nan")
    values = np.unique(scores)
    candidates = np.concatenate([values[:1], values[:-1] / 2 + values[1:] / 2])
    positive, negative = np.sort(scores[labels]), np.sort(scores[~labels])
    sensitivity = 1 - np.searchsorted(positive, candidates) / positive.size
    specificity = np.searchsorted(negative, candidates) / negative.size
    return float(candidates[np.argmax(np.round((sensitivity + specificity) / 2, 12))])


@dataclass(frozen=True, slots=True, eq=False)
class TopicDecisions:
    """Decisions of a measure, counted by topic.

    hits, misses: positive texts at or above the threshold, and below, shape (topics,).
    rejections, alarms: negative texts below the threshold, and at or above, shape (topics,).
    wins: for each pair of topics, how many pairs of a positive text of the first and a negative one of the
    second have the higher score for the positive one, ties as one half; shape (topics, topics).
    """

    hits: Array
    misses: Array
    rejections: Array
    alarms: Array
    wins: Array

    def sensitivity(self, counts: Array) -> Array:
        """Return the share of positive texts at or above the threshold, NaN = none is positive.

        counts: how often each topic is drawn, shape (draws, topics). Returns shape (draws,).
        """
        return _share(counts @ self.hits, counts @ self.misses)

    def specificity(self, counts: Array) -> Array:
        """Return the share of negative texts below the threshold, as `sensitivity` does."""
        return _share(counts @ self.rejections, counts @ self.alarms)

    def balanced_accuracy(self, counts: Array) -> Array:
        """Return the mean of sensitivity and specificity, as `sensitivity` does."""
        mean: Array = (self.sensitivity(counts) + self.specificity(counts)) / 2
        return mean

    def area(self, counts: Array) -> Array:
        """Return the area under the ROC curve, which needs no threshold, as `sensitivity` does."""
        pairs = (counts @ (self.hits + self.misses)) * (counts @ (self.rejections + self.alarms))
        won = np.einsum("dt,tu,du->d", counts, self.wins, counts, optimize=True)
        area: Array = np.divide(won, pairs, out=np.full(len(counts), np.nan), where=pairs > 0)
        return area


def count_decisions(scores: Array, labels: Labels, threshold: float) -> TopicDecisions:
    """Count the decisions on texts by topic. scores, labels: shape (texts, topics), NaN scores = left out."""
    there = np.isfinite(scores)
    positive, negative = labels & there, ~labels & there
    above = scores >= threshold
    topics = scores.shape[1]
    wins = np.zeros((topics, topics))
    below = [np.sort(scores[negative[:, topic], topic]) for topic in range(topics)]
    for topic in range(topics):
        own = scores[positive[:, topic], topic]
        for other, values in enumerate(below):
            lower, upper = (np.searchsorted(values, own, side).sum() for side in ("left", "right"))
            wins[topic, other] = (lower + upper) / 2
    return TopicDecisions(
        hits=(positive & above).sum(axis=0).astype(np.float64),
        misses=(positive & ~above).sum(axis=0).astype(np.float64),
        rejections=(negative & ~above).sum(axis=0).astype(np.float64),
        alarms=(negative & above).sum(axis=0).astype(np.float64),
        wins=wins,
    )


def drawn_topics(topics: int, draws: int, seed: int) -> Array:
    """Draw topics with replacement; how often each is drawn, shape (draws, topics)."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    return random.multinomial(topics, np.full(topics, 1 / topics), size=draws).astype(np.float64)


def _share(part: Array, rest: Array) -> Array:
    total = part + rest
    share: Array = np.divide(part, total, out=np.full(total.shape, np.nan), where=total > 0)
    return share
