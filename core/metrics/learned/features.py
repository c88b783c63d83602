"""Labels and values of the features that a learned metric reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from core.domain.study import TopicTexts
from core.errors import InputError
from core.metrics import registry
from core.metrics.base import Metric, Resources, missing_inputs
from core.metrics.base.learned_model import Array, Feature
from core.metrics.base.unknown_tokens import score_readable


@cache
def feature_label(feature: Feature) -> str:
    """Return a short label that is valid in a signature, such as ``rouge-n:n=2,stem=yes.recall``."""
    part = feature.measure.rpartition(".")[2]
    spec = registry.parse(feature.signature).spec
    return f"{spec}.{part}".replace("|", ";")


def feature_titles(features: Sequence[Feature]) -> tuple[str, ...]:
    """Return the titles of features: their measures, or their labels where two measures have one name."""
    counts = Counter(feature.measure for feature in features)
    return tuple(feature_label(f) if counts[f.measure] > 1 else f.measure for f in features)


def metrics_of(features: Sequence[Feature], resources: Resources) -> dict[str, Metric]:
    """Return the metrics of features by signature.

    Raises InputError if a signature cannot be reproduced here, for example because of another version.
    """
    signatures = dict.fromkeys(feature.signature for feature in features)
    metrics = {signature: registry.parse_reproducible(signature, resources) for signature in signatures}
    for feature in features:
        if feature.measure not in metrics[feature.signature].measures():
            raise InputError(
                f"The model reads {feature.measure}, which this program no longer computes. Train the model "
                "again."
            )
    return metrics


def feature_matrix(features: Sequence[Feature], topic: TopicTexts, resources: Resources) -> Array:
    """Return the features of each summary, shape (summaries, features); NaN = undefined."""
    columns: dict[Feature, Array] = {}
    for signature, metric in metrics_of(features, resources).items():
        values = score_readable(metric, topic, resources).values
        measures = metric.measures()
        for feature in features:
            if feature.signature == signature:
                columns[feature] = values[:, measures.index(feature.measure)]
    return np.stack([columns[feature] for feature in features], axis=1)


def missing_feature_inputs(features: Sequence[Feature], topic: TopicTexts, resources: Resources) -> str:
    """Return an input that a feature requires and a topic does not have; empty = nothing is missing."""
    for metric in metrics_of(features, resources).values():
        if reason := missing_inputs(metric, topic, resources):
            return reason
    return ""
