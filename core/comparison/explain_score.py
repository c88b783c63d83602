"""Explanation of a summary's score by its metric."""

from __future__ import annotations

from dataclasses import replace

from core.comparison.measures import MeasureRef
from core.errors import InputError
from core.metrics.base import Explanation, Metric, Resources
from core.metrics.base.unknown_tokens import refusal_reason
from core.ports import Study
from core.scoring.jackknife import explain_jackknife, with_references_as_systems
from core.scoring.plan import config_from_stored


def explain(study: Study, ref: MeasureRef, topic_id: str, system: str, tools: Resources) -> Explanation:
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
    if reason := config.missing_requirements(topic, tools):
        raise InputError(f"{topic.name} has {reason}, so {ref.label} cannot be explained there.")
    resources, metric = tools.with_references_by(config.references), config.metric
    if type(metric).explain is Metric.explain:
        of = f" of the package {metric.package}" if metric.package else ""
        raise InputError(
            f"The metric {metric.name}{of} does not explain its scores, so {ref.label} has no parts."
        )
    if reason := refusal_reason(metric, scored, places[system], resources):
        raise InputError(f"{ref.label} of {system} in {topic.name}: {reason}")
    if config.humans:
        return explain_jackknife(metric, topic, places[system], ref.measure, resources)
    alone = replace(topic, summaries=(topic.summaries[places[system]],))
    return metric.explain(metric.prepare(alone, resources), 0)[ref.measure]
