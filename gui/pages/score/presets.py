"""Presets of metrics on the Score page."""

from __future__ import annotations

from core.metrics.base import Metric, Need
from gui.pages.score.study_survey import StudySurvey

_SUMMEVAL = frozenset(
    (
        *("rouge-n", "rouge-l", "rouge-s", "rouge-su", "rouge-w", "rouge-we", "s3", "bertscore"),
        *("moverscore", "sms", "summaqa", "blanc-help", "supert", "bleu", "chrf", "cider", "meteor"),
    )
)
"""Metrics of the SummEval toolkit that this program has."""


def is_in(preset: str, metric: Metric, survey: StudySurvey) -> bool:
    """Return whether a configuration belongs to a preset, even if it cannot run."""
    match preset:
        case "quick":
            return survey.suggests(metric)
        case "summeval":
            return metric.name in _SUMMEVAL
        case "reference-free":
            return not metric.needs & {Need.REFERENCES, Need.PYRAMIDS}
        case _:
            return True
