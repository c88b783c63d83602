"""Variants of SERA in its paper: three queries, with and without rank discount, at several cut-offs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import InputError
from core.experiments.inputs.measure_inputs import MeasureSpec, OrientedMeasure
from core.metrics import registry
from core.metrics.base import setting
from core.metrics.retrieval.sera import Sera
from core.models.nlp.entities import RULES
from core.ports import Study
from core.retrieval.protocols import STUDY_INDEX

CUT_OFFS = (5, 10)
"""Cut-offs of Tables 2 and 3."""

QUERIES = ("plain", "kw", "np")
"""Query types in the order of the paper's tables."""


def sera_setting() -> Any:
    explained = (
        "SERA in the syntax of -m, such as sera:index=NAME; queries and cut-offs are varied. Empty = as last "
        "scored in this study, else with the study's own documents."
    )
    return setting("", explained, title="SERA")


def spec_of(study: Study, text: str) -> str:
    """Return the SERA to vary, in the syntax of -m. Raises InputError for anything else."""
    own = (
        config for config in study.scores.configs() if config.metric == Sera.name and not config.is_imported
    )
    specs = [config.spec for config in own]
    spec = text or (specs[-1] if specs else Sera.name)
    _with_queries(spec)
    return spec


def _with_queries(spec: str, cutoffs: Sequence[int] = CUT_OFFS) -> list[Sera]:
    """Return SERA by query and cut-off; a setting of one query, such as its parser, applies to that one."""
    varied = {"query": QUERIES, "cutoff": [str(cutoff) for cutoff in cutoffs]}
    if spec.partition("|")[0].partition(":")[0].strip() != Sera.name:
        raise InputError(f"{spec!r} is not SERA. Write sera or sera:key=value,…")
    return [metric for metric in registry.parse_varied(spec, varied) if isinstance(metric, Sera)]


def variants(spec: str, cutoffs: Sequence[int] = CUT_OFFS) -> list[MeasureSpec]:
    """Return every variant under the paper's name: first without, then with rank discount."""
    metrics = _with_queries(spec, cutoffs)
    return [
        MeasureSpec(label_of(metric, discounted), metric.spec, metric.measures()[discounted])
        for discounted in (False, True)
        for metric in metrics
    ]


def label_of(metric: Sera, discounted: bool) -> str:
    """As ``SERA-DIS-NP-5``."""
    query = "" if metric.query == "plain" else f"-{metric.query.upper()}"
    return f"SERA{'-DIS' if discounted else ''}{query}-{metric.cutoff}"


def without_documents(study: Study, spec: str) -> str:
    """Return why SERA has no documents to search and what to do about it; empty if it has."""
    if _with_queries(spec)[0].index != STUDY_INDEX or any(head.documents for head in study.texts.topics()):
        return ""
    return (
        "This study has no documents for SERA to search. Import them, or build an index "
        "(`pyramidion index build NAME FOLDER`) and score with it (`pyramidion score STUDY -m "
        "sera:index=NAME`)."
    )


def stand_in_of_index(spec: str) -> str:
    """Return a sentence that names the collection searched instead of the paper's."""
    index = _with_queries(spec)[0].index
    searched = "The study's own documents" if index == STUDY_INDEX else f"The index {index}"
    return f"{searched} in place of the PubMed open-access articles searched in the paper."


def rough_phrases(measures: Sequence[OrientedMeasure]) -> tuple[str, ...]:
    """Return how to find noun phrases by a parser, if they were found by rules for any measure."""
    rough = any(
        one.config.metric == Sera.name
        and isinstance(metric := registry.parse(one.config.spec), Sera)
        and metric.query == "np"
        and metric.phrases == RULES
        for one in measures
    )
    if not rough:
        return ()
    return (
        "Noun phrases are found by a spaCy pipeline where one is installed, for example by "
        "`python -m spacy download en_core_web_sm`; then score SERA again.",
    )
