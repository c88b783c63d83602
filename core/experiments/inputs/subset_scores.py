"""Scores under any subset of a topic's references, computed without reading texts again.

Metrics with per-reference statistics combine what was stored at scoring; pyramids recompute SCU weights.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.comparison.measures import MeasureRef
from core.comparison.pyramid_judgements import (
    PyramidJudgement,
    PyramidScoreScope,
    annotated_topics,
    count_units,
)
from core.domain.annotator_filter import resolve_annotators
from core.domain.pyramid import completed_summaries
from core.domain.pyramid.subset_scores import ScuCounts
from core.errors import InputError
from core.matrix import Array, nanmean_first_axis
from core.metrics import registry
from core.metrics.base import Metric, Need, Pool
from core.ports import ScoreBlock, Study

Flags = NDArray[np.bool_]


class SubsetScorer(Protocol):
    """Measure or pyramid score whose references can be restricted to a subset."""

    @property
    def label(self) -> str: ...

    def authors(self, topic: str) -> tuple[str, ...]:
        """Return the authors of a topic's references in natural order; empty = no scores. topic: its name."""
        ...

    def values(self, topic: str, subsets: Flags, systems: Sequence[str]) -> Array:
        """Return a topic's scores under each subset of its authors, shape (subsets, systems), NaN = none.

        subsets: shape (n, authors).
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PooledBlocks:
    """Stored statistics of a configuration, combined for subsets. blocks: by topic name."""

    metric: Metric
    blocks: Mapping[str, ScoreBlock]
    _last: dict[str, tuple[bytes, Array]] = field(default_factory=dict)

    def combine(self, topic: str, subsets: Flags) -> Array:
        """Return values under each subset, shape (subsets, systems of the block, measures).

        The last result per topic is cached, since the measures of a configuration ask for the same one in
        turn.
        """
        key, cached = subsets.tobytes(), self._last.get(topic)
        if cached is not None and cached[0] == key:
            return cached[1]
        stats = self.blocks[topic].stats
        if stats is None:
            raise ValueError(f"{topic} has no statistics")
        values = np.array([self.metric.combine(stats, mask) for mask in subsets])
        self._last[topic] = key, values
        return values


@dataclass(frozen=True, slots=True, eq=False)
class StoredScores:
    """Measure of a metric that pools references. sign: -1 if lower is better."""

    label: str
    pooled: PooledBlocks
    column: int
    sign: float = 1.0

    def authors(self, topic: str) -> tuple[str, ...]:
        block = self.pooled.blocks.get(topic)
        return tuple(sorted(block.references)) if block else ()

    def values(self, topic: str, subsets: Flags, systems: Sequence[str]) -> Array:
        block = self.pooled.blocks[topic]
        place = {author: i for i, author in enumerate(self.authors(topic))}
        subsets = subsets[:, [place[author] for author in block.references]]
        combined = self.pooled.combine(topic, subsets)[:, :, self.column]
        return _on(systems, block.systems, self.sign * combined)


@dataclass(frozen=True, slots=True, eq=False)
class SubsetScores:
    """One annotator's matches in a topic as counts. rows: systems whose matching is marked done."""

    counts: ScuCounts
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PyramidScores:
    """Pyramid or nugget score of one kind.

    index: of the kind among the scores of an annotation.
    readings: by topic name, averaged over annotators.
    """

    label: str
    index: int
    readings: Mapping[str, Sequence[SubsetScores]]
    by_topic: Mapping[str, tuple[str, ...]]

    def authors(self, topic: str) -> tuple[str, ...]:
        return self.by_topic.get(topic, ())

    def values(self, topic: str, subsets: Flags, systems: Sequence[str]) -> Array:
        per_draw = [
            _on(systems, reading.rows, reading.counts.scores(subsets)[:, :, self.index])
            for reading in self.readings[topic]
        ]
        return nanmean_first_axis(np.array(per_draw))


def stored_scorers(
    study: Study, refs: Sequence[MeasureRef], *, with_people: bool = False
) -> list[StoredScores]:
    """Return scorers for measures. Raises InputError with the reason if one does not support subsets.

    with_people: also score references as systems, each against the selected references including itself.
    """
    names = {head.id: head.name for head in study.texts.topics()}
    pooled: dict[str, PooledBlocks] = {}
    sources = []
    for ref in refs:
        if reason := not_poolable_reason(ref, with_people=with_people):
            raise InputError(f"{ref.label}: {reason}")
        if ref.signature not in pooled:
            blocks = (b for b in study.scores.blocks(ref.signature) if b.stats is not None)
            by_name = {names[b.topic_id]: b for b in blocks if b.topic_id in names}
            pooled[ref.signature] = PooledBlocks(registry.parse(ref.config.spec), by_name)
        column = ref.config.measures.index(ref.measure)
        sources.append(StoredScores(ref.label, pooled[ref.signature], column, ref.sign))
    return sources


def not_poolable_reason(ref: MeasureRef, *, with_people: bool = False) -> str:
    """Return why a measure does not support subsets of references, a sentence; empty if it does.

    with_people: whether references as systems may be scored against themselves.
    """
    if ref.config.is_imported:
        return "imported, so values per reference are unknown."
    if (ref.config.scores_humans and not with_people) or ref.config.references:
        return "scored with selected references or with references as systems. Score with all references."
    try:
        metric = registry.parse(ref.config.spec)
    except InputError:
        return "the metric is unknown to this version."
    if Need.REFERENCES not in metric.needs:
        return "it uses no references."
    if metric.pool is Pool.JOINT:
        return "needs the texts again for other references."
    return ""


def pyramid_scores(study: Study, name: str) -> PyramidScores:
    """Return the scorer of a pyramid score.

    name: such as ``pyramid.modified``.
    Raises InputError for anything but a pyramid score by all references.
    """
    judgement = PyramidJudgement.read(name)
    if judgement is None or judgement.scope.humans or judgement.scope.references:
        raise InputError(f"{name!r} is not a pyramid score by all references, such as pyramid.modified.")
    readings: dict[str, list[SubsetScores]] = defaultdict(list)
    authors: dict[str, tuple[str, ...]] = {}
    counting = resolve_annotators((), study.annotators.all())
    for topic, by, reading in _readings(study, judgement.scope, counting):
        readings[topic].append(reading)
        authors[topic] = by
    return PyramidScores(name, judgement.index, readings, authors)


def _readings(
    study: Study, scope: PyramidScoreScope, counting: Collection[str] | None
) -> Iterator[tuple[str, tuple[str, ...], SubsetScores]]:
    """Return topic name, authors, and one annotator's counts."""
    people = {person.id: person.name for person in study.annotators.all()}
    for topic, annotation in annotated_topics(study, scope.unit):
        references = sorted(topic.references, key=lambda text: text.name)
        by = tuple(text.name for text in references)
        for annotator_id in dict.fromkeys(s.annotator_id for s in annotation.states if s.is_done):
            if counting is not None and people[annotator_id] not in counting:
                continue
            done = completed_summaries(annotation, topic, annotator_id)
            ids = [text.id for text in references], [summary.id for summary in done]
            counts = count_units(annotation, annotator_id, scope, *ids)
            if by and done:
                yield topic.name, by, SubsetScores(counts, tuple(summary.name for summary in done))


def _on(systems: Sequence[str], rows: Sequence[str], scores: Array) -> Array:
    """Return scores of rows on these systems. scores: shape (n, rows); returns (n, systems), NaN = no row."""
    place = {name: i for i, name in enumerate(rows)}
    padded = np.pad(scores, ((0, 0), (0, 1)), constant_values=np.nan)
    order = np.array([place.get(name, -1) for name in systems], dtype=np.intp)
    return padded[:, order]
