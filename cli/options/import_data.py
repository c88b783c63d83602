"""Options for reading import files, by format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import typer

from core.errors import InputError

_SCALE = re.compile(r"(?P<low>-?\d+(\.\d+)?)-(?P<high>-?\d+(\.\d+)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Columns, rating scale and file format of a table."""

    column: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="COLUMN=NAME",
            help="table, columns, data-set: name of a column in the file, such as topic=doc_id, "
            "rating:quality=Q1, rating:quality@ann=Q2 or summary:bart=bart. Can be repeated.",
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="columns, data-set: column of the file to leave out. Can be repeated."
        ),
    ] = None
    scale: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="Tables: rating scale, such as 1-5 or -2-2.")
    ] = "1-5"
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Tables: encoding of the file, such as utf-16 or windows-1252. Default: UTF-8, or UTF-16 by "
            "its first bytes.",
        ),
    ] = ""
    separator: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Tables: comma, semicolon, tab or bar. Default: detected from the first rows.",
        ),
    ] = ""
    part: Annotated[
        str, typer.Option(metavar="NAME", help="Tables: sheet of a workbook, or split of a data set.")
    ] = ""

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name. Raises InputError."""
        read = {"encoding": self.encoding, "separator": self.separator, "part": self.part}
        ignored = {f"map.ignore:{column}": column for column in self.ignore or ()}
        return {**self._mapping(), **ignored, **self._ends(), **{k: v for k, v in read.items() if v}}

    def _mapping(self) -> dict[str, str]:
        pairs = [column.partition("=") for column in self.column or ()]
        for ours, equals, theirs in pairs:
            if not ours or not equals or not theirs:
                raise InputError(
                    f"--map {ours}{equals}{theirs}: expected COLUMN=NAME, such as --map topic=doc_id."
                )
        return {f"map.{ours}": theirs for ours, _, theirs in pairs}

    def _ends(self) -> dict[str, str]:
        ends = _SCALE.fullmatch(self.scale.replace(" ", ""))
        if ends is None or float(ends["low"]) >= float(ends["high"]):
            raise InputError(
                f"--scale {self.scale}: expected LOW-HIGH with the lower end first, such as 1-5 or -2-2."
            )
        return ends.groupdict()


@dataclass(frozen=True, slots=True)
class DucviewOptions:
    """File names and layout of DUCView files."""

    pattern: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="ducview: pattern of file names, such as {topic}.{system}.pan. Fields: topic, system, "
            "annotator, author (of a human summary); * matches any text. Can be repeated. Default: common "
            "patterns.",
        ),
    ] = None
    annotator: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="ducview, nuggets, lite2pyramid, rose, mt-metrics-eval, annotation tools: annotator, if "
            "the file names none. Default: the name of the format; nuggetizer; imported (columns).",
        ),
    ] = ""
    split: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="ducview: where references begin if the file does not mark it: `proposed`, line numbers "
            "such as 1,9,20, or a regular expression that matches the heading of each reference.",
        ),
    ] = ""
    repair: Annotated[
        bool,
        typer.Option("--repair", help="ducview: move misplaced spans to the text that they quote."),
    ] = False

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name; without those not given."""
        options = {"pattern": ";".join(self.pattern or ()), "annotator": self.annotator, "split": self.split}
        repair = {"repair": "yes"} if self.repair else {}
        return {key: value for key, value in options.items() if value} | repair


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """Folders that an import may read from, and how offsets in texts count."""

    allow_outside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="rouge-settings: also read texts from FOLDER, outside the folder of the settings file. "
            "Can be repeated. `--dry-run` lists the folders needed.",
        ),
    ] = None

    offsets: Annotated[
        str,
        typer.Option(
            metavar="UNIT",
            help="doccano: what offsets count: `utf-16`, or `graphemes` if the project counts grapheme "
            "clusters as one character.",
        ),
    ] = ""

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name."""
        outside = {"outside": ";".join(self.allow_outside)} if self.allow_outside else {}
        return outside | ({"offsets": self.offsets} if self.offsets else {})
