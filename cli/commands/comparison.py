"""Commands that compare metrics with human judgements; handlers are imported on use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.agreement import AgreementArguments
from cli.options.common import Device, Json, Results, Studies, Study
from cli.options.option_groups import expand_option_groups
from cli.options.output import OutputOptions
from core.operations.options import CoefficientOption, LevelOption
from core.stats.types import Coefficient, Level


def explain(
    study: Study,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="Name of a topic.", show_default=False)],
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Name of a system.", show_default=False)],
    measure: Annotated[
        str,
        typer.Option(
            "--measure", "-m", metavar="MEASURE", help="Measure, such as rouge-2.f; rouge-2 stands for its F."
        ),
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="SYSTEM", help="Compare with this system part by part.", show_default=False
        ),
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="PART", help="Print the score without a part. Can be repeated."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a web page with the texts.", show_default=False),
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Explain the score of a summary: its parts, what each adds, and their words.

    The tree is computed from the current texts and compared with the stored score.
    """
    from cli.handlers.explain import explain_summary

    explain_summary(
        study,
        topic,
        system,
        measure,
        against=against,
        left_out=without or (),
        device=device,
        html=html,
        as_json=as_json,
    )


@expand_option_groups
def agree(
    study: Study,
    selection: AgreementArguments,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="CSV or JSON file to write instead; - for standard output.",
            show_default=False,
        ),
    ] = None,
    *,
    form: OutputOptions,
) -> None:
    """Measure the agreement of annotators.

    Of ratings, matches and pyramids, with intervals over topics and the effect on the ranking of systems.
    """
    from cli.handlers.agree import agree_study

    agree_study(study, selection.selection(), selection.options(), output, form)


@expand_option_groups
def compare(
    studies: Studies,
    human: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JUDGEMENT",
            help="Human judgement to compare with, such as rating.relevance. Can be repeated. Default: all.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE",
            help="Measure to include, by its name in the first study. Can be repeated. Default: all.",
        ),
    ] = None,
    level: LevelOption = Level.SYSTEM,
    coefficient: CoefficientOption = Coefficient.PEARSON,
    weight: Annotated[
        list[float] | None,
        typer.Option(
            metavar="WEIGHT",
            min=0,
            help="Weight of a study in the means; repeat it once per study, in order. Default: equal "
            "weights.",
        ),
    ] = None,
    common_topics: Annotated[
        bool,
        typer.Option(
            "--common-topics",
            help="In each study, use only topics and systems that every measure has scored. By default, "
            "all are used and incomplete measures are not ranked.",
        ),
    ] = False,
    output: Results = None,
    *,
    form: OutputOptions,
) -> None:
    """Compare metrics across several studies.

    Shows the correlation of each measure with human judgements in each study, and its mean rank.
    """
    from cli.handlers.compare import compare_studies
    from core.stats import correlation

    if len(studies) < 2:
        raise typer.BadParameter("give at least two studies; use correlate or resample for a single one")
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
        str,
        typer.Option(
            metavar="RECIPE", help="Table or figure of a paper to reproduce, such as conditions-table-1."
        ),
    ] = "",
    experiment: Annotated[
        str, typer.Option(metavar="EXPERIMENT", help="Experiment to run, such as references.")
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", metavar="KEY=VALUE", help="Setting of the experiment. Can be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed. Default: 0.")] = None,
    draws: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Resamples or draws, as -s draws=N. Default: see --list."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Recompute even if a stored result exists.")] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete the stored result, finished or not.")
    ] = False,
    show: Annotated[
        bool,
        typer.Option("--list", help="List experiments and recipes, and what this study is missing for each."),
    ] = False,
    details: Annotated[
        bool, typer.Option("--all", help="Print tables of details too, such as the power of each size.")
    ] = False,
    output: Results = None,
    device: Device = "auto",
    *,
    form: OutputOptions,
) -> None:
    """Run an experiment or reproduce a table of a paper.

    Experiments vary references, topics, systems or metric settings. Results are stored in the study; an
    interrupted run continues where it stopped.
    """
    from cli.handlers.resample import forget_experiment, list_experiments, resample_study

    if show:
        list_experiments(study, as_json=form.as_json)
        return
    if bool(recipe) == bool(experiment):
        raise typer.BadParameter("give exactly one of --recipe, --experiment and --list")
    if forget:
        forget_experiment(study, recipe, experiment, setting or [], seed, draws)
        return
    resample_study(
        study,
        recipe=recipe,
        experiment=experiment,
        settings=setting or [],
        seed=seed,
        draws=draws,
        again=again,
        device=device,
        output=output,
        with_details=details,
        form=form,
    )
