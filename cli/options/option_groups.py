"""Options of one kind as one value: a dataclass whose every field is an option."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

R = TypeVar("R")


def expand_option_groups(verb: Callable[..., R]) -> Callable[..., R]:
    """The verb as typer reads it: where it takes a dataclass, it has an option for each field of it."""
    hints = get_type_hints(verb, include_extras=True)
    kinds = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    own = [p.replace(annotation=hints[p.name]) for p in signature(verb).parameters.values()]
    flat = [each for p in own for each in (_options(p, kinds[p.name]) if p.name in kinds else [p])]

    @wraps(verb)
    def run(**given: Any) -> R:
        for name, kind in kinds.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return verb(**given)

    # typer reads the signature; mypy knows none that a function bears
    run.__signature__ = signature(verb).replace(parameters=flat)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in flat}
    return run


def _options(group: Parameter, kind: type) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        yield Parameter(field.name, group.kind, default=field.default, annotation=hints[field.name])
