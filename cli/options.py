"""Options that commands share, and options from the fields of dataclasses and of requests."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import typer

from cli.completion import coefficient_names, completing, metric_names, one_of
from core.errors import BadRequest, InputError
from core.files.study_address import StudyAddress, is_server_url, parse_study_address
from core.operations.options import Option

_HELP = "Study file (.pyramidion), or URL of a study on a server."
_FILE_HELP = "Study file (.pyramidion)."
_SOURCES_HELP = "Folder of .txt files, table (.csv, .tsv, .jsonl) or study (.pyramidion or URL)."
_STUDIES_HELP = "Studies, at least two: files (.pyramidion) or URLs."


def _study_argument(help_text: str = _HELP, metavar: str = "study") -> Any:
    """Return the argument of studies; a value is a file or an address on a server."""
    return typer.Argument(parser=parse_study_address, metavar=metavar, help=help_text, show_default=False)


def output_option(metavar: str, help_text: str) -> Any:
    """Return the option -o of a command: where it writes."""
    return typer.Option("--output", "-o", metavar=metavar, help=help_text, show_default=False)


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
    output_option(
        "PATH",
        "File to write (.html, .pdf, .docx, .xlsx, .json, .bib), or a folder for all formats, LaTeX "
        "and Markdown too; - for HTML on standard output.",
    ),
]
Results = Annotated[
    Path | None,
    output_option(
        "FOLDER", "Also write tables (CSV, LaTeX, Markdown) and figures (SVG, PDF) to this folder."
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


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """A formatted table by default; JSON or CSV on request, not both."""

    as_json: Json = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise typer.BadParameter("--json and --csv exclude each other; choose one")


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Declared:
    """A field or parameter: its type, and its declaration; None = the type is typer's already."""

    name: str
    hint: Any
    option: Option | None

    @classmethod
    def of(cls, name: str, hint: Any) -> _Declared:
        marks = getattr(hint, "__metadata__", ())
        return cls(name, hint, next((mark for mark in marks if isinstance(mark, Option)), None))

    @property
    def flag(self) -> str:
        return (self.option or Option("")).flag_of(self.name)

    def parameter(self, kind: Any, default: Any) -> Parameter:
        """Return the parameter that typer reads."""
        if self.option is None:
            return Parameter(self.name, kind, default=default, annotation=self.hint)
        value, option = get_args(self.hint)[0], self.option
        is_tuple = get_origin(value) is tuple
        each: Any = get_args(value)[0] if is_tuple or get_origin(value) in (Union, UnionType) else value
        if get_origin(each) is Literal:
            enumeration: Callable[..., Any] = StrEnum
            each = enumeration(self.name, [(text, text) for text in get_args(each)])
        metavar, more = option.metavar or None, dict[str, Any]()
        if isinstance(each, type) and issubclass(each, StrEnum):
            listed, more = "|".join(each), one_of(each)
            metavar, value = f"<list[{listed}]>" if is_tuple else f"<{listed}>", each
        elif option.metavar in _COMPLETED:
            more = {"autocompletion": completing(_COMPLETED[option.metavar])}
        if is_tuple:
            several: Any = list
            value, default = str | None if option.is_listed else several[each] | None, None
        declared = typer.Option(
            *self.flag.split(), metavar=metavar, min=option.low, max=option.high, help=option.help, **more
        )
        return Parameter(self.name, kind, default=default, annotation=Annotated[value, declared])

    def value(self, given: Any) -> Any:
        """Return an argument as the request takes it."""
        if self.option is None or get_origin(get_args(self.hint)[0]) is not tuple:
            return given
        return tuple(chosen_names(given, self.flag) if self.option.is_listed else given or ())


def expand_option_groups(command: Callable[..., R]) -> Callable[..., R]:
    """Replace each dataclass parameter of a command by one option per field, for typer.

    Fields and parameters whose types have an `Option` become options. BadRequest becomes BadParameter.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    members = {name: _members(kind) for name, kind in groups.items()}
    own = {name: _Declared.of(name, hint) for name, hint in hints.items() if name not in groups}
    flat: list[Parameter] = []
    for p in signature(command).parameters.values():
        if p.name in groups:
            defaults = {field.name: field.default for field in fields(groups[p.name])}
            flat += [each.parameter(p.kind, defaults[each.name]) for each in members[p.name]]
        else:
            flat.append(own[p.name].parameter(p.kind, p.default))

    @wraps(command)
    def run(**given: Any) -> R:
        try:
            arguments = {name: own[name].value(value) for name, value in given.items() if name in own}
            for name, kind in groups.items():
                values = {each.name: each.value(given[each.name]) for each in members[name]}
                arguments[name] = kind(**{key: value for key, value in values.items() if value != ()})
            return command(**arguments)
        except BadRequest as error:
            raise typer.BadParameter(str(error)) from None

    # typer reads the signature, which mypy does not know as an attribute
    run.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in flat}
    return run


def _members(kind: type) -> list[_Declared]:
    hints = get_type_hints(kind, include_extras=True)
    names = getattr(kind, "OPTIONS", ()) or (field.name for field in fields(kind))
    return [_Declared.of(name, hints[name]) for name in names]


_COMPLETED = {"METRIC": metric_names, "ID": coefficient_names}
"""Names that are completed, by the metavar of their option."""
