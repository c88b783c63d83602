"""Jackknife scoring: references are scored by the others, and systems with one reference left out.

Both then have equally many references, so that scores of human and automatic summaries are comparable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.domain.reference_authors import reference_system_name
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.matrix import combine_folds
from core.metrics.base import Explanation, Metric, Need, Pool, Resources, TopicScores
from core.metrics.base.unknown_tokens import score_readable


def as_system(reference: Text) -> Text:
    """Return a reference under its name as a system."""
    return replace(reference, name=reference_system_name(reference.name))


def with_references_as_systems(topic: TopicTexts) -> TopicTexts:
    """Return the topic with its references appended to the summaries.

    Raises InputError if a system already has the name of a reference as a system.
    """
    humans = tuple(as_system(reference) for reference in topic.references)
    taken = {summary.name for summary in topic.summaries}
    for human in humans:
        if human.name in taken:
            raise InputError(
                f"A system of {topic.name} is called {human.name!r}, which names a reference that is scored "
                "as a system. Import it under another name."
            )
    return _with_summaries(topic, humans)


def score_jackknife(metric: Metric, topic: TopicTexts, resources: Resources) -> TopicScores:
    """Score a topic with its references as the last systems.

    If references can be told apart, each text is scored once: `stats` cover all references, `values`
    leave one out. Metrics that read no references score all texts as they are.
    """
    reads_references = Need.REFERENCES in metric.needs
    if reads_references and metric.pool is Pool.JOINT:
        return _score_folds(metric, topic, resources)
    scores = score_readable(metric, with_references_as_systems(topic), resources)
    if not reads_references:
        return scores
    if scores.stats is None:
        return _score_folds(metric, topic, resources)
    stats, count = scores.stats, len(topic.references)
    folds = np.array([metric.combine(stats, np.arange(count) != left_out) for left_out in range(count)])
    return replace(scores, values=combine_folds(folds, len(topic.summaries)))


def explain_jackknife(
    metric: Metric, topic: TopicTexts, place: int, measure: str, resources: Resources
) -> Explanation:
    """Return the tree that evaluates to the `score_jackknife` value of one summary or reference (by row)."""
    if Need.REFERENCES not in metric.needs:
        return metric.explain(metric.prepare(with_references_as_systems(topic), resources), place)[measure]
    summaries, own = len(topic.summaries), place - len(topic.summaries)
    left_out = [own] if own >= 0 else range(len(topic.references))
    trees = {
        topic.references[i].name: metric.explain(
            metric.prepare(_fold(topic, i), resources), min(place, summaries)
        )[measure]
        for i in left_out
    }
    return next(iter(trees.values())) if own >= 0 else _mean_of_folds(trees)


def _with_summaries(topic: TopicTexts, humans: tuple[Text, ...]) -> TopicTexts:
    ids = frozenset(human.id for human in humans)
    return replace(topic, summaries=(*topic.summaries, *humans), humans=ids)


def _fold(topic: TopicTexts, left_out: int) -> TopicTexts:
    """Return the topic without one reference, which becomes its last summary."""
    references = topic.references
    others = (*references[:left_out], *references[left_out + 1 :])
    return replace(_with_summaries(topic, (as_system(references[left_out]),)), references=others)


def _score_folds(metric: Metric, topic: TopicTexts, resources: Resources) -> TopicScores:
    """Score with each reference left out, for metrics without statistics per reference."""
    summaries, count = len(topic.summaries), len(topic.references)
    folds = np.full((count, summaries + count, len(metric.measures())), np.nan)
    notes: dict[str, int] = {}
    for left_out in range(count):
        scores = score_readable(metric, _fold(topic, left_out), resources)
        folds[left_out, :summaries] = scores.values[:summaries]
        folds[left_out, summaries + left_out] = scores.values[summaries]
        notes = {key: max(notes.get(key, 0), scores.notes.get(key, 0)) for key in {**notes, **scores.notes}}
    return TopicScores(combine_folds(folds, summaries), None, notes)


def _mean_of_folds(trees: Mapping[str, Explanation]) -> Explanation:
    """Return the mean of the defined trees by the reference left out; NaN if there is none."""
    folds = tuple(
        Explanation(f"without reference {name}: {tree.label}", "sum", children=(tree,))
        for name, tree in trees.items()
        if np.isfinite(tree.evaluate())
    )
    return Explanation("mean over leaving one reference out", "mean", children=folds)
