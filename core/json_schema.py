"""Dataclasses as JSON: written with sorted keys; read by pydantic, which names the place of an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast

T = TypeVar("T")
OMITTED_IF_EMPTY: Mapping[str, bool] = {"omitted_if_empty": True}
"""Metadata of a field that a document lacks where its value is empty or false."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Annotation of a type: a function that returns a value that was read, or raises ValueError."""

    check: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self.check, handler(source))


def to_json(value: Any) -> str:
    """Return a dataclass, or values of them, as JSON without spaces; equal values give equal text."""
    plain = to_plain(value)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def to_plain(value: Any) -> Any:
    """Return a value as objects and lists of JSON; sets are sorted."""
    if is_dataclass(value):
        return {
            one.name: to_plain(part)
            for one in fields(value)
            if (part := getattr(value, one.name)) or "omitted_if_empty" not in one.metadata
        }
    if isinstance(value, Mapping):
        return {key: to_plain(part) for key, part in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [to_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def from_json(kind: type[T], text: str) -> T:
    """Return the value of a JSON text; keys that the type lacks are ignored.

    Raises ValueError with the place, such as ``work[0].topic``, where a value is not of the type.
    """
    from pydantic import ValidationError  # slow to import, and seldom needed

    try:
        value: T = _adapter(cast(Any, kind)).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{place.removeprefix('.') or 'the document'}: {what}") from error
    return value


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
