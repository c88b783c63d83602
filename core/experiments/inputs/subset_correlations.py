"""Correlations of measures under subsets of each topic's references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.experiments.inputs.draws import Numbers, correlations_of_draws, subsets
from core.experiments.inputs.subset_scores import SubsetScorer
from core.matrix import Array, ScoreMatrix
from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level


@dataclass(frozen=True, slots=True, eq=False)
class SubsetExperiment:
    """Judgement and measures to be varied on its systems and topics.

    references: number of references of each topic, shape (topics,).
    left_out: exclusions, a sentence each.
    """

    judgement: ScoreMatrix
    sources: tuple[SubsetScorer, ...]
    references: Numbers
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgement: ScoreMatrix, sources: Sequence[SubsetScorer], most: int = 0) -> SubsetExperiment:
        """Keep sources with the same references, and topics for which all have values.

        most: exclude topics with fewer references, 0 = any number.
        Raises InputError if nothing is left.
        """
        if not sources:
            raise InputError(f"No measures left to compare with {judgement.label}.")
        included, left_out = _with_same_references(judgement.topics, sources)
        counts = {topic: len(included[0].authors(topic)) for topic in judgement.topics}
        topics = [
            t for t in judgement.topics if counts[t] >= max(1, most) and all(s.authors(t) for s in included)
        ]
        if not topics:
            raise InputError(
                f"No topic judged by {judgement.label} has values for every measure and "
                f"{max(1, most)} references. Choose fewer measures or references, or score first."
            )
        if gone := len(judgement.topics) - len(topics):
            left_out.append(f"{gone} of {len(judgement.topics)} judged topics lack scores or references.")
        chosen = judgement.select(judgement.systems, topics)
        return cls(chosen, tuple(included), np.array([counts[t] for t in topics]), tuple(left_out))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(source.label for source in self.sources)

    @property
    def fewest(self) -> int:
        """Return the number of references that every topic has."""
        return int(self.references.min())

    @property
    def is_even(self) -> bool:
        """Return whether all topics have the same number of references."""
        return int(self.references.max()) == self.fewest

    def correlations(
        self, size: int, draws: Numbers, level: Level, coefficient: Coefficient
    ) -> JobSteps[Array]:
        """Return the correlation of every measure in every draw, shape (measures, draws), NaN = undefined.

        draws: index of the subset of the given size that each draw takes, shape (draws, topics).
        """
        people = [column[None] for column in self.judgement.values.T]
        own = np.zeros(draws.shape, dtype=np.int64)
        rows = []
        for source in self.sources:
            values = yield from self.alternatives(source, size)
            rows.append(correlations_of_draws(values, people, draws, own, level, coefficient))
        return np.array(rows)

    def alternatives(self, source: SubsetScorer, size: int) -> JobSteps[list[Array]]:
        """Compute each topic's scores under every subset of a given size, shape (subsets, systems) each."""
        values, topics = [], self.judgement.topics
        for at, (topic, count) in enumerate(zip(topics, self.references, strict=True)):
            yield Progress(at, len(topics), f"{source.label} · {size} of {count} references")
            values.append(source.values(topic, subsets(int(count), size), self.judgement.systems))
        return values

    def matrices(self) -> tuple[ScoreMatrix, ...]:
        """Return every measure by all references, with its label."""
        systems, topics = self.judgement.systems, self.judgement.topics
        named = zip(self.labels, self.full(), strict=True)
        return tuple(ScoreMatrix(label, systems, topics, values) for label, values in named)

    def full(self) -> Array:
        """Return every measure by all references, shape (measures, systems, topics)."""
        columns = [
            [
                source.values(topic, np.ones((1, int(count)), dtype=np.bool_), self.judgement.systems)[0]
                for topic, count in zip(self.judgement.topics, self.references, strict=True)
            ]
            for source in self.sources
        ]
        return np.array(columns).transpose(0, 2, 1)


def _with_same_references(
    topics: Sequence[str], sources: Sequence[SubsetScorer]
) -> tuple[list[SubsetScorer], list[str]]:
    """Return the sources with the same references as the first, and notes on the others."""
    first, included, left_out = sources[0], [], []
    for source in sources:
        pairs = ((source.authors(topic), first.authors(topic)) for topic in topics)
        if all(mine == theirs for mine, theirs in pairs if mine and theirs):
            included.append(source)
        else:
            left_out.append(
                f"{source.label} is left out: it has other references than {first.label}. Score it again."
            )
    return included, left_out
