"""Verbs that score; what they do is imported when they run."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options.common import Device, Json, Study
from cli.options.option_groups import expand_option_groups
from cli.options.scoring import ComputeOptions, MetricOptions
from cli.options.training import Training


def metrics(as_json: Json = False, device: Device = "auto") -> None:
    """List every metric: its settings, its measures, what it needs, and why it cannot run here."""
    from cli.handlers.metrics import list_metrics

    list_metrics(as_json=as_json, device=device)


@expand_option_groups
def score(
    study: Study,
    wanted: MetricOptions,
    machinery: ComputeOptions,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would run and how long.")] = False,
    as_json: Json = False,
) -> None:
    """Score the summaries of a study; what is scored and unchanged is not scored again.

    Without -m every metric that can run here does, save those that read annotations.
    """
    from cli.handlers.score import score_study

    raise typer.Exit(score_study(study, wanted, machinery, only_plan=plan, as_json=as_json))


@expand_option_groups
def train(
    study: Study,
    training: Training,
    forget: Annotated[str, typer.Option(help="Take the model of this name out of the study.")] = "",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Train a metric on the study's own judgements, as S3; without --human, list those that were trained.

    Then score with -m s3:model=NAME. Topics in training are scored by a model that did not see them.
    """
    from cli.handlers.train import forget_trained, list_trained, train_model

    if forget:
        forget_trained(study, forget)
    elif not training.human and not training.name:
        list_trained(study, as_json=as_json)
    elif not (training.human and training.name):
        raise typer.BadParameter("training needs both --human and --name")
    else:
        train_model(study, training, device=device, as_json=as_json)
