"""The command `merge`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.commands.restore import back_up_before
from cli.console import print_json, print_message, print_table
from cli.options import Json, Study
from core.errors import InputError
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.domain.annotation_merge import MergeReport


SCHEMA_VERSION = 1
"""Version of the JSON document; raised when a key changes its meaning."""

_HEADS = {
    "added": "Added",
    "updated": "Updated",
    "equal": "Equal",
    "contained": "Already included",
    "conflict": "Conflict",
}

_MOST_LISTED = 20
"""Updates that remove work in a message."""


def merge(
    path: Study,
    packs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PACK...",
            help="Files of `export --what annotations`, or whole studies (.pyramidion).",
            show_default=False,
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be merged; change nothing.")
    ] = False,
    remove: Annotated[
        bool,
        typer.Option("--remove", help="Merge updates that remove more of an annotator's work than they add."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Merge the annotations of others who worked on copies of a study.

    What one annotator changed in two copies at once is kept twice. A later version of an annotator's work
    replaces an earlier one; where it removes more than it adds, nothing is merged without --remove. Merging
    again changes nothing, and the order does not matter.
    """
    from core.ports import require_writable
    from storage.formats.annotation_packs import read_packs
    from storage.study_file import open_study

    read = run_with_progress(read_packs(path, packs), "reading", "Nothing was written.")
    with open_study(path) as study:
        require_writable(study)
        if not dry_run and not remove:
            _check_losses(study.merge_annotations(read, dry_run=True))
        if not dry_run:
            back_up_before(path, "the merge")
        report = study.merge_annotations(read, dry_run=dry_run)
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
    from core.domain.annotation_merge import removal_sentence

    if losses := report.losses:
        listed = "\n".join(map(removal_sentence, losses[:_MOST_LISTED]))
        more = f"\nand {len(losses) - _MOST_LISTED} more" if len(losses) > _MOST_LISTED else ""
        raise InputError(
            f"{listed}{more}\nNothing was merged. Ask the annotator; if this is right, use --remove."
        )


def _print(report: MergeReport, *, dry_run: bool) -> None:
    from core.domain.annotation_merge import (
        MergeOutcome,
        conflict_sentence,
        detached_sentence,
        removal_sentence,
    )

    rows = []
    for file, annotator in dict.fromkeys((work.file, work.annotator) for work in report.works):
        outcomes = [work.outcome for work in report.works if (work.file, work.annotator) == (file, annotator)]
        counts = {outcome.value: str(outcomes.count(outcome)) for outcome in MergeOutcome}
        rows.append({"file": file, "annotator": annotator, **counts})
    heads = {outcome.value: _HEADS[outcome.value] for outcome in MergeOutcome if report.count(outcome)}
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
