"""Choosing features by name: the sets of S3, measures of the study, or any measure that can be computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from core.comparison.measures import MeasureRef, split_label
from core.comparison.measures import measures as stored_measures
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.base import Metric, Need, Resources
from core.metrics.learned.features import Feature
from core.ports import Study

_AS_S3 = "stem=yes,text=word,rounding=none"
"""Words as S3 reads them: stems by Snowball, recall to the last digit."""

S3_BEST = (
    "js:n=1.divergence",
    "js:n=2.divergence",
    f"rouge-n:n=1,{_AS_S3}.recall",
    "rouge-we:n=1,mode=s3.recall",
    f"rouge-n:n=2,{_AS_S3}.recall",
    "rouge-we:n=2,mode=s3.recall",
)
"""The features of the released models, in the order in which these have them."""

S3_FULL = (
    *S3_BEST,
    f"rouge-l:{_AS_S3}.recall",
    f"rouge-w:weight=1.2,{_AS_S3}.recall",
    f"rouge-s:gap=4,{_AS_S3}.recall",
    f"rouge-su:gap=4,{_AS_S3}.recall",
)
"""The same and the rest of ROUGE: the paper's larger set is not published."""

SETS: Mapping[str, Sequence[str]] = {"s3-best": S3_BEST, "s3-full": S3_FULL}


def choose_features(
    names: Sequence[str], study: Study, tools: Resources, vectors: str = ""
) -> tuple[Feature, ...]:
    """The features of sets, measures of the study (``rouge-2.recall``), metrics with settings or without.

    vectors: of words, for the sets' ROUGE-WE; empty = as that has them by default.
    Raises InputError on a name that is none of them and on what must not be a feature, MissingResource where
    one cannot be computed here.
    """
    refs = stored_measures(study, check_stale=False)
    found: dict[Feature, None] = {}
    for name in names:
        chosen = set_features(name, tools, vectors) if name in SETS else _named(name, refs, tools)
        found.update(dict.fromkeys(chosen))
    if not found:
        raise InputError(f"No features are chosen. Name some measures, or one of {', '.join(SETS)}.")
    return tuple(found)


def eligible_measures(study: Study, tools: Resources) -> list[str]:
    """What `choose_features` takes by name: the measures of the study, then usual ones that run here."""
    refs = stored_measures(study, check_stale=False)
    fit = [ref for ref in refs if not _why_not_stored(ref) and not _reads_judgements(ref.config.metric)]
    usual = [
        name
        for name, metric in _usual_measures().items()
        if not _reads_judgements(metric.name) and not metric.unavailable(tools)
    ]
    return list(dict.fromkeys([*(ref.label for ref in fit), *usual]))


def set_features(name: str, tools: Resources, vectors: str = "") -> tuple[Feature, ...]:
    """The features of a ready-made set. Raises MissingResource with what of it cannot be computed."""
    return tuple(feature for text in SETS[name] for feature in _of_set(name, text, tools, vectors))


def _of_set(name: str, text: str, tools: Resources, vectors: str) -> Sequence[Feature]:
    try:
        metric, measures = _metric_of(text)
        if vectors and any(f.name == "vectors" for f in fields(metric)):
            changed: dict[str, Any] = {"vectors": vectors}
            metric = replace(metric, **changed)
        return [_feature(metric, measure, tools) for measure in measures]
    except (InputError, MissingResource) as error:
        raise MissingResource(f"{name} reads {text}: {error}") from error


def _named(name: str, refs: Sequence[MeasureRef], tools: Resources) -> Sequence[Feature]:
    """A measure by its label in the study, else by its usual name, else by its metric's settings."""
    for ref in refs:
        if ref.label == name:
            return [_stored(ref, tools)]
    usual = _usual_measures()
    if name in usual:
        return [_feature(usual[name], name, tools)]
    try:
        metric, measures = _metric_of(name)
    except InputError as error:
        near = get_close_matches(name, [*(ref.label for ref in refs), *usual], n=1, cutoff=0.7)
        if near:
            raise InputError(f"There is no measure {name!r}. Did you mean {near[0]}?") from error
        raise
    return [_feature(metric, measure, tools) for measure in measures]


def _usual_measures() -> dict[str, Metric]:
    """Every measure that some metric's usual settings give, with the first that does."""
    found: dict[str, Metric] = {}
    for kind in registry.metrics():
        for settings in kind.usual:
            metric = registry.parse(f"{kind.name}:{settings}")
            for measure in metric.measures():
                found.setdefault(measure, metric)
    return found


def _stored(ref: MeasureRef, tools: Resources) -> Feature:
    if why := _why_not_stored(ref):
        raise InputError(why)
    return _feature(registry.parse(ref.config.spec), ref.measure, tools)


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


def _reads_judgements(name: str) -> bool:
    """Whether a metric, by name, is made of judgements."""
    needs = next((kind.needs for kind in registry.metrics() if kind.name == name), frozenset[Need]())
    return bool(needs & {Need.PYRAMIDS, Need.LEARNED})


def _metric_of(text: str) -> tuple[Metric, Sequence[str]]:
    """The metric of ``name:key=value,...`` with all its measures, or the one that follows it after a dot."""
    head, part = split_label(text)
    try:
        return (metric := registry.parse(text)), metric.measures()
    except InputError:
        if not head:
            raise
    metric = registry.parse(head)
    chosen = [name for name in metric.measures() if split_label(name)[1] == part]
    if not chosen:
        raise InputError(f"{head} has no measure {part!r}. It has: {', '.join(metric.measures())}.")
    return metric, chosen


def _feature(metric: Metric, measure: str, tools: Resources) -> Feature:
    if _reads_judgements(metric.name):
        raise InputError(
            f"{measure} is made of judgements, so that learning from it would tell nothing. Choose a measure "
            "that reads texts alone."
        )
    if why := metric.unavailable(tools):
        raise MissingResource(f"The feature {measure} cannot be computed: {why}")
    return Feature(metric.signature(tools), measure)
