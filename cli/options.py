"""Options that several verbs share."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

Study = Annotated[Path, typer.Argument(help="The study, a .pyramidion file.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Csv = Annotated[bool, typer.Option("--csv", help="CSV on standard output.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write.", show_default=False)]
Device = Annotated[
    str, typer.Option(help="auto, cpu, cuda, cuda:1 or mps; changes speed, no reported digit.")
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


class OnOff(StrEnum):
    """Whether something holds."""

    ON = "on"
    OFF = "off"


class SystemsName(StrEnum):
    """Which systems take part."""

    AUTOMATIC = "automatic"
    ALL = "all"
    WITH_HUMANS = "with-humans"


class UndefinedName(StrEnum):
    """What becomes of a correlation that does not exist."""

    SKIP = "skip"
    ZERO = "zero"
    ERROR = "error"


class LevelName(StrEnum):
    """How a correlation pools."""

    SYSTEM = "system"
    TOPIC = "topic"
    GLOBAL = "global"


class CoefficientName(StrEnum):
    """Which correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"
    KENDALL_C = "kendall-c"
    TAU = "tau"
    ACCURACY = "accuracy"


Systems = Annotated[
    SystemsName,
    typer.Option(
        help="automatic = systems and baselines; all = summaries written by people too; with-humans = "
        "systems and each reference, scored by the others (after score --humans)."
    ),
]
Undefined = Annotated[
    UndefinedName,
    typer.Option(
        help="A correlation that does not exist (one side constant, or fewer than three pairs): "
        "skip = leave it out, zero = count it as 0, error = stop."
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        help="Whose ratings and matches count: names or groups, with commas between. "
        "Default: ratings by the group expert, or by everybody where it rated nothing; matches by everybody."
    ),
]
