"""Option groups: dataclasses whose fields are command line options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

R = TypeVar("R")


def expand_option_groups(command: Callable[..., R]) -> Callable[..., R]:
    """Replace each dataclass parameter of a command by one option per field, for typer."""
    hints = get_type_hints(command, include_extras=True)
    kinds = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    own = [p.replace(annotation=hints[p.name]) for p in signature(command).parameters.values()]
    flat = [each for p in own for each in (_options(p, kinds[p.name]) if p.name in kinds else [p])]

    @wraps(command)
    def run(**arguments: Any) -> R:
        for name, kind in kinds.items():
            arguments[name] = kind(**{field.name: arguments.pop(field.name) for field in fields(kind)})
        return command(**arguments)

    # typer reads the signature, which mypy does not know as an attribute
    run.__signature__ = signature(command).replace(parameters=flat)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in flat}
    return run


def _options(group: Parameter, kind: type) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(field.name, group.kind, default=field.default, annotation=hints[field.name])
