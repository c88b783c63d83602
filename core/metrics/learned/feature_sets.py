"""Feature sets of S3, and features from a metric and a measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.base import Metric, Need, Resources
from core.metrics.base.learned_model import Feature
from core.metrics.registry import split_label
from core.names import unknown_name

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
