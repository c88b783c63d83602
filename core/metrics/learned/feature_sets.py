"""Feature sets of S3, and features from a metric and a measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np

from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.base import Metric, Need, Resources, missing_inputs
from core.metrics.base.learned_model import Array, Feature
from core.metrics.base.unknown_tokens import score_readable
from core.metrics.registry import split_label
from core.names import unknown_name


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


_AS_S3 = "stem=yes,text=word,rounding=none"
"""Tokenization of S3: Snowball stems, unrounded recall."""

S3_BEST = (
    "js:n=1.divergence",
    "js:n=2.divergence",
    f"rouge-n:n=1,{_AS_S3}.recall",
    "rouge-we:n=1,mode=s3.recall",
    f"rouge-n:n=2,{_AS_S3}.recall",
    "rouge-we:n=2,mode=s3.recall",
)
"""Features of the released models, in their order."""

S3_FULL = (
    *S3_BEST,
    f"rouge-l:{_AS_S3}.recall",
    f"rouge-w:weight=1.2,{_AS_S3}.recall",
    f"rouge-s:gap=4,{_AS_S3}.recall",
    f"rouge-su:gap=4,{_AS_S3}.recall",
)
"""S3_BEST plus the other ROUGE metrics; the paper's larger set is not published."""

SETS: Mapping[str, Sequence[str]] = {"s3-best": S3_BEST, "s3-full": S3_FULL}


def set_features(name: str, resources: Resources, vectors: str = "") -> tuple[Feature, ...]:
    """Return the features of a predefined set. Raises MissingResource if one cannot be computed."""
    return tuple(feature for text in SETS[name] for feature in _of_set(name, text, resources, vectors))


def _of_set(name: str, text: str, resources: Resources, vectors: str) -> Sequence[Feature]:
    try:
        metric, measures = metric_measures(text)
        if vectors and any(f.name == "vectors" for f in fields(metric)):
            changed: dict[str, Any] = {"vectors": vectors}
            metric = replace(metric, **changed)
        return [make_feature(metric, measure, resources) for measure in measures]
    except (InputError, MissingResource) as error:
        raise MissingResource(f"{name} requires {text}: {error}") from error


def reads_judgements(name: str) -> bool:
    """Return whether a metric, by name, is computed from human judgements."""
    needs = next((kind().needs for kind in registry.metrics() if kind.name == name), frozenset[Need]())
    return bool(needs & {Need.PYRAMIDS, Need.LEARNED})


def metric_measures(text: str) -> tuple[Metric, Sequence[str]]:
    """Return the metric of ``name:key=value,...`` with all measures, or with the one named after a dot."""
    head, part = split_label(text)
    try:
        return (metric := registry.parse(text)), metric.measures()
    except InputError:
        if not head:
            raise
    metric = registry.parse(head)
    chosen = [name for name in metric.measures() if split_label(name)[1] == part]
    if not chosen:
        raise InputError(unknown_name(f"measure of {head}", part, metric.measures()))
    return metric, chosen


def make_feature(metric: Metric, measure: str, resources: Resources) -> Feature:
    if reads_judgements(metric.name):
        raise InputError(
            f"{measure} is computed from human judgements and cannot be a feature. Choose a measure that is "
            "computed from texts only."
        )
    if why := metric.unavailable(resources):
        raise MissingResource(f"The feature {measure} cannot be computed: {why}")
    return Feature(metric.signature(resources), measure)
