"""Options for the output format of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import Json


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """A formatted table by default; JSON or CSV on request, not both."""

    as_json: Json = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise typer.BadParameter("--json and --csv exclude each other; choose one")
