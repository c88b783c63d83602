"""`pyramidion export`."""

from __future__ import annotations

from pathlib import Path

from cli.console import print_message, run_with_progress
from cli.opening import open_sound
from cli.output import export_to
from core.comparison.cautions import metric_notes
from core.comparison.measures import measures
from core.files.atomic_write import STANDARD_OUTPUT
from core.formatting.numbers import pluralize
from storage.formats.export_registry import export_steps

_SCORES = ("scores", "humans")
"""Content whose missing values are explained by messages, as the file has no row for them."""


def export_study(path: Path, what: str, name: str, output: Path) -> None:
    """Write some content of a study to a file, or to a folder for formats of several files.

    name: the format, empty = by the suffix of the file.
    """
    export = export_to(what, name, output)
    with open_sound(path) as study:
        rows = run_with_progress(export_steps(study, export, output), "writing", "Nothing was written.")
        notes = metric_notes(study, measures(study, check_stale=False)) if what in _SCORES else []
    for note in notes:
        print_message(note)
    target = "standard output" if output == STANDARD_OUTPUT else str(output)
    print_message(f"Wrote {pluralize(rows, 'file' if export.fill else 'row')} to {target}.")
