"""Verbs that write what a study holds or tell of the program; what they do is imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Json, Output, Study, chosen_names
from cli.options.correlation import HumanReferences, UndefinedOption
from cli.options.filters import Systems, SystemsName
from core.stats.types import UndefinedPolicy


def report(
    study: Study,
    output: Output,
    tables: Annotated[
        Path | None, typer.Option(help="A folder for every table as CSV.", show_default=False)
    ] = None,
    systems: Systems = SystemsName.AUTOMATIC,
    undefined: UndefinedOption = UndefinedPolicy.SKIP,
    human_references: HumanReferences = None,
) -> None:
    """Write one self-contained HTML report; two runs on one study give the same bytes."""
    from cli.handlers.report import report_study
    from core.comparison.comparison import SystemSelection
    from core.report.model import ReportOptions
    from core.stats.correlation import UndefinedPolicy

    options = ReportOptions(
        systems=SystemSelection(systems),
        undefined=UndefinedPolicy(undefined),
        references=tuple(chosen_names(human_references, "--human-references")),
    )
    report_study(study, output, tables, options)


def export(
    study: Study,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The file to write; its suffix says the format (.jsonl, .csv, .txt); for ducview a folder; "
            "- is standard output.",
            show_default=False,
        ),
    ],
    what: Annotated[
        str,
        typer.Option(
            help="scores, rouge, judgements, humans (scores and judgements with references as systems), "
            "ratings, scales, texts, pyramids or history."
        ),
    ] = "scores",
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            help="sacrerouge (JSONL) or csv; for texts also hashes, by which vectors computed elsewhere are "
            "looked up; for pyramids ducview (.pyr, .pan); for rouge rouge-1.5.5, what the script prints, or "
            "rouge-1.5.5-tokens (-t 1). Default: as the file's suffix says.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Write scores, judgements, ratings or texts to a file, or pyramids to a folder."""
    from cli.handlers.export import export_study

    export_study(study, what, file_format, output)


def doctor(
    study: Annotated[Path | None, typer.Argument(help="A study to check too.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Say what the program finds on this machine: versions, devices, models, indexes, folders."""
    from cli.handlers.doctor import check_study

    raise typer.Exit(check_study(study, as_json=as_json))


def demo(
    folder: Annotated[Path, typer.Option(help="Where the sample study and its report go.")] = Path("demo"),
    window: Annotated[bool, typer.Option(help="Open the window at the end where there is a screen.")] = True,
    budget: Annotated[float, typer.Option(help="Seconds that scoring may take.")] = 60.0,
) -> None:
    """Make the sample study, score it, compare the metrics with people, write the report, open the window."""
    from cli.handlers.demo import demonstrate

    raise typer.Exit(demonstrate(folder, window=window, budget=budget))
