"""`pyramidion report` and `pyramidion replay`."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, print_message, print_table
from cli.options import Json, Output, Study, expand_option_groups
from core.errors import InputError
from core.files.paths import printable_path
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.operations.options import ReportRequest
from core.progress import run_with_progress
from core.stats.types import Level

if TYPE_CHECKING:
    from core.report.document import ReportDocument
    from core.report.recompute import KeptScores
    from core.report.replay import Difference, ReplayResult

MOST_LISTED = 50
"""Differences that are listed."""


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
    request: ReportRequest = ReportRequest(),
) -> None:
    """Write a report as HTML, PDF, Word document or tables, or all formats in a folder.

    It cites every metric, model and data set. The output is reproducible: the same study, software and fonts
    give the same bytes.
    """
    from cli.opening import open_sound
    from core.files.atomic_write import STANDARD_OUTPUT, check_folder, check_writable
    from core.report.build import build_report
    from core.report.formats.html import write_csv, write_html
    from core.report.formats.write import check_format, write_report

    levels = tuple(one for one in Level if one in request.levels)
    request = replace(request, levels=levels, output=output.name or str(output))
    if output != STANDARD_OUTPUT:
        if output.suffix:
            check_writable(output)
        check_format(output)
        if not output.suffix:
            check_folder(output)
    if tables is not None:
        check_folder(tables)
    with open_sound(study) as opened:
        work = build_report(opened, request)
        built = run_with_progress(work, "Creating the report", "No report was written.")
    if output == STANDARD_OUTPUT:
        write_html(built, output)
    else:
        files = run_with_progress(write_report(built, output), "Writing the report", "No report was written.")
        counted = "" if files == [output] else f" ({pluralize(len(files), 'file')})"
        print_message(f"Report saved to {output}{counted}.")
    if tables is not None:
        print_message(f"Wrote {len(write_csv(built, tables))} tables to {tables}.")


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
    from cli.opening import open_sound
    from core.files.allowed_names import NameKind, allowed_names
    from core.files.study_address import parse_study_address
    from core.models.runtime.devices import check_name
    from core.report.document import read_document, to_json
    from core.report.recompute import recompute_report
    from core.report.replay import compare_reports, read_report

    check_name(device)
    for command in allow or ():
        allowed_names().allow(NameKind.COMMAND, command)
    read = read_report(report)
    address = parse_study_address(study) if study else _study_near(report, read.document)
    with tempfile.TemporaryDirectory() as folder:
        copy = _copy(address, Path(folder))
        with open_sound(copy) as opened:
            work = recompute_report(opened, read.document, device, uses_stored_scores=stored_scores)
            again, kept, notes = run_with_progress(work, "Replaying", "Nothing was compared.")
    labels = [label for one in kept for label in one.measures]
    result = compare_reports(read.document, read_document(to_json(again), "The new report"), labels)
    differences = (*read.changed, *result.differences)
    if as_json:
        print_json(
            {
                "report": str(report),
                "study": str(address),
                "numbers": result.numbers,
                "numbers_of_stored_scores": result.kept,
                "not_recomputed": [asdict(one) for one in kept],
                "largest_relative_difference": result.largest,
                "differences": [asdict(one) for one in differences],
                "notes": [*result.notes, *notes],
            }
        )
    else:
        _print_result(result, differences, kept, [*result.notes, *notes])
    raise typer.Exit(1 if differences else 0)


def _copy(address: StudyAddress, folder: Path) -> Path:
    if not isinstance(address, Path):
        raise InputError("A study on a server cannot be replayed. Make a copy as a file first.")
    if not address.is_file():
        raise InputError(f"{printable_path(address)} does not exist. Name the report's study with --study.")
    from storage.study_file import backup

    copy = folder / address.name
    backup(address, copy)
    return copy


def _study_near(path: Path, document: ReportDocument) -> Path:
    name = Path(document.study.file).name
    places = [path.parent, path.parent.parent, Path.cwd()]
    for place in places:
        if name and (place / name).is_file():
            return place / name
    raise InputError(
        f"The report's study, {printable_path(name)}, is not next to the report. Name it with --study."
    )


def _print_result(
    result: ReplayResult, differences: tuple[Difference, ...], kept: list[KeptScores], notes: list[str]
) -> None:
    for note in notes:
        print_message(note)
    for one in kept:
        print_message(f"Not recomputed: {', '.join(one.measures)}: {one.reason}")
    if differences:
        heads = {"place": "Place", "reported": "Report", "recomputed": "Recomputed"}
        print_table([asdict(one) for one in differences[:MOST_LISTED]], heads)
        if len(differences) > MOST_LISTED:
            print_message(f"{len(differences) - MOST_LISTED:,} more differences; --json lists all.")
    if not result.numbers and not differences:
        print_message("The report has no numbers to compare.")
        return
    compared = f"{pluralize(result.numbers, 'number')} compared"
    if result.kept:
        compared += f", {result.kept:,} of them computed from stored scores"
    if not differences:
        digits = f" Largest relative difference: {result.largest:.1g}." if result.largest else ""
        print_message(f"{compared}: all are reproduced.{digits}")
    else:
        print_message(f"{compared}: {pluralize(len(differences), 'value differs', 'values differ')}.")
