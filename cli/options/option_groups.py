"""Options of commands from the fields of dataclasses and from the declarations of requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from cli.options.common import chosen_names
from core.errors import BadRequest
from core.operations.options import Option
from core.stats.types import WHICH_TAU, Coefficient

R = TypeVar("R")
_COEFFICIENTS = [each.value for each in Coefficient]


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
        own = self.option.flag if self.option else ""
        return own or "--" + self.name.replace("_", "-")

    def parameter(self, kind: Any, default: Any) -> Parameter:
        """Return the parameter that typer reads."""
        if self.option is None:
            return Parameter(self.name, kind, default=default, annotation=self.hint)
        value, option = get_args(self.hint)[0], self.option
        if get_origin(value) is tuple:
            value, default = (str | None if option.is_listed else list[str] | None), default or None
        more = _COEFFICIENT if value is Coefficient else {}
        declared = typer.Option(
            self.flag,
            metavar=more.get("metavar", option.metavar or None),
            min=option.low,
            max=option.high,
            help=option.help,
            parser=more.get("parser"),
            autocompletion=more.get("autocompletion"),
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
                arguments[name] = kind(**{each.name: each.value(given[each.name]) for each in members[name]})
            return command(**arguments)
        except BadRequest as error:
            raise typer.BadParameter(str(error)) from None

    # typer reads the signature, which mypy does not know as an attribute
    run.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in flat}
    return run


def _members(kind: type) -> list[_Declared]:
    hints = get_type_hints(kind, include_extras=True)
    return [_Declared.of(field.name, hints[field.name]) for field in fields(kind)]


def _coefficient(name: str) -> Coefficient:
    """Return a coefficient by name; `tau` is answered with a question."""
    if name not in _COEFFICIENTS:
        listed = ", ".join(_COEFFICIENTS)
        raise typer.BadParameter(WHICH_TAU if name == "tau" else f"{name!r} is not one of: {listed}.")
    return Coefficient(name)


def _completed(incomplete: str) -> list[str]:
    return [name for name in _COEFFICIENTS if name.startswith(incomplete)]


_COEFFICIENT: dict[str, Any] = {
    "parser": _coefficient,
    "metavar": f"<{'|'.join(_COEFFICIENTS)}>",
    "autocompletion": _completed,
}
