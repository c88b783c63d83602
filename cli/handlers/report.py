"""`pyramidion report` and `pyramidion replay`."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cli.console import print_json, print_message, print_table
from cli.opening import open_sound
from core.comparison.measures import measures
from core.errors import InputError
from core.files.allowed_names import NameKind, allowed_names
from core.files.atomic_write import STANDARD_OUTPUT, check_folder, check_writable
from core.files.paths import printable_path
from core.files.programs import command_problem
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.metrics.base import Need
from core.ports import MetricConfig, Study
from core.progress import JobSteps, run_with_progress
from core.report.build import build_report
from core.report.document import options_of, report_document
from core.report.formats.html import write_csv, write_html
from core.report.formats.write import check_format, write_report
from core.report.model import Report, ReportOptions
from core.report.replay import Difference, ReplayResult, compare_reports, read_report
from core.scoring import engine
from core.scoring.engine import RunReport, ScoringConfig
from core.scoring.engine_tools import StudyResources
from core.scoring.experiment_scores import score_and_promote
from core.scoring.plan import config_from_stored
from core.scoring.process_pool import cores, local_workers
from storage.study_file import backup

MOST_LISTED = 50
"""Differences that are listed."""


def report_study(path: StudyAddress, output: Path, tables: Path | None, options: ReportOptions) -> None:
    """Write the report of a study, and its tables as CSV files if a folder is given."""
    if output != STANDARD_OUTPUT:
        if output.suffix:
            check_writable(output)
        check_format(output)
        if not output.suffix:
            check_folder(output)
    if tables is not None:
        check_folder(tables)
    options = replace(options, output=output.name or str(output))
    with open_sound(path) as study:
        report = run_with_progress(
            build_report(study, options), "Creating the report", "No report was written."
        )
    if output == STANDARD_OUTPUT:
        write_html(report, output)
    else:
        files = run_with_progress(
            write_report(report, output), "Writing the report", "No report was written."
        )
        counted = "" if files == [output] else f" ({pluralize(len(files), 'file')})"
        print_message(f"Report saved to {output}{counted}.")
    if tables is not None:
        print_message(f"Wrote {len(write_csv(report, tables))} tables to {tables}.")


@dataclass(frozen=True, slots=True)
class KeptScores:
    """Scores that were not computed again. measures: labels. reason: why, with a remedy."""

    measures: tuple[str, ...]
    reason: str


def replay_report(
    path: Path,
    study: StudyAddress | None,
    device: str,
    *,
    uses_stored_scores: bool,
    as_json: bool,
    allowed: Sequence[str] = (),
) -> int:
    """Recompute every number of a report on a copy of its study. Returns 1 where anything differs.

    study: None = the file of the report's study, in the report's folder or the current one.
    uses_stored_scores: compare with the scores in the study instead of scoring again.
    allowed: commands of external metrics that may be run.
    """
    for command in allowed:
        allowed_names().allow(NameKind.COMMAND, command)
    read = read_report(path)
    address = study or _study_near(path, read.document)
    with tempfile.TemporaryDirectory() as folder:
        copy = _copy(address, Path(folder))
        with open_sound(copy) as opened:
            work = _recompute(opened, read.document, device, uses_stored_scores=uses_stored_scores)
            report, kept, notes = run_with_progress(work, "Replaying", "Nothing was compared.")
    labels = [label for one in kept for label in one.measures]
    result = compare_reports(read.document, report_document(report), labels)
    differences = (*read.changed, *result.differences)
    if as_json:
        print_json(
            {
                "report": str(path),
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
    return 1 if differences else 0


def _copy(address: StudyAddress, folder: Path) -> Path:
    if not isinstance(address, Path):
        raise InputError("A study on a server cannot be replayed. Make a copy as a file first.")
    if not address.is_file():
        raise InputError(f"{printable_path(address)} does not exist. Name the report's study with --study.")
    copy = folder / address.name
    backup(address, copy)
    return copy


def _study_near(path: Path, document: Mapping[str, Any]) -> Path:
    name = Path(str(document["study"]["file"])).name
    places = [path.parent, path.parent.parent, Path.cwd()]
    for place in places:
        if name and (place / name).is_file():
            return place / name
    raise InputError(
        f"The report's study, {printable_path(name)}, is not next to the report. Name it with --study."
    )


def _recompute(
    study: Study, document: Mapping[str, Any], device: str, *, uses_stored_scores: bool
) -> JobSteps[tuple[Report, list[KeptScores], list[str]]]:
    """Score a copy of a study again and build its report; returns what was not scored, and notes, too."""
    kept: list[KeptScores] = []
    notes: list[str] = []
    if not uses_stored_scores:
        kept, notes = yield from _score_again(study, document, device)
    report = yield from build_report(study, options_of(document))
    return report, kept, notes


def _score_again(
    study: Study, document: Mapping[str, Any], device: str
) -> JobSteps[tuple[list[KeptScores], list[str]]]:
    """Delete the scores of the report's metrics and compute them again.

    Scores that cannot be computed here are kept. Returns these, and notes on failures.
    """
    tools = StudyResources(study, device)
    kept: list[KeptScores] = []
    stored: dict[ScoringConfig, MetricConfig] = {}
    for config in study.scores.configs():
        if config.signature not in document["signatures"]:
            continue
        if config.is_imported:
            kept.append(KeptScores(_labels(study, config), "they were imported."))
            continue
        try:
            scoring = config_from_stored(config)
        except InputError as error:  # of another version, or of a package that is not installed
            kept.append(KeptScores(_labels(study, config), str(error)))
            continue
        if problem := _program_problem(scoring):
            kept.append(KeptScores(_labels(study, config), problem))
        elif (here := scoring.signature(tools)) != config.signature:
            kept.append(KeptScores(_labels(study, config), f"their signature here is {here}."))
        else:
            stored[scoring] = config
    for refused in engine.plan(study, list(stored), tools).refused:
        kept.append(KeptScores(_labels(study, stored.pop(refused.config)), refused.reason))
    for config in stored.values():
        study.scores.remove(config.signature).result()
    plan = engine.plan(study, list(stored), tools)
    report: RunReport = yield from score_and_promote(study, plan, tools, local_workers(study, plan, cores()))
    notes = [f"{metric} was not computed: {why}" for metric, why in report.refusals.items()]
    return kept, [*notes, *(f"{one.topic}: {one.message}" for one in report.failures)]


def _program_problem(scoring: ScoringConfig) -> str:
    """Return why a metric's program is not run, empty if it is or if there is none."""
    metric = scoring.metric
    if Need.PROGRAM not in metric.needs:
        return ""
    command = str(getattr(metric, metric.program_setting))
    if allowed_names().has(NameKind.COMMAND, command):
        return command_problem(command)
    allow = shlex.join(["--allow", command])
    return f"the command {command!r} is not allowed. If you trust it, use {allow}."


def _labels(study: Study, config: MetricConfig) -> tuple[str, ...]:
    return tuple(ref.label for ref in measures(study) if ref.signature == config.signature)


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
