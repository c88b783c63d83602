"""Scoring: the configurations that run, and what a run did."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.comparison.cautions import note_sentences
from core.comparison.staleness_text import run_text
from core.files.allowed_names import allowed_names
from core.formatting.numbers import pluralize
from core.metrics import registry
from core.metrics.base import Metric
from core.metrics.base.model_requests import ModelRequests
from core.metrics.names import resolve_metric
from core.models.chat_accounts import chat_accounts
from core.names import resolve_name
from core.ports import Study, language_of
from core.scoring import engine
from core.scoring.engine import PlannedRun, RefusedRun, RunReport, ScoringConfig, ScoringPlan
from core.scoring.study_resources import StudyResources


def default_specs(language: str, kinds: Sequence[type[Metric]] = ()) -> Iterator[str]:
    """Yield the usual configurations of metrics, with the settings of a language. kinds: empty = all."""
    for kind in kinds or registry.metrics():
        for settings in kind.default_configs:
            text = f"{kind.name}:{settings}" if settings else kind.name
            yield registry.localize(text, language, replaces=True)


def requested_configs(
    metrics: Sequence[str], resources: StudyResources, references: tuple[str, ...] = (), humans: bool = False
) -> list[ScoringConfig]:
    """Return the configurations of named metrics; without any, the usual ones of every available metric.

    metrics: names of tables too, such as ``rouge-1``. Settings that are not given depend on the study's
    language. Others than the usual ones must be named (`Metric.is_usual`).
    """
    language = ""
    if resources.study is not None:
        language, known = language_of(resources.study), resources.study.texts.reference_authors()
        references = tuple(resolve_name("author of references", name, known) for name in references)
    if metrics:
        asked = [registry.localize(resolve_metric(text)[0], language) for text in metrics]
    else:
        kinds = [kind for kind in registry.metrics() if kind().is_usual]
        asked = list(default_specs(language, kinds))
    parsed = [engine.parse_config(text, resources, references, humans) for text in asked]
    for config in parsed:
        allowed_names().named_settings(config.metric)  # typed by the user
    return parsed if metrics else [config for config in parsed if not config.metric.unavailable(resources)]


def plan_rows(plan: ScoringPlan, study: Study | None = None) -> list[dict[str, Any]]:
    """Return a row for each configuration: pending topics, those up to date, seconds, why it cannot run.

    study: to add what has changed since its scores, empty = nothing.
    """
    rows = [_row(entry) for entry in plan.entries]
    if study is not None:
        for row, entry in zip(rows, plan.entries, strict=True):
            row["changed"] = run_text(study, entry) if isinstance(entry, PlannedRun) else ""
    return rows


def _row(run: PlannedRun | RefusedRun) -> dict[str, Any]:
    planned = run if isinstance(run, PlannedRun) else None
    return {
        "metric": run.config.metric.spec,
        "topics": len(planned.topics) if planned else 0,
        "fresh": planned.up_to_date if planned else 0,
        "seconds": round(planned.seconds, 1) if planned else 0.0,
        "refusal": run.reason if isinstance(run, RefusedRun) else "",
        "signature": planned.stored.signature if planned else None,
        **(requests_row(planned.config.metric, planned.requests) if planned else {}),
    }


def requests_row(metric: Metric[Any], requests: ModelRequests) -> dict[str, Any]:
    """Return the requests to a language model, their tokens and their cost, None = a price is not set.

    Empty without requests. The prices are those of the metric's server.
    """
    if not requests:
        return {}
    server = getattr(metric, "server", "")
    cost = chat_accounts().of(server).cost(requests.tokens_in, requests.tokens_out) if server else 0.0
    return {
        "requests": requests.requests,
        "prompt_tokens": requests.tokens_in,
        "answer_tokens": requests.tokens_out,
        "cost": None if math.isnan(cost) else round(cost, 4),
    }


def requests_text(row: Mapping[str, Any]) -> str:
    """Return a row of requests as words, empty without requests."""
    if "requests" not in row:
        return ""
    text = (
        f"{pluralize(row['requests'], 'request')}, about {row['prompt_tokens']:,} tokens of prompts and at "
        f"most {row['answer_tokens']:,} of answers"
    )
    return text if not row["cost"] else f"{text}, at most {row['cost']:g} at the prices set"


def run_document(plan: ScoringPlan, report: RunReport) -> dict[str, Any]:
    """Return what a run did, as in JSON."""
    return {
        "scored": report.scored,
        "fresh": report.up_to_date,
        "seconds": round(report.seconds, 3),
        "runs": plan_rows(plan),
        "refusals": dict(report.refusals),
        "failures": [asdict(failure) for failure in report.failures],
        "left_out": dict(report.left_out),
        "notes": {signature: dict(notes) for signature, notes in report.notes.items()},
    }


def run_sentences(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was not computed and why, and what metrics report. document: of `run_document`."""
    for metric, why in document["refusals"].items():
        yield f"{metric} was not computed: {why}"
    for failure in document["failures"]:
        yield f"{failure['topic']}: {failure['message']}"
    for reason, count in document["left_out"].items():
        yield f"Skipped {count} (metric, topic) pairs: {reason}."
    specs = {run["signature"]: run["metric"] for run in document["runs"]}
    yield from note_sentences(([specs[signature]], notes) for signature, notes in document["notes"].items())
