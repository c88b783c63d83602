"""The commands `metrics` and `score`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import completing, metric_names
from cli.console import Lines, print_json, print_message, print_table, setting_lines
from cli.opening import open_sound
from cli.options import Device, Json, Study, chosen_names, expand_option_groups
from core.errors import InputError
from core.formatting.numbers import parse_bytes
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.metrics.base import Metric
    from core.scoring.engine import ScoringPlan
    from core.scoring.process_pool import WorkerPool
    from core.scoring.study_resources import StudyResources


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Metrics to compute and references to use."""

    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            autocompletion=completing(metric_names),
            help="Metric to compute, as NAME, NAME:SETTING=VALUE,…, a name in tables such as rouge-1, or a "
            "complete signature. Can be repeated. Default: every available metric except those based on "
            "annotations.",
        ),
    ] = None
    references: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Authors whose references are used (comma-separated). Default: all."
        ),
    ] = None
    humans: Annotated[
        bool,
        typer.Option(
            "--humans",
            help="Also score each reference as a system against the other references; summaries get the mean "
            "over leaving one reference out. Stored in addition to the regular scores.",
        ),
    ] = False

    def authors(self) -> tuple[str, ...]:
        """Return the authors whose references are used; empty = all."""
        return tuple(chosen_names(self.references, "--references"))


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """Computing resources; they change speed, not results."""

    device: Device = "auto"
    batch_tokens: Annotated[
        int | None,
        typer.Option(metavar="N", min=64, help="Tokens per batch of an encoder. Affects speed only."),
    ] = None
    encoding_cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Disk space for cached encodings of texts, such as 500MB; 0 disables the cache. Default: "
            "$PYRAMIDION_ENCODING_CACHE or 2GB. Affects speed only.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Worker processes for metrics without a neural model; 0 for none. Default: one per core.",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Score on the Dask cluster of this scheduler, such as tcp://HOST:8786."
        ),
    ] = None


def metrics(as_json: Json = False, device: Device = "auto") -> None:
    """List metrics.

    Shows the settings and measures of each metric, and why it is unavailable if so.
    """
    from core.metrics import registry
    from core.models.runtime.devices import check_name
    from core.scoring.study_resources import StudyResources

    check_name(device)
    resources = StudyResources(requested_device=device)
    rows = [_metric_row(kind, resources) for kind in registry.metrics()]
    if as_json:
        print_json(rows)
        return
    cells = [
        {
            **row,
            "settings": setting_lines(row["settings"]),
            "measures": Lines(row["measures"]),
            "available": "yes" if row["available"] else row["why_not"],
        }
        for row in rows
    ]
    heads = {
        "name": "Metric",
        "about": "Description",
        "settings": "Settings",
        "measures": "Measures",
        "available": "Available",
    }
    if any(row["package"] for row in rows):
        heads["package"] = "Package"
    print_table(cells, heads)
    for message in registry.PLUGINS.failures():
        print_message(message)


def _metric_row(kind: type[Metric], resources: StudyResources) -> dict[str, Any]:
    from core.settings import setting_records

    metric = kind()
    why_not = metric.unavailable(resources)
    return {
        "name": kind.name,
        "family": kind.family,
        "about": kind.about,
        "paper": kind.paper,
        "version": kind.version,
        "package": kind.package,
        "settings": setting_records(kind, "low", "high"),
        "measures": list(metric.measures()),
        "needs": sorted(metric.needs),
        "available": not why_not,
        "why_not": why_not,
    }


@expand_option_groups
def score(
    path: Study,
    metrics: MetricOptions,
    compute: ComputeOptions,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Show what would be computed, with estimated times; compute nothing."),
    ] = False,
    development: Annotated[
        bool,
        typer.Option(
            "--development",
            help="Score only the topics for development (see `pyramidion topics`), such as with "
            "a new version of a rubric.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Score the summaries of a study.

    Scores whose inputs have not changed are not computed again. Without -m, runs every available metric
    except those based on annotations.
    """
    from core.experiments.inputs.development_topics import TopicPart, part_of
    from core.models.runtime.devices import check_name
    from core.operations.score import plan_rows, requested_configs, run_document
    from core.ports import require_writable
    from core.scoring import engine
    from core.scoring.experiment_scores import score_and_promote
    from core.scoring.study_resources import StudyResources

    check_name(compute.device)
    with open_sound(path) as study:
        limit = compute.encoding_cache
        cache = None if limit is None else parse_bytes(limit)
        resources = StudyResources(study, compute.device, compute.batch_tokens, encoding_cache=cache)
        requested = requested_configs(metrics.metric or (), resources, metrics.authors(), metrics.humans)
        if not study.texts.topics():
            raise InputError("The study has no texts yet. Import some first (`pyramidion import`).")
        topic_ids = None
        if development:
            names = part_of(study, TopicPart.DEVELOPMENT)[1]
            topic_ids = tuple(topic.id for topic in study.texts.topics() if topic.name in names)
        planned = engine.plan(study, requested, resources, topic_ids)
        if plan:
            rows = plan_rows(planned, study)
            print_json(rows) if as_json else _print_plan(rows)
            return
        require_writable(study)
        workers = _workers(study, planned, compute.workers, compute.cluster or "")
        report = run_with_progress(score_and_promote(study, planned, resources, workers), "Scoring")
    document = run_document(planned, report)
    print_json(document) if as_json else _print_summary(document)
    raise typer.Exit(1 if report.failures or report.refusals else 0)


def _workers(study: ports.Study, plan: ScoringPlan, count: int | None, cluster: str) -> WorkerPool | None:
    """Return the workers: a cluster, or local processes where they save time; None = none."""
    from core.scoring.process_pool import cores, local_workers
    from core.scoring.tasks import corpus_of

    if cluster:
        from core.scoring.dask_cluster import ClusterWorkers

        return ClusterWorkers(cluster, corpus_of(study, plan))
    return local_workers(study, plan, cores() if count is None else count)


def _print_plan(rows: list[dict[str, Any]]) -> None:
    """Print the plan as a table, then what a language model is asked, and what has changed since scoring."""
    from core.operations.score import requests_text

    heads = {
        "metric": "Metric",
        "topics": "Pending",
        "fresh": "Up to date",
        "seconds": "Seconds",
        "refusal": "",
    }
    print_table(rows, heads, right=("topics", "fresh", "seconds"))
    for row in rows:
        if said := requests_text(row):
            print_message(f"{row['metric']}: {said}.")
        if row["changed"]:
            print_message(f"{row['metric']}: {row['changed']}")


def _print_summary(document: dict[str, Any]) -> None:
    from core.operations.score import run_sentences

    print_message(
        f"Scored {document['scored']} (metric, topic) pairs in {document['seconds']:.1f} s;"
        f" {document['fresh']} were already up to date."
    )
    for sentence in run_sentences(document):
        print_message(sentence)
