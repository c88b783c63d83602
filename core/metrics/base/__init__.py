"""The metric interface: immutable values whose fields are settings, with functions from texts to scores.

A metric keeps no state while it scores. `prepare` does the work that all systems of a topic share, once
per topic. `score` returns values and, if references are scored separately, statistics per reference, from
which `combine` computes the values for any subset of references without reading the texts again.
"""

from core.metrics.base.explanation import Evidence, Explanation, undefined
from core.metrics.base.metric import Metric, missing_inputs
from core.metrics.base.needs import MODELS, Need, Pool, Script
from core.metrics.base.resources import Resources
from core.metrics.base.scores import NOTES, REASONS, Array, Mask, Prepared, TopicScores, noted
from core.settings import format_setting, setting, setting_default

__all__ = [
    "MODELS",
    "NOTES",
    "REASONS",
    "Array",
    "Evidence",
    "Explanation",
    "Mask",
    "Metric",
    "Need",
    "Pool",
    "Prepared",
    "Resources",
    "Script",
    "TopicScores",
    "format_setting",
    "missing_inputs",
    "noted",
    "setting",
    "setting_default",
    "undefined",
]
