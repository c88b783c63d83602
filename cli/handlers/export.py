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
"""What has numbers that metrics may have left out, of which the file then has no row to note it in."""


def export_study(path: Path, what: str, name: str, output: Path) -> None:
    """Write a part of a study to a file, or to a folder where the format has many.

    name: of the format, empty = as the file's suffix says.
    """
    export = export_to(what, name, output)
    with open_sound(path) as study:
        rows = run_with_progress(export_steps(study, export, output), "writing", "Nothing was written.")
        said = metric_notes(study, measures(study, check_stale=False)) if what in _SCORES else []
    for sentence in said:
        print_message(sentence)
    place = "Standard output" if output == STANDARD_OUTPUT else str(output)
    print_message(f"{place} holds {pluralize(rows, 'file' if export.fill else 'row')}.")
