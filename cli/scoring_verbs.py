"""Verbs that score; what they do is imported when they run."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options.common import Device, Json, Study, chosen_names
from cli.options.taking_part import Annotators


def metrics(as_json: Json = False, device: Device = "auto") -> None:
    """List every metric: its settings, its measures, what it needs, and why it cannot run here."""
    from cli.metrics import list_metrics

    list_metrics(as_json=as_json, device=device)


def score(
    study: Study,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="NAME:SETTING=VALUE,… or a whole signature; may be repeated."),
    ] = None,
    references: Annotated[
        str | None, typer.Option(help="Only these authors' references, by name with commas. Default: all.")
    ] = None,
    humans: Annotated[
        bool,
        typer.Option(
            "--humans",
            help="Score each reference as a system too, by the others; a summary gets the mean over leaving "
            "one reference out. Kept beside the usual scores.",
        ),
    ] = False,
    device: Device = "auto",
    batch_tokens: Annotated[
        int | None, typer.Option(min=64, help="Tokens that an encoder takes at once; changes speed alone.")
    ] = None,
    encoding_cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Disk for what encoders made of texts, so that later runs need not, as 500MB; 0 = none. "
            "Default: 2GB, or as PYRAMIDION_ENCODING_CACHE says. Changes speed alone.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Processes for metrics without a model; 0 = none. Default: one per core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Score on a Dask cluster instead: its scheduler's address, tcp://HOST:8786."),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would run and how long.")] = False,
    as_json: Json = False,
) -> None:
    """Score the summaries of a study; what is scored and unchanged is not scored again.

    Without -m every metric that can run here does, save those that read annotations.
    """
    from cli.score import score_study

    raise typer.Exit(
        score_study(
            study,
            metric or [],
            references=tuple(chosen_names(references, "--references")),
            humans=humans,
            device=device,
            batch_tokens=batch_tokens,
            encoding_cache=encoding_cache,
            workers=workers,
            cluster=cluster or "",
            only_plan=plan,
            as_json=as_json,
        )
    )


def train(
    study: Study,
    human: Annotated[
        str, typer.Option(help="The judgement to follow, as pyramid.modified or rating.relevance.")
    ] = "",
    name: Annotated[str, typer.Option(help="What the model is called; one of that name is replaced.")] = "",
    features: Annotated[
        str,
        typer.Option(
            help="What it reads, with commas between: s3-best, s3-full, measures as rouge-2.recall, or a "
            "metric with settings, as rouge-n:n=3,stem=yes."
        ),
    ] = "s3-best",
    vectors: Annotated[
        str, typer.Option(help="Word vectors for the ROUGE-WE of s3-best and s3-full: a file or an encoder.")
    ] = "",
    annotators: Annotators = None,
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the topics, each scored by a model trained on the others.")
    ] = 10,
    cost: Annotated[float, typer.Option(min=1e-6, help="C of the regression.")] = 1.0,
    epsilon: Annotated[
        float, typer.Option(min=0.0, help="How far off a prediction may be without cost.")
    ] = 0.1,
    scale: Annotated[
        bool | None,
        typer.Option(
            help="Divide features by their standard deviation. Default: only those chosen singly.",
            show_default=False,
        ),
    ] = None,
    forget: Annotated[str, typer.Option(help="Take the model of this name out of the study.")] = "",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Train a metric on the study's own judgements, as S3; without --human, list those that were trained.

    Then score with -m s3:model=NAME. Topics in training are scored by a model that did not see them.
    """
    from cli import training

    if forget:
        training.forget(study, forget)
    elif not human and not name:
        training.list_models(study, as_json=as_json)
    elif not (human and name):
        raise typer.BadParameter("training needs both --human and --name")
    else:
        chosen = tuple(chosen_names(annotators, "--annotators"))
        wish = training.Wish(name, human, features, vectors, chosen, folds, cost, epsilon, scale)
        training.train_model(study, wish, device=device, as_json=as_json)
