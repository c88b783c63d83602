"""Commands for reports, exports, diagnostics and the demo; handlers are imported on use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Json, OptionalStudy, Output, Study
from cli.options.option_groups import expand_option_groups
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


def export(
    study: Study,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="File to write (.jsonl, .csv, .txt), or a folder, as for ducview; - for standard output.",
            show_default=False,
        ),
    ],
    what: Annotated[
        str,
        typer.Option(
            metavar="CONTENT",
            help="Content to export: scores, rouge, judgements, metrics (scores and judgements), humans "
            "(both with references as systems), ratings, scales, texts, citations, pyramids, nuggets, "
            "annotations (for `merge`) or history.",
        ),
    ] = "scores",
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="File format: sacrerouge (JSONL) or csv; for texts also hashes (keys of precomputed "
            "vectors); for pyramids ducview (.pyr, .pan), rose (JSONL) or lite2pyramid (a folder); for "
            "metrics also mt-metrics-eval (a folder); for rouge also rouge-1.5.5 (output of the Perl "
            "script) or rouge-1.5.5-tokens (with -t 1). Default: by the suffix of the output file.",
            show_default=False,
        ),
    ] = "",
    annotator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="annotations: annotator to export. Can be repeated. Default: all."),
    ] = None,
) -> None:
    """Export scores, judgements, annotations or texts."""
    from cli.handlers.export import export_study

    export_study(study, what, file_format, output, annotator or ())


def plugins(as_json: Json = False) -> None:
    """List the metrics, summarizers and file formats that other packages add.

    Shows what could not be loaded, and why.
    """
    from cli.handlers.plugins import list_plugins

    raise typer.Exit(list_plugins(as_json=as_json))


def doctor(
    study: OptionalStudy = None,
    as_json: Json = False,
) -> None:
    """Check the installation.

    Shows versions, devices, models, indexes and folders.
    """
    from cli.handlers.doctor import check_study

    raise typer.Exit(check_study(study, as_json=as_json))


def demo(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder of the sample study and its report.")
    ] = Path("demo"),
    window: Annotated[
        bool, typer.Option(help="Open the window at the end if a display is available.")
    ] = True,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit for scoring.")] = 60.0,
) -> None:
    """Run the whole workflow on the sample study.

    Creates the study, scores it, correlates metrics with human judgements, writes the report and opens
    the window.
    """
    from cli.handlers.demo import demonstrate

    raise typer.Exit(demonstrate(context.obj, folder, window=window, budget=budget))


def manual(
    context: typer.Context,
    page: Annotated[
        str, typer.Argument(help="Page to print, such as rouge-n or score.", show_default=False)
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Write all pages as Markdown.")
    ] = None,
) -> None:
    """Print a page of the manual, list all pages, or write them to a folder.

    The window shows the same pages: press F1.
    """
    from cli.handlers.manual import list_pages, print_page, write_manual

    if output is not None:
        write_manual(context.obj, output)
    elif page:
        print_page(context.obj, page)
    else:
        list_pages(context.obj)
