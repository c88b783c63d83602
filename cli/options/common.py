"""Options and arguments that many commands share."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Study = Annotated[Path, typer.Argument(help="Study file (.pyramidion).", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="HTML file to write; - for standard output.",
        show_default=False,
    ),
]
Results = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Also write tables (CSV, LaTeX, Markdown) and figures (SVG, PDF) to this folder.",
        show_default=False,
    ),
]
Device = Annotated[
    str,
    typer.Option(
        metavar="DEVICE",
        help="Device for neural models: auto, cpu, cuda, cuda:1 or mps. Does not change any reported digit.",
    ),
]


class OnOff(StrEnum):
    """State of a switch."""

    ON = "on"
    OFF = "off"


Switch = Annotated[
    OnOff | None, typer.Argument(help="on or off; without it, show the current state.", show_default=False)
]


def names(listed: str) -> list[str]:
    """Split a comma-separated list of names; a name with a comma is in double quotes, as in CSV."""
    rows = csv.reader([listed], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def chosen_names(listed: str | None, option: str) -> list[str]:
    """Return the names in an option's value; empty if the option is not given.

    Raises BadParameter where the value contains no name.
    """
    if listed is None:
        return []
    chosen = names(listed)
    if not chosen:
        raise typer.BadParameter(f"{option} contains no name; omit it to include all")
    return chosen
