"""`pyramidion merge`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from cli.handlers.restore import back_up_before
from core.domain.annotation_merge import (
    MergeOutcome,
    MergeReport,
    conflict_sentence,
    detached_sentence,
    removal_sentence,
)
from core.errors import InputError
from core.files.study_address import StudyAddress
from storage.formats.annotation_packs import read_packs
from storage.study_file import open_study

SCHEMA_VERSION = 1
"""Version of the JSON document; raised when a key changes its meaning."""

_MOST_LISTED = 20
"""Updates that remove work in a message."""

_HEADS = {
    MergeOutcome.ADDED: "Added",
    MergeOutcome.UPDATED: "Updated",
    MergeOutcome.EQUAL: "Equal",
    MergeOutcome.CONTAINED: "Already included",
    MergeOutcome.CONFLICT: "Conflict",
}


def merge_annotations(
    study_path: StudyAddress, paths: Sequence[Path], *, dry_run: bool, may_remove: bool, as_json: bool
) -> None:
    """Merge annotation packs or studies into a study, or show the effect.

    may_remove: also where an update removes more of an annotator's work than it adds.
    Raises BadImport with every difference if they were made on other texts, InputError where an update
    removes work and this is not allowed.
    """
    packs = run_with_progress(read_packs(study_path, paths), "reading", "Nothing was written.")
    with open_study(study_path) as study:
        require_writable(study)
        if not dry_run and not may_remove:
            _check_losses(study.merge_annotations(packs, dry_run=True))
        if not dry_run:
            back_up_before(study_path, "the merge")
        report = study.merge_annotations(packs, dry_run=dry_run)
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "dry_run": dry_run,
                "works": [asdict(work) for work in report.works],
                "conflicts": [asdict(conflict) for conflict in report.conflicts],
                "detached": [asdict(matches) for matches in report.detached],
                "notes": list(report.notes),
            }
        )
        return
    _print(report, dry_run=dry_run)


def _check_losses(report: MergeReport) -> None:
    """Raise InputError where an update removes more of an annotator's work than it adds."""
    if losses := report.losses:
        listed = "\n".join(map(removal_sentence, losses[:_MOST_LISTED]))
        more = f"\nand {len(losses) - _MOST_LISTED} more" if len(losses) > _MOST_LISTED else ""
        raise InputError(
            f"{listed}{more}\nNothing was merged. Ask the annotator; if this is right, use --remove."
        )


def _print(report: MergeReport, *, dry_run: bool) -> None:
    rows = []
    for file, annotator in dict.fromkeys((work.file, work.annotator) for work in report.works):
        outcomes = [work.outcome for work in report.works if (work.file, work.annotator) == (file, annotator)]
        counts = {outcome.value: str(outcomes.count(outcome)) for outcome in MergeOutcome}
        rows.append({"file": file, "annotator": annotator, **counts})
    heads = {outcome.value: head for outcome, head in _HEADS.items() if report.count(outcome)}
    print_table(
        rows,
        {"file": "File", "annotator": "Annotator", **heads},
        title="Topics merged" if not dry_run else "Topics that would be merged",
        right=tuple(heads),
    )
    for conflict in report.conflicts:
        print_message(f"Conflict: {conflict_sentence(conflict)}")
    removals = filter(None, map(removal_sentence, report.works))
    for sentence in (*removals, *map(detached_sentence, report.detached), *report.notes):
        print_message(sentence)
    if dry_run:
        print_message("Nothing was written.")
