"""Features: numbers that a learned metric reads of a summary, each a measure of another metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.domain.study import TopicTexts
from core.errors import InputError
from core.metrics import registry
from core.metrics.base import Metric, Resources
from core.metrics.base.unknown_tokens import scored
from core.metrics.learned.regressor import Array
from core.scoring.plan import ScoringConfig, parse_config


@dataclass(frozen=True)
class Feature:
    """A measure of a metric. signature: what repeats the metric, its models' hashes too."""

    signature: str
    measure: str

    @property
    def label(self) -> str:
        """What it was asked for as, short: ``rouge-n:n=2,stem=yes.recall``; fit for a signature."""
        part = self.measure.rpartition(".")[2]
        return f"{self._spec}.{part}".replace("|", ";")

    @cached_property
    def _spec(self) -> str:
        return registry.spec(registry.parse(self.signature))


def titles(features: Sequence[Feature]) -> tuple[str, ...]:
    """Features' names for people: their measures', or their labels where measures are called alike."""
    alike = Counter(feature.measure for feature in features)
    return tuple(f.label if alike[f.measure] > 1 else f.measure for f in features)


def metrics_of(features: Sequence[Feature], tools: Resources) -> dict[str, Metric]:
    """The metrics of some features by signature.

    Raises InputError where one was made with something else than is at hand here, as another version.
    """
    signatures = dict.fromkeys(feature.signature for feature in features)
    metrics = {signature: parse_config(signature, tools).metric for signature in signatures}
    for feature in features:
        if feature.measure not in metrics[feature.signature].measures():
            raise InputError(
                f"The model reads {feature.measure}, which this program does not compute any more. Train it "
                "again."
            )
    return metrics


def feature_matrix(features: Sequence[Feature], topic: TopicTexts, tools: Resources) -> Array:
    """Every summary's features, shape (summaries, features), NaN = undefined."""
    columns: dict[Feature, Array] = {}
    for signature, metric in metrics_of(features, tools).items():
        values = scored(metric, topic, tools).values
        measures = metric.measures()
        for feature in features:
            if feature.signature == signature:
                columns[feature] = values[:, measures.index(feature.measure)]
    return np.stack([columns[feature] for feature in features], axis=1)


def missing_inputs(features: Sequence[Feature], topic: TopicTexts, tools: Resources) -> str:
    """What a topic does not have that some feature needs; empty = nothing."""
    for metric in metrics_of(features, tools).values():
        if reason := ScoringConfig(metric).lacking(topic, tools):
            return reason
    return ""
