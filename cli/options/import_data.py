"""How files of several formats are to be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import typer

from core.errors import InputError

_SCALE = re.compile(r"(?P<low>-?\d+(\.\d+)?)-(?P<high>-?\d+(\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table's columns are called, and its scale."""

    column: Annotated[
        list[str] | None,
        typer.Option("--map", help="COLUMN=NAME: a table's own name for a column, as topic=doc_id."),
    ] = None
    scale: Annotated[
        str, typer.Option(help="LOW-HIGH: the ends of a table's rating scale, as 1-5 or -2-2.")
    ] = "1-5"

    def told(self) -> dict[str, str]:
        """The same for a reader, by its options' names. Raises InputError."""
        return {**self._mapping(), **self._ends()}

    def _mapping(self) -> dict[str, str]:
        pairs = [column.partition("=") for column in self.column or ()]
        for ours, equals, theirs in pairs:
            if not ours or not equals or not theirs:
                raise InputError(f"--map {ours}{equals}{theirs}: write COLUMN=NAME, as --map topic=doc_id.")
        return {f"map.{ours}": theirs for ours, _, theirs in pairs}

    def _ends(self) -> dict[str, str]:
        ends = _SCALE.fullmatch(self.scale.replace(" ", ""))
        if ends is None or float(ends["low"]) >= float(ends["high"]):
            raise InputError(f"--scale {self.scale}: write LOW-HIGH, the lower end first, as 1-5 or -2-2.")
        return ends.groupdict()


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names of DUCView's files say, and where references lie in them."""

    pattern: Annotated[
        list[str] | None,
        typer.Option(
            help="ducview: how files are named, as {topic}.{system}.pan; fields topic, system, annotator and "
            "author (of a summary by a person), * = anything; may be repeated. Default: usual ones are tried."
        ),
    ] = None
    annotator: Annotated[
        str, typer.Option(help="ducview: who annotated, where no file name says it. Default: ducview.")
    ] = ""
    split: Annotated[
        str,
        typer.Option(
            help="ducview: where references begin if a file does not say it: proposed, lines as 1,9,20, or a "
            "regular expression that finds what heads each of them."
        ),
    ] = ""
    repair: Annotated[
        bool,
        typer.Option("--repair", help="ducview: move spans that miss their words to where these stand."),
    ] = False

    def told(self) -> dict[str, str]:
        """The same for a reader, by its options' names; what is not given is left out."""
        given = {"pattern": ";".join(self.pattern or ()), "annotator": self.annotator, "split": self.split}
        repair = {"repair": "yes"} if self.repair else {}
        return {key: value for key, value in given.items() if value} | repair


@dataclass(frozen=True, slots=True)
class Places:
    """Where the texts lie that a file names."""

    allow_outside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="rouge-settings: also read texts in this folder, outside of the file's own; may be "
            "repeated. --dry-run lists them.",
        ),
    ] = None

    def told(self) -> dict[str, str]:
        """The same for a reader, by its options' names."""
        return {"outside": ";".join(self.allow_outside)} if self.allow_outside else {}
