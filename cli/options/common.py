"""Options that verbs of every kind share."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Study = Annotated[Path, typer.Argument(help="The study, a .pyramidion file.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Output = Annotated[
    Path,
    typer.Option(
        "--output", "-o", help="The file to write, .html; - is standard output.", show_default=False
    ),
]
Results = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="A folder for tables as CSV, LaTeX and Markdown and figures as SVG and PDF.",
        show_default=False,
    ),
]
Device = Annotated[
    str, typer.Option(help="auto, cpu, cuda, cuda:1 or mps; changes speed, no reported digit.")
]


class OnOff(StrEnum):
    """Whether something holds."""

    ON = "on"
    OFF = "off"


Switch = Annotated[
    OnOff | None, typer.Argument(help="on or off; leave it out to be told.", show_default=False)
]


def names(listed: str) -> list[str]:
    """Names with commas between; one that holds a comma stands in double quotes, as in CSV."""
    rows = csv.reader([listed], skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def chosen_names(listed: str | None, option: str) -> list[str]:
    """The names that an option gives, none = it was not given. One that names nobody is no choice of all."""
    if listed is None:
        return []
    found = names(listed)
    if not found:
        raise typer.BadParameter(f"{option} names nobody; leave it out for all")
    return found
