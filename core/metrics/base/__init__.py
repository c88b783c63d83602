"""What a metric is: a value whose fields are its settings, and functions from texts to numbers.

A metric keeps no state while it scores. `prepare` does once per topic what all its systems share, `score`
gives values and, where references can be told apart, the statistics per reference from which `combine` makes
the values for any subset of references without another look at a text.
"""

from core.metrics.base.explanation import Evidence, Explanation
from core.metrics.base.metric import Metric, missing_inputs
from core.metrics.base.needs import MODELS, Need, Pool, Script
from core.metrics.base.scores import NOTES, Array, Mask, Prepared, TopicScores
from core.metrics.base.tools import Resources
from core.settings import check_setting, format_setting, setting, setting_default

__all__ = [
    "MODELS",
    "NOTES",
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
    "check_setting",
    "format_setting",
    "missing_inputs",
    "setting",
    "setting_default",
]
