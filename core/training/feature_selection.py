"""Feature selection by name: the sets of S3, measures of the study, or any measure that can be computed."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.measures import MeasureRef
from core.comparison.measures import measures as stored_measures
from core.errors import InputError
from core.metrics import registry
from core.metrics.base import Metric, Resources
from core.metrics.base.learned_model import Feature
from core.metrics.learned.feature_sets import (
    SETS,
    make_feature,
    metric_measures,
    reads_judgements,
    set_features,
)
from core.names import fitting_names, unknown_name
from core.ports import Study


def choose_features(
    names: Sequence[str], study: Study, resources: Resources, vectors: str = ""
) -> tuple[Feature, ...]:
    """Return the features of sets, of measures in the study (``rouge-2.recall``) or of metric configurations.

    vectors: word vectors for ROUGE-WE in the sets; empty = the default.
    Raises InputError for an unknown name and for a measure that cannot be a feature, MissingResource if
    one cannot be computed here.
    """
    refs = stored_measures(study, check_stale=False)
    features: dict[Feature, None] = {}
    for name in names:
        chosen = set_features(name, resources, vectors) if name in SETS else _named(name, refs, resources)
        features.update(dict.fromkeys(chosen))
    if not features:
        raise InputError(f"No features are chosen. Name some measures, or one of {', '.join(SETS)}.")
    return tuple(features)


def eligible_measures(study: Study, resources: Resources) -> list[str]:
    """Return names for `choose_features`: measures of the study, then default measures that can run here."""
    refs = stored_measures(study, check_stale=False)
    fit = [ref for ref in refs if not _why_not_stored(ref) and not reads_judgements(ref.config.metric)]
    usual = [
        name
        for name, metric in _usual_measures().items()
        if not reads_judgements(metric.name) and not metric.unavailable(resources)
    ]
    return list(dict.fromkeys([*(ref.label for ref in fit), *usual]))


def _named(name: str, refs: Sequence[MeasureRef], resources: Resources) -> Sequence[Feature]:
    """Return the features of a measure's label, a default measure, or a metric configuration."""
    for ref in refs:
        if ref.label == name:
            return [_stored(ref, resources)]
    usual = _usual_measures()
    if name in usual:
        return [make_feature(usual[name], name, resources)]
    try:
        metric, measures = metric_measures(name)
    except InputError as error:
        labels = list(dict.fromkeys([*(ref.label for ref in refs), *usual]))
        if len(fits := fitting_names(name, labels)) == 1:
            return _named(fits[0], refs, resources)
        if "|" in name or ":" in name:
            raise
        raise InputError(unknown_name("measure or metric", name, labels)) from error
    return [make_feature(metric, measure, resources) for measure in measures]


def _usual_measures() -> dict[str, Metric]:
    """Return every measure of the default configurations, with the first metric that computes it."""
    metrics: dict[str, Metric] = {}
    for kind in registry.metrics():
        for settings in kind.default_configs:
            metric = registry.parse(f"{kind.name}:{settings}")
            for measure in metric.measures():
                metrics.setdefault(measure, metric)
    return metrics


def _stored(ref: MeasureRef, resources: Resources) -> Feature:
    if why := _why_not_stored(ref):
        raise InputError(why)
    return make_feature(registry.parse(ref.config.spec), ref.measure, resources)


def _why_not_stored(ref: MeasureRef) -> str:
    if ref.config.is_imported:
        return (
            f"{ref.label} was computed elsewhere, so that other summaries could not be given it. Choose a "
            "measure that this program computes."
        )
    if ref.config.references or ref.config.scores_humans:
        return (
            f"{ref.label} was computed with some references left out. Choose it as computed with all: a "
            "learned metric chooses the references itself."
        )
    return ""
