"""`pyramidion export`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli.console import print_message, run_with_progress
from cli.opening import open_sound
from cli.output import export_to
from core.comparison.cautions import metric_notes
from core.comparison.measures import measures
from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from storage.formats.export_formats import ANNOTATIONS, annotation_lines
from storage.formats.export_registry import export_steps

_PACK = "pack"
_SCORES = ("scores", "humans")
"""Content whose missing values are explained by messages, as the file has no row for them."""


def export_study(
    path: StudyAddress, what: str, name: str, output: Path, annotators: Sequence[str] = ()
) -> None:
    """Write some content of a study to a file, or to a folder for formats of several files.

    name: the format, empty = by the suffix of the file. annotators: for annotations, empty = all.
    """
    export = export_to(what, name, output)
    if annotators and not (what == ANNOTATIONS and export.format == _PACK):
        subject = f"{what} as {export.format}" if what == ANNOTATIONS else what
        raise InputError(
            f"--annotator has no effect on {subject}. Use it with --what {ANNOTATIONS} --format {_PACK}, or "
            "omit it."
        )
    if annotators:
        export = replace(export, records=partial(annotation_lines, annotators=annotators))
    with open_sound(path) as study:
        rows = run_with_progress(export_steps(study, export, output), "writing", "Nothing was written.")
        notes = metric_notes(study, measures(study, check_stale=False)) if what in _SCORES else []
    for note in notes:
        print_message(note)
    target = "standard output" if output == STANDARD_OUTPUT else str(output)
    count = "the annotations" if what == ANNOTATIONS else pluralize(rows, "file" if export.fill else "row")
    print_message(f"Wrote {count} to {target}.")
