"""Verbs that compare measures with people; what they do is imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Device, Results, Study
from cli.options.correlation import CoefficientOption, CorrelationOptions, LevelOption
from cli.options.filters import FilterOptions
from cli.options.inference import InferenceArguments
from cli.options.option_groups import expand_option_groups
from cli.options.output import OutputOptions
from core.stats.types import Coefficient, Level


@expand_option_groups
def correlate(
    study: Study,
    question: CorrelationOptions,
    taking_part: FilterOptions,
    doubt: InferenceArguments,
    form: OutputOptions,
) -> None:
    """Correlate every measure with the human judgements, with intervals and tests where asked."""
    from cli.handlers.correlate import correlate_study

    doubt.check(question)
    correlate_study(study, question, taking_part, doubt, form)


@expand_option_groups
def compare(
    studies: Annotated[
        list[Path], typer.Argument(help="Two studies or more, .pyramidion files.", show_default=False)
    ],
    human: Annotated[
        list[str] | None,
        typer.Option(help="A judgement, as rating.relevance; may be repeated. Default: all of each study."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as the first study calls it; may be repeated. Default: all."),
    ] = None,
    level: LevelOption = Level.SYSTEM,
    coefficient: CoefficientOption = Coefficient.PEARSON,
    weight: Annotated[
        list[float] | None,
        typer.Option(
            min=0,
            help="How much a study counts in the means; once for each study, in their order. "
            "Default: all studies alike, whatever number of judgements they have.",
        ),
    ] = None,
    common_topics: Annotated[
        bool,
        typer.Option(
            "--common-topics",
            help="In each study only the topics (and systems) that every measure has scored in whole. "
            "Default: all; incomplete measures are not ranked.",
        ),
    ] = False,
    output: Results = None,
    *,
    form: OutputOptions,
) -> None:
    """Rank measures over several studies: how well each follows people in every one, and its mean rank."""
    from cli.handlers.compare import compare_studies
    from core.stats import correlation

    if len(studies) < 2:
        raise typer.BadParameter("name two studies or more; correlate and resample look into one")
    compare_studies(
        studies,
        human or [],
        measures=measure or [],
        level=correlation.Level(level),
        coefficient=correlation.Coefficient(coefficient),
        weights=weight or [],
        on_common=common_topics,
        output=output,
        form=form,
    )


@expand_option_groups
def resample(
    study: Study,
    recipe: Annotated[
        str, typer.Option(help="A paper's table or figure, as conditions-table-1; see --list.")
    ] = "",
    experiment: Annotated[str, typer.Option(help="An experiment, as references; see --list.")] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", help="KEY=VALUE: one of its settings; may be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="What its draws begin with. Default: 0.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Do it anew though the study keeps what it found.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Take what the study keeps of it out, finished or not.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--list", help="List experiments and recipes, and what this study lacks for each.")
    ] = False,
    output: Results = None,
    device: Device = "auto",
    *,
    form: OutputOptions,
) -> None:
    """Find out what fewer references, fewer topics or other settings would change, as papers did.

    What it finds is kept in the study; one that was stopped goes on where it was.
    """
    from cli.handlers.resample import forget_experiment, list_experiments, resample_study

    if show:
        list_experiments(study, as_json=form.as_json)
        return
    if bool(recipe) == bool(experiment):
        raise typer.BadParameter("give one of --recipe, --experiment and --list")
    if forget:
        forget_experiment(study, recipe, experiment, setting or [], seed)
        return
    resample_study(
        study,
        recipe=recipe,
        experiment=experiment,
        settings=setting or [],
        seed=seed,
        again=again,
        device=device,
        output=output,
        form=form,
    )
