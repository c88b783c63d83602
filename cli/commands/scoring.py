"""Commands for metrics; handlers are imported on use."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options.common import Device, Json, OptionalStudy, Study
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


def summarize(
    study: OptionalStudy = None,
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="SUMMARIZERS",
            help="Summarizers, separated by commas, with settings and names of systems: "
            "lead-3,short=lexrank:words=50,threshold=0.2. Can be repeated.",
        ),
    ] = None,
    command: Annotated[
        str,
        typer.Option(
            metavar="NAME=PROGRAM",
            help="Make a system by a program that reads and writes JSON Lines (see Help, Summarizers).",
            show_default=False,
        ),
    ] = "",
    topic: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC", help="Only this topic. Can be repeated.")
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Make baseline systems: summarize the documents of a study.

    Without options, lists the summarizers with their settings. Topics that have a summary of the system
    already are left out, so an interrupted run goes on where it stopped.
    """
    from cli.handlers.summarize import list_summarizers, summarize

    if not chosen and not command:
        list_summarizers(as_json=as_json)
    elif study is None:
        raise typer.BadParameter("Name the study before the options.")
    else:
        summarize(study, chosen or (), command, topic or (), device, as_json=as_json)


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
