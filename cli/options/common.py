"""Options and arguments that many commands share."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import InputError
from core.files.study_address import StudyAddress, is_server_url, parse_study_address

_HELP = "Study file (.pyramidion), or URL of a study on a server."
_FILE_HELP = "Study file (.pyramidion)."
_SOURCES_HELP = "Folder of .txt files, table (.csv, .tsv, .jsonl) or study (.pyramidion or URL)."
_STUDIES_HELP = "Studies, at least two: files (.pyramidion) or URLs."


def _study_argument(help_text: str = _HELP, metavar: str = "study") -> Any:
    """Return the argument of studies; a value is a file or an address on a server."""
    return typer.Argument(parser=parse_study_address, metavar=metavar, help=help_text, show_default=False)


def _study_file(text: str) -> Path:
    if is_server_url(text):
        raise InputError(
            "This command works on study files only. Back up a study on a server with `pg_dump` and restore "
            "it with `pg_restore`."
        )
    return Path(text)


if TYPE_CHECKING:
    Study = StudyAddress
    OptionalStudy = StudyAddress | None
    Studies = list[StudyAddress]
    Sources = list[StudyAddress]
else:  # typer takes no union of types
    Study = Annotated[str, _study_argument()]
    OptionalStudy = Annotated[str | None, _study_argument()]
    Studies = Annotated[list[str], _study_argument(_STUDIES_HELP, "studies")]
    Sources = Annotated[list[str], _study_argument(_SOURCES_HELP, "SOURCE")]
StudyFile = Annotated[
    Path, typer.Argument(parser=_study_file, metavar="study", help=_FILE_HELP, show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Editor = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Annotator who makes the change and can undo it in the window. Default: nobody.",
        show_default=False,
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="File to write (.html, .pdf, .docx, .xlsx, .json, .bib), or a folder for all formats, LaTeX "
        "and Markdown too; - for HTML on standard output.",
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
