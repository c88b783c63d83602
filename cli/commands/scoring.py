"""Commands for metrics; handlers are imported on use."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options.common import Device, Json, Study
from cli.options.option_groups import expand_option_groups
from cli.options.scoring import ComputeOptions, MetricOptions
from cli.options.training import TrainingOptionGroup


def metrics(as_json: Json = False, device: Device = "auto") -> None:
    """List metrics.

    Shows the settings and measures of each metric, and why it is unavailable if so.
    """
    from cli.handlers.metrics import list_metrics

    list_metrics(as_json=as_json, device=device)


@expand_option_groups
def score(
    study: Study,
    metrics: MetricOptions,
    resources: ComputeOptions,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Show what would be computed, with estimated times; compute nothing."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Score the summaries of a study.

    Scores whose inputs have not changed are not computed again. Without -m, runs every available metric
    except those based on annotations.
    """
    from cli.handlers.score import score_study

    raise typer.Exit(score_study(study, metrics, resources, only_plan=plan, as_json=as_json))


@expand_option_groups
def train(
    study: Study,
    training: TrainingOptionGroup,
    forget: Annotated[
        str, typer.Option(metavar="NAME", help="Delete the model of this name from the study.")
    ] = "",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Train a metric on the judgements of a study.

    Trains a regression like S3; without --human and --name, lists the trained models. Score with
    -m s3:model=NAME; training topics are scored by cross-validation.
    """
    from cli.handlers.train import forget_trained, list_trained, train_model

    if forget:
        forget_trained(study, forget)
    elif not training.human and not training.name:
        list_trained(study, as_json=as_json)
    elif not (training.human and training.name):
        raise typer.BadParameter("--human and --name are both required for training")
    else:
        train_model(study, training, device=device, as_json=as_json)
