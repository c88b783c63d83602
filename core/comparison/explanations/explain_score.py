"""Explanation of a summary's score by its metric."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.comparison.measures import MeasureRef
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.matrix import Array
from core.metrics.base import Explanation, Metric, Need, Pool, Resources
from core.metrics.base.explanation import naming
from core.metrics.base.unknown_tokens import refusal_reason
from core.ports import Study
from core.scoring.config import config_from_stored
from core.scoring.jackknife import explain_jackknife, with_references_as_systems

ENCODED = 1e-6
"""Difference allowed between a tree and the stored score of an encoder, which adds in another order in other
batches."""


def explain(study: Study, ref: MeasureRef, topic_id: str, system: str, resources: Resources) -> Explanation:
    """Return the expression tree that evaluates to a measure's score of one summary, from the current texts.

    Can take as long as scoring the summary. Raises InputError if the scores were imported, the metric
    explains none, the system has no summary in the topic, or the topic lacks required data; MissingResource
    without the model.
    """
    if ref.config.is_imported:
        raise InputError(
            f"{ref.label} was imported, so there is no explanation of it. Score the study with a metric to "
            "see the parts of a score."
        )
    config = config_from_stored(ref.config)
    topic = config.restrict(study.texts.topic(topic_id))
    scored = with_references_as_systems(topic) if config.humans else topic
    places = {text.name: place for place, text in enumerate(scored.summaries)}
    if system not in places:
        raise InputError(f"{system} has no summary of {topic.name}, so there is nothing to explain.")
    if reason := config.missing_requirements(topic, resources):
        raise InputError(f"{topic.name} has {reason}, so {ref.label} cannot be explained there.")
    its_resources, metric = resources.with_references_by(config.references), config.metric
    if type(metric).explain is Metric.explain:
        of = f" of the package {metric.package}" if metric.package else ""
        raise InputError(
            f"The metric {metric.name}{of} does not explain its scores, so {ref.label} has no parts."
        )
    if reason := refusal_reason(metric, scored, places[system], its_resources):
        raise InputError(f"{ref.label} of {system} in {topic.name}: {reason}")
    blank = _blank_texts(metric, scored, scored.summaries[places[system]])
    if config.humans:
        tree = explain_jackknife(metric, topic, places[system], ref.measure, its_resources)
    else:
        alone = replace(topic, summaries=(topic.summaries[places[system]],))
        tree = metric.explain(metric.prepare(alone, its_resources), 0)[ref.measure]
    return tree if not blank else naming(tree, blank)


def explain_best_reference(
    study: Study, ref: MeasureRef, topic_id: str, system: str, resources: Resources
) -> Explanation | None:
    """Return the tree of a score in which only the reference that matched best is taken apart.

    The other references have their stored values, so their texts are not encoded. None where the metric does
    not pool values of references, or they are not stored for the current texts.
    """
    config = config_from_stored(ref.config)
    topic = config.restrict(study.texts.topic(topic_id))
    its_resources = resources.with_references_by(config.references)
    values = _values_by_reference(study, ref, topic, system) if not config.humans else None
    if values is None or config.missing_requirements(topic, resources):
        return None
    best = int(np.argmax(ref.sign * values))
    summary = next(text for text in topic.summaries if text.name == system)
    alone = replace(topic, references=(topic.references[best],), summaries=(summary,))
    if refusal_reason(config.metric, alone, 0, its_resources) or _blank_texts(config.metric, topic, summary):
        return None
    tree = config.metric.explain(config.metric.prepare(alone, its_resources), 0)[ref.measure]
    if tree.operator not in ("max", "mean") or len(tree.children) != 1:
        return None
    own = tree.children[0]
    if not math.isclose(own.evaluate(), values[best], rel_tol=ENCODED, abs_tol=ENCODED):
        return None  # texts have changed since
    children = tuple(
        own if place == best else Explanation(f"against {reference.name}", value=float(values[place]))
        for place, reference in enumerate(topic.references)
    )
    return replace(tree, children=children)


def _blank_texts(metric: Metric, topic: TopicTexts, summary: Text) -> str:
    """Return which of the texts that a metric reads for a summary are blank, in words; empty = none."""
    found = [] if summary.content.strip() else ["the summary is blank"]
    if Need.DOCUMENTS in metric.needs and not any(text.content.strip() for text in topic.documents):
        found.append("the documents are blank" if len(topic.documents) > 1 else "the document is blank")
    if Need.REFERENCES in metric.needs:
        found += [f"reference {text.name} is blank" for text in topic.references if not text.content.strip()]
    return ", ".join(found)


def _values_by_reference(study: Study, ref: MeasureRef, topic: TopicTexts, system: str) -> Array | None:
    """Return the stored value of a measure against each reference; None = they are not stored."""
    block = next(iter(study.scores.blocks(ref.signature, topic.id)), None)
    if block is None or block.stats is None or block.stats.shape[2] != len(ref.config.measures):
        return None
    if config_from_stored(ref.config).metric.pool not in (Pool.MAX, Pool.MEAN):
        return None
    names = tuple(text.name for text in topic.references)
    if system not in block.systems or tuple(block.references) != names or len(names) < 2:
        return None
    if all(text.name != system for text in topic.summaries):
        return None
    values: Array = block.stats[block.systems.index(system), :, ref.config.measures.index(ref.measure)]
    return values if np.isfinite(values).all() else None
