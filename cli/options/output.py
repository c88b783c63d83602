"""In what form a verb prints what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import Json


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """A table for people unless JSON or CSV is asked for; never both."""

    as_json: Json = False
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output.")] = False

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise typer.BadParameter("choose one of --json and --csv")
