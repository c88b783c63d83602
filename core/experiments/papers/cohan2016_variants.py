"""The variants of SERA that its paper compares: three queries, with ranks and without, at some cut-offs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import InputError
from core.experiments.inputs.measure_inputs import MeasureSpec, OrientedMeasure
from core.metrics import registry
from core.metrics.base import setting
from core.metrics.retrieval.sera import Sera
from core.models.nlp.entities import RULES
from core.ports import Study
from core.retrieval.protocols import STUDY_INDEX

QUERIES = ("plain", "kw", "np")
"""In the order of the paper's tables."""


def sera_setting() -> Any:
    explained = (
        "SERA as -m takes it, as sera:index=NAME; queries and cut-offs are varied. None = as the study was "
        "scored last, else with its own documents."
    )
    return setting("", explained, title="SERA")


def base_of(study: Study, text: str) -> Sera:
    """The SERA that is varied. Raises InputError where it is another metric, BadSetting for its settings."""
    own = (config for config in study.configs() if config.metric == Sera.name and not config.is_imported)
    specs = [config.spec for config in own]
    metric = registry.parse(text or (specs[-1] if specs else Sera.name))
    if not isinstance(metric, Sera):
        raise InputError(f"{text!r} is not SERA; write sera or sera:key=value,…")
    return metric


def variants(base: Sera, cutoffs: Sequence[int]) -> list[MeasureSpec]:
    """Every variant as the paper calls it: first without ranks, then discounted by them."""
    metrics = [replace(base, query=query, cutoff=cutoff) for query in QUERIES for cutoff in cutoffs]
    return [
        MeasureSpec(label_of(metric, discounted), registry.spec(metric), metric.measures()[discounted])
        for discounted in (False, True)
        for metric in metrics
    ]


def label_of(metric: Sera, discounted: bool) -> str:
    """As ``SERA-DIS-NP-5``."""
    query = "" if metric.query == "plain" else f"-{metric.query.upper()}"
    return f"SERA{'-DIS' if discounted else ''}{query}-{metric.cutoff}"


def without_documents(study: Study, base: Sera) -> str:
    """Why SERA has nothing to search in, with the remedy; empty where it has."""
    if base.index != STUDY_INDEX or any(head.documents for head in study.topics()):
        return ""
    return (
        "This study has no documents that SERA could search in. Import them, or build an index "
        "(`pyramidion index build NAME FOLDER`) and score with it (`pyramidion score STUDY -m "
        "sera:index=NAME`)."
    )


def stand_in_of_index(base: Sera) -> str:
    """What was searched in place of what the paper searched."""
    searched = "The study's own documents" if base.index == STUDY_INDEX else f"The index {base.index}"
    return f"{searched} in place of PubMed's open-access articles, which the paper searched."


def rough_phrases(measures: Sequence[OrientedMeasure]) -> tuple[str, ...]:
    """Return a sentence if noun phrases of queries were found by rules, without a parser."""
    rough = [
        one.label
        for one in measures
        if one.config.metric == Sera.name
        and isinstance(metric := registry.parse(one.config.spec), Sera)
        and metric.query == "np"
        and metric.phrases == RULES
    ]
    if not rough:
        return ()
    return (
        f"{', '.join(rough)}: noun phrases were found by rules for English, which are rough; the paper "
        "used a parser. Install a spaCy pipeline such as en_core_web_sm, then choose it as `phrases`.",
    )
