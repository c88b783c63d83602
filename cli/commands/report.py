"""The commands `report` and `replay`; their handlers are imported on use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Json, Output, Study, expand_option_groups
from core.comparison.options import InferenceOptions, SystemSelection
from core.operations.options import CoefficientOption, HumanReferences, SystemsOption, UndefinedOption
from core.stats.types import Coefficient, Level, UndefinedPolicy


@expand_option_groups
def report(
    study: Study,
    output: Output,
    tables: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Also write every table as CSV to this folder.", show_default=False
        ),
    ] = None,
    level: Annotated[
        list[Level] | None,
        typer.Option(help="Level of correlations. Can be repeated. Default: all.", show_default=False),
    ] = None,
    coefficient: CoefficientOption = Coefficient.PEARSON,
    systems: SystemsOption = SystemSelection.AUTOMATIC,
    undefined: UndefinedOption = UndefinedPolicy.SKIP,
    human_references: HumanReferences = (),
    appendix: Annotated[
        bool, typer.Option("--appendix/--no-appendix", help="Add the details of every section.")
    ] = True,
    draws: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of resamples and permutations.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 0,
) -> None:
    """Write a report as HTML, PDF, Word document or tables, or all formats in a folder.

    It cites every metric, model and data set. The output is reproducible: the same study, software and fonts
    give the same bytes.
    """
    from cli.handlers.report import report_study
    from core.report.model import ReportOptions

    options = ReportOptions(
        levels=tuple(one for one in Level if one in (level or Level)),
        coefficient=coefficient,
        systems=systems,
        undefined=undefined,
        references=human_references,
        has_appendix=appendix,
        chance=InferenceOptions(draws=draws, seed=seed),
    )
    report_study(study, output, tables, options)


def replay(
    report: Annotated[
        Path,
        typer.Argument(
            help="Report to check: .html, .pdf, .docx, .xlsx, .json, or a folder.", show_default=False
        ),
    ],
    study: Annotated[
        str,
        typer.Option(
            "--study", metavar="STUDY", help="Its study. Default: next to the report.", show_default=False
        ),
    ] = "",
    stored_scores: Annotated[
        bool, typer.Option("--stored-scores", help="Use the scores in the study; do not score again.")
    ] = False,
    device: Annotated[str, typer.Option(help="Device of models: auto, cpu or cuda.")] = "auto",
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMMAND",
            help="Run this command of an external metric; no other one is run. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score a copy of a report's study again, recompute every number, and list what differs.

    The exit code is 1 if anything differs. The study is not changed.
    """
    from cli.handlers.report import replay_report
    from core.files.study_address import parse_study_address
    from core.models.runtime.devices import check_name

    check_name(device)
    address = parse_study_address(study) if study else None
    found = replay_report(
        report, address, device, uses_stored_scores=stored_scores, as_json=as_json, allowed=allow or ()
    )
    raise typer.Exit(found)
