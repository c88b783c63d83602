"""Pyramid scores as a metric, computed from annotations for any subset of references."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.annotator_filter import resolve_annotators
from core.domain.pyramid import TopicAnnotation, completed_summaries
from core.domain.pyramid.subset_scores import KINDS, ScuCounts, count_scus, score_subsets
from core.domain.study import TopicTexts
from core.matrix import nanmean_first_axis
from core.metrics.base import (
    Array,
    Explanation,
    Mask,
    Metric,
    Need,
    Prepared,
    Resources,
    TopicScores,
    setting,
)
from core.metrics.pyramid.pyramid_explanation import break_down_score, explain_kinds
from core.metrics.registry import register

EVERYBODY = "all"


@dataclass(frozen=True, slots=True)
class AnnotatedPyramid:
    """A pyramid with the matches of one annotator.

    by: the annotator's name. done: ids of the summaries marked done.
    """

    annotation: TopicAnnotation
    annotator_id: str
    by: str
    done: frozenset[str]


@dataclass(frozen=True, slots=True)
class PreparedPyramids(Prepared):
    """A topic with all annotated pyramids that are included."""

    pyramids: tuple[AnnotatedPyramid, ...]


class PyramidScores(Metric[PreparedPyramids]):
    """The four pyramid scores of whatever pyramids a subclass prepares."""

    family: ClassVar[str] = "Pyramid"
    parts: ClassVar[tuple[str, ...]] = KINDS

    def score(self, prepared: PreparedPyramids) -> TopicScores:
        topic = prepared.topic
        empty = np.zeros((len(topic.summaries), len(topic.references), 0))  # if no matching is done any more
        sections = [_section(topic, annotated) for annotated in prepared.pyramids]
        stats = np.concatenate([empty, *sections], axis=2)
        return self.combine_all(stats, {})

    def combine(self, stats: Array, references: Mask) -> Array:
        scores = []
        for counts, is_done in _read_sections(stats):
            values = score_subsets(counts, references[None])[0]
            scores.append(np.where(is_done[:, None], values, np.nan))
        return nanmean_first_axis(np.array(scores).reshape(-1, len(stats), len(KINDS)))

    def explain(self, prepared: PreparedPyramids, system: int) -> dict[str, Explanation]:
        text, topic = prepared.topic.summaries[system], prepared.topic
        breakdowns = [
            break_down_score(annotated.annotation, annotated.annotator_id, annotated.by, topic, text)
            for annotated in prepared.pyramids
            if text.id in topic.humans or text.id in annotated.done
        ]
        return dict(zip(self.measures(), explain_kinds(breakdowns), strict=True))


@register
@dataclass(frozen=True)
class PyramidMetric(PyramidScores):
    """Four pyramid scores of every summary whose matching is marked done, averaged over annotated pyramids.

    Statistics per reference, one annotated pyramid after another: for each SCU that an included reference
    expresses, 1 + the number of matches in the summary (0 if this reference does not express it); then -1
    minus the number of units outside the pyramid (minus infinity if the matching is not done), which ends the
    SCUs; then whether the text is a reference scored as a system.

    Formula:
        D             = Σ weights of the SCUs matched in the summary, each once
        best(X)       = largest Σ of weights of X SCUs
        original      = D / best(units of the summary)
        modified      = D / best(mean number of units of the references)
        comprehensive = 2 · original · m / (original + m), m = min(modified, 1)
        presence      = matched SCUs / all SCUs

    Limits:
        A human judgement, not an automatic metric: never ranked against pyramid judgements. Needs matches
        that are marked done.
    """

    name: ClassVar[str] = "pyramid"
    about: ClassVar[str] = (
        "Pyramid scores from the study's annotations: human judgements listed with the metrics."
    )
    paper: ClassVar[str] = "Nenkova & Passonneau 2004; Nenkova et al. 2007; Shapira et al. 2019"
    bibliography: ClassVar[tuple[str, ...]] = (
        "nenkova-passonneau-2004-pyramid",
        "nenkova-2007-pyramid",
        "shapira-2019-crowdsourcing",
    )
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.PYRAMIDS})
    topic_input: ClassVar[str] = "pyramids and matches"
    default_seconds: ClassVar[float] = 1e-5

    annotator: str = setting(
        EVERYBODY,
        "Annotator whose matches are used, by name or group; all = average of all annotators.",
        title="Annotator",
    )

    def check(self, resources: Resources) -> None:
        self._chosen_annotators(resources)

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        return (
            "" if self._annotated_pyramids(topic, resources) else "no summary whose matching is marked done"
        )

    def topic_hash(self, topic: TopicTexts, resources: Resources) -> str:
        pyramids = () if self.unavailable(resources) else self._annotated_pyramids(topic, resources)
        content = [_digest_content(annotated) for annotated in pyramids]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedPyramids:
        return PreparedPyramids(topic, self._annotated_pyramids(topic, resources))

    def _annotated_pyramids(self, topic: TopicTexts, resources: Resources) -> tuple[AnnotatedPyramid, ...]:
        chosen = self._chosen_annotators(resources)
        people = {person.id: person.name for person in resources.annotators()}
        return tuple(
            AnnotatedPyramid(annotation, annotator_id, people[annotator_id], done)
            for annotation in resources.annotations(topic.id)
            for annotator_id in dict.fromkeys(state.annotator_id for state in annotation.states)
            if chosen is None or people[annotator_id] in chosen
            if (done := frozenset(s.id for s in completed_summaries(annotation, topic, annotator_id)))
        )

    def _chosen_annotators(self, resources: Resources) -> set[str] | None:
        return resolve_annotators(
            [] if self.annotator == EVERYBODY else [self.annotator], resources.annotators(), is_stored=True
        )


def _digest_content(annotated: AnnotatedPyramid) -> list[Any]:
    """Return everything that determines the scores of an annotated pyramid."""
    annotation = annotated.annotation
    scus = [[scu.id, [c.reference_id for c in scu.contributors]] for scu in annotation.pyramid.scus]
    matches = [
        [summary, [match.scu_id for match in annotation.matches_of(summary, annotated.annotator_id)]]
        for summary in sorted(annotated.done)
    ]
    return [annotation.pyramid.id, annotated.annotator_id, scus, matches]


def _section(topic: TopicTexts, annotated: AnnotatedPyramid) -> Array:
    """Return the statistics of one annotated pyramid, shape (texts, references, SCUs + 2)."""
    annotation = annotated.annotation
    texts = [text for text in topic.summaries if text.id not in topic.humans]
    counts = count_scus(
        annotation.pyramid,
        [reference.id for reference in topic.references],
        [annotation.matches_of(text.id, annotated.annotator_id) for text in texts],
        humans=[text.id for text in topic.summaries[len(texts) :]],
    )
    is_done = counts.is_human | [text.id in annotated.done for text in topic.summaries]
    shape = len(topic.summaries), len(topic.references), 1
    shared = counts.expressed[None] * (1.0 + counts.hits[:, None])
    outside = np.where(is_done, -1.0 - counts.outside, -np.inf)[:, None, None]
    is_human = counts.is_human.astype(np.float64)[:, None, None]
    return np.concatenate([shared, np.broadcast_to(outside, shape), np.broadcast_to(is_human, shape)], axis=2)


def _read_sections(stats: Array) -> Iterator[tuple[ScuCounts, Mask]]:
    """Yield the counts of each annotated pyramid, and which texts are done."""
    start = 0
    for end in _ends(stats):
        shared, outside = stats[:, :, start:end], stats[:, 0, end]
        expressed: NDArray[np.bool_] = np.any(shared > 0, axis=0)
        is_done = np.isfinite(outside)
        counts = ScuCounts(
            expressed=expressed,
            hits=np.maximum(shared.max(axis=1) - 1, 0).astype(np.int64),
            outside=np.where(is_done, -1 - outside, 0).astype(np.int64),
            is_human=stats[:, 0, end + 1] > 0,
        )
        yield counts, is_done
        start = end + 2


def _ends(stats: Array) -> Sequence[int]:
    """Return where the SCUs of each annotated pyramid end."""
    ends: Sequence[int] = np.flatnonzero((stats < 0).any(axis=(0, 1))).tolist()
    return ends
