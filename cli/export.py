"""`pyramidion export`."""

from __future__ import annotations

from pathlib import Path

from cli.console import follow, say
from core.report.numbers import counted
from storage.exchange.writing import find, writing
from storage.study_file import open_study


def export_study(path: Path, what: str, name: str, output: Path) -> None:
    """Write a part of a study to a file, or to a folder where the format has many."""
    export = find(what, name)
    with open_study(path) as study:
        left = "Files that are complete stay." if export.fill else "No file was written."
        rows = follow(writing(study, export, output), "writing", left)
    say(f"{output} holds {counted(rows, 'file' if export.fill else 'row')}.")
