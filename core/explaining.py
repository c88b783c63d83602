"""Why a summary got its score: the metric's own account of it."""

from __future__ import annotations

from core.errors import InputError
from core.measures import MeasureRef
from core.metrics import registry
from core.metrics.base import Explanation, Tools
from core.planning import Config, lacking
from core.ports import Study


def explain(study: Study, ref: MeasureRef, topic_id: str, system: str, tools: Tools) -> Explanation:
    """The expression tree that evaluates to what a measure gives one summary, from the texts as they are now.

    It may take as long as scoring the topic. Raises InputError where the scores were computed elsewhere, the
    system has no summary there, or the topic lacks what the metric needs; MissingResource without its model.
    """
    config = Config(registry.parse(ref.config.spec), ref.config.references)
    topic = config.restrict(study.topic(topic_id))
    places = {text.name: place for place, text in enumerate(topic.summaries)}
    if system not in places:
        raise InputError(f"{system} has no summary of {topic.name}, so there is nothing to explain.")
    if reason := lacking(config.metric, topic):
        raise InputError(f"{topic.name} has {reason}, so {ref.label} cannot be explained there.")
    prepared = config.metric.prepare(topic, tools)
    return config.metric.explain(prepared, places[system])[ref.measure]
