"""Verbs that compare measures with people; what they do is imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli import correlate_options as options
from cli.options import (
    Annotators,
    CoefficientName,
    Csv,
    Device,
    Json,
    LevelName,
    Study,
    Systems,
    SystemsName,
    Undefined,
    UndefinedName,
    chosen_names,
)


def correlate(
    study: Study,
    human: Annotated[
        list[str] | None,
        typer.Option(
            help="A judgement, as rating.coherence, pyramid.modified or pyramid.modified[references:A+B]; "
            "may be repeated. Default: all."
        ),
    ] = None,
    human_references: Annotated[
        str | None,
        typer.Option(
            help="Pyramid scores by these authors' references alone, by name with commas; weights are "
            "counted anew. Default: all."
        ),
    ] = None,
    level: Annotated[
        LevelName,
        typer.Option(
            help="system = of the systems' means; topic = within each topic, averaged; "
            "global = of all single summaries."
        ),
    ] = LevelName.SYSTEM,
    coefficient: Annotated[
        CoefficientName,
        typer.Option(
            help="Pearson's r, Spearman's rho, Kendall's tau-b (kendall) or tau-c, the plain tau "
            "(C - D) / (C + D), or pairwise accuracy with calibrated ties."
        ),
    ] = CoefficientName.PEARSON,
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Only this measure, as rouge-2.f; may be repeated. Default: all."),
    ] = None,
    annotators: Annotators = None,
    systems: Systems = SystemsName.AUTOMATIC,
    system: options.Chosen = None,
    weakest: options.Weakest = 0,
    below: options.Below = None,
    weak_by: options.WeakBy = None,
    topic_set: options.TopicSet = None,
    undefined: Undefined = UndefinedName.SKIP,
    interval: options.Interval = options.IntervalName.NONE,
    confidence: options.Confidence = 0.95,
    compare: options.Compare = None,
    test: options.Test = options.TestName.WILLIAMS,
    sides: options.Sides = options.SidesName.TWO,
    freedom: options.Freedom = options.FreedomName.N_MINUS_3,
    magnitudes: options.Magnitudes = False,
    adjust: options.Adjust = options.AdjustName.HOLM,
    needed: options.Needed = None,
    clusters: options.Clusters = False,
    upper_bound: options.Bounds = False,
    draws: options.Draws = 1000,
    seed: options.Seed = 0,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Correlate every measure with the human judgements, with intervals and tests where asked."""
    from cli.correlate import correlate_study
    from core.comparing import Adjustment, Chance, DifferenceTest, IntervalKind
    from core.stats.significance import Freedom, Sides
    from core.taking_part import Part

    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    correlate_study(
        study,
        human or [],
        references=chosen_names(human_references, "--human-references"),
        level=level.value,
        coefficient=coefficient.value,
        measures=measure or [],
        annotators=chosen_names(annotators, "--annotators"),
        systems=systems.value,
        undefined=undefined.value,
        part=Part(tuple(system or ()), weakest, below, weak_by or ""),
        topic_set=topic_set or "",
        chance=Chance(
            interval=IntervalKind(interval.value),
            against=compare or "",
            test=DifferenceTest(test.value),
            adjustment=Adjustment(adjust.value),
            sides=Sides(sides.value),
            draws=draws,
            seed=seed,
            confidence=confidence,
            freedom=Freedom(freedom.value),
            magnitudes=magnitudes,
        ),
        needed=needed.value if needed else "",
        clustered=clusters,
        bounds=upper_bound,
        as_json=as_json,
        as_csv=as_csv,
    )


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
    level: Annotated[LevelName, typer.Option(help="What is correlated; see correlate.")] = LevelName.SYSTEM,
    coefficient: Annotated[
        CoefficientName, typer.Option(help="Which correlation; see correlate.")
    ] = CoefficientName.PEARSON,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A folder for the table as CSV, LaTeX and Markdown and the figure as SVG and PDF.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Rank measures over several studies: how well each follows people in every one, and its mean rank."""
    from cli.compare import compare_studies

    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    if len(studies) < 2:
        raise typer.BadParameter("name two studies or more; correlate and resample look into one")
    compare_studies(
        studies,
        human or [],
        measures=measure or [],
        level=level,
        coefficient=coefficient,
        output=output,
        as_json=as_json,
        as_csv=as_csv,
    )


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
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A folder for tables as CSV, LaTeX and Markdown and figures as SVG and PDF.",
            show_default=False,
        ),
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Find out what fewer references, fewer topics or other settings would change, as papers did.

    What it finds is kept in the study; one that was stopped goes on where it was.
    """
    from cli.resample import forget_experiment, list_experiments, resample_study

    if show:
        list_experiments(study, as_json=as_json)
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
        as_json=as_json,
        as_csv=as_csv,
    )
