"""`pyramidion score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from cli.opening import open_sound
from cli.options.scoring import ComputeOptions, MetricOptions
from core.comparison.cautions import note_text
from core.errors import InputError
from core.files.allowed_names import allowed_names
from core.files.study_address import StudyAddress
from core.formatting.byte_sizes import parse_bytes
from core.metrics import registry
from core.metrics.base import Need
from core.metrics.names import resolve_metric
from core.models.runtime.devices import check_name
from core.ports import Study, language_of
from core.scoring import engine
from core.scoring.engine import PlannedRun, RefusedRun, RunReport, ScoringConfig, ScoringPlan
from core.scoring.engine_tools import StudyResources
from core.scoring.experiment_scores import score_and_promote
from core.scoring.process_pool import WorkerPool, cores, local_workers
from core.scoring.tasks import corpus_of


def score_study(
    path: StudyAddress, metrics: MetricOptions, resources: ComputeOptions, *, only_plan: bool, as_json: bool
) -> int:
    """Score a study or show the plan. Returns 1 where a metric could not run or a topic failed.

    Raises InputError for a study without texts.
    """
    check_name(resources.device)
    with open_sound(path) as study:
        limit = resources.encoding_cache
        cache = None if limit is None else parse_bytes(limit)
        tools = StudyResources(study, resources.device, resources.batch_tokens, encoding_cache=cache)
        requested = configs(metrics.metric or (), tools, metrics.authors(), metrics.humans)
        if not study.texts.topics():
            raise InputError("The study has no texts yet. Import some first (`pyramidion import`).")
        plan = engine.plan(study, requested, tools)
        if only_plan:
            print_json(planned(plan)) if as_json else show_plan(plan)
            return 0
        require_writable(study)
        workers = _workers(study, plan, resources.workers, resources.cluster or "")
        report = run_with_progress(score_and_promote(study, plan, tools, workers), "Scoring")
    document = run_document(plan, report)
    print_json(document) if as_json else _print_summary(document)
    return 1 if report.failures or report.refusals else 0


def configs(
    metrics: Sequence[str], tools: StudyResources, references: tuple[str, ...] = (), humans: bool = False
) -> list[ScoringConfig]:
    """Return the configurations requested by -m; without any, those of every available metric.

    -m takes the names of tables too, such as ``rouge-1``. Settings that it does not give depend on the
    study's language. Metrics based on annotations must be named, as their values are judgements already.
    """
    language = language_of(tools.study) if tools.study is not None else ""
    usual = [
        f"{kind.name}:{settings}" if settings else kind.name
        for kind in registry.metrics()
        if not kind().needs & {Need.PYRAMIDS, Need.PROGRAM}
        for settings in kind.usual
    ]
    asked = [resolve_metric(text)[0] for text in metrics]
    specs = [registry.localize(text, language, replaces=not metrics) for text in asked or usual]
    parsed = [engine.parse_config(text, tools, references, humans) for text in specs]
    for config in parsed:
        allowed_names().named_settings(config.metric)  # typed by the user
    return parsed if metrics else [config for config in parsed if not config.metric.unavailable(tools)]


def _workers(study: Study, plan: ScoringPlan, count: int | None, cluster: str) -> WorkerPool | None:
    """Return the workers: a cluster, or local processes where they save time; None = none."""
    if cluster:
        from core.scoring.dask_cluster import ClusterWorkers

        return ClusterWorkers(cluster, corpus_of(study, plan))
    return local_workers(study, plan, cores() if count is None else count)


def planned(plan: ScoringPlan) -> list[dict[str, Any]]:
    """Return one row per configuration with its pending work."""
    return [_planned_row(entry) for entry in plan.entries]


def _planned_row(run: PlannedRun | RefusedRun) -> dict[str, Any]:
    planned = run if isinstance(run, PlannedRun) else None
    return {
        "metric": run.config.metric.spec,
        "topics": len(planned.topics) if planned else 0,
        "fresh": planned.fresh if planned else 0,
        "seconds": round(planned.seconds, 1) if planned else 0.0,
        "refusal": run.reason if isinstance(run, RefusedRun) else "",
        "signature": planned.stored.signature if planned else None,
    }


def show_plan(plan: ScoringPlan) -> None:
    """Print the plan as a table."""
    heads = {
        "metric": "Metric",
        "topics": "Pending",
        "fresh": "Up to date",
        "seconds": "Seconds",
        "refusal": "",
    }
    print_table(planned(plan), heads, right=("topics", "fresh", "seconds"))


def run_document(plan: ScoringPlan, report: RunReport) -> dict[str, Any]:
    """Return what a run did, as in JSON."""
    return {
        "scored": report.scored,
        "fresh": report.fresh,
        "seconds": round(report.seconds, 3),
        "runs": planned(plan),
        "refusals": dict(report.refusals),
        "failures": [asdict(failure) for failure in report.failures],
        "left_out": dict(report.left_out),
        "notes": {signature: dict(notes) for signature, notes in report.notes.items()},
    }


def _print_summary(document: dict[str, Any]) -> None:
    print_message(
        f"Scored {document['scored']} (metric, topic) pairs in {document['seconds']:.1f} s;"
        f" {document['fresh']} were already up to date."
    )
    for metric, why in document["refusals"].items():
        print_message(f"{metric} was not computed: {why}")
    for failure in document["failures"]:
        print_message(f"{failure['topic']}: {failure['message']}")
    for reason, count in document["left_out"].items():
        print_message(f"Skipped {count} (metric, topic) pairs: {reason}.")
    specs = {run["signature"]: run["metric"] for run in document["runs"]}
    for signature, notes in document["notes"].items():
        for note, count in notes.items():
            print_message(f"{specs[signature]}: {note_text(note, count)}.")
