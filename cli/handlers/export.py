"""`pyramidion export`."""

from __future__ import annotations

from pathlib import Path

from cli.console import follow, say
from cli.opening import open_sound
from cli.output import export_to
from core.comparison.cautions import notes
from core.comparison.measures import measures
from core.files.atomic_write import STANDARD_OUTPUT
from core.formatting.numbers import counted
from storage.formats.export_registry import writing

_SCORES = ("scores", "humans")
"""What has numbers that metrics may have left out, of which the file then has no row to note it in."""


def export_study(path: Path, what: str, name: str, output: Path) -> None:
    """Write a part of a study to a file, or to a folder where the format has many.

    name: of the format, empty = as the file's suffix says.
    """
    export = export_to(what, name, output)
    with open_sound(path) as study:
        rows = follow(writing(study, export, output), "writing", "Nothing was written.")
        said = notes(study, measures(study, check_stale=False)) if what in _SCORES else []
    for sentence in said:
        say(sentence)
    place = "Standard output" if output == STANDARD_OUTPUT else str(output)
    say(f"{place} holds {counted(rows, 'file' if export.fill else 'row')}.")
