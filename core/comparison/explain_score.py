"""Why a summary got its score: the metric's own account of it."""

from __future__ import annotations

from core.comparison.measures import MeasureRef
from core.errors import InputError
from core.metrics.base import Explanation, Resources
from core.metrics.base.unknown_tokens import refusal
from core.ports import Study
from core.scoring.jackknife import explain_jackknife, with_references_as_systems
from core.scoring.plan import config_from_stored


def explain(study: Study, ref: MeasureRef, topic_id: str, system: str, tools: Resources) -> Explanation:
    """The expression tree that evaluates to what a measure gives one summary, from the texts as they are now.

    It may take as long as scoring the topic. Raises InputError where the scores were computed elsewhere, the
    system has no summary there, or the topic lacks what the metric needs; MissingResource without its model.
    """
    config = config_from_stored(ref.config)
    topic = config.restrict(study.topic(topic_id))
    scored = with_references_as_systems(topic) if config.humans else topic
    places = {text.name: place for place, text in enumerate(scored.summaries)}
    if system not in places:
        raise InputError(f"{system} has no summary of {topic.name}, so there is nothing to explain.")
    if reason := config.lacking(topic, tools):
        raise InputError(f"{topic.name} has {reason}, so {ref.label} cannot be explained there.")
    lent, metric = tools.with_references_by(config.references), config.metric
    if reason := refusal(metric, scored, places[system], lent):
        raise InputError(f"{ref.label} of {system} in {topic.name}: {reason}")
    if config.humans:
        return explain_jackknife(metric, topic, places[system], ref.measure, lent)
    return metric.explain(metric.prepare(topic, lent), places[system])[ref.measure]
