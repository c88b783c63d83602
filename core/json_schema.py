"""Dataclasses as JSON: written from their fields; read by pydantic, with the place of an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from math import isfinite, nan
from typing import Annotated, Any, TypeVar, cast

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


@dataclass(frozen=True, slots=True)
class Converted:
    """Annotation of a type: a function that is applied to what the JSON has before it is read."""

    convert: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.convert, handler(source))


Number = Annotated[float, Converted(lambda value: nan if value is None else value)]
"""A number that may be undefined: NaN, and null in JSON."""


def to_json(value: Any) -> str:
    """Return a dataclass, or values of them, as JSON without spaces; equal values give equal text."""
    plain = to_plain(value)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def to_plain(value: Any) -> Any:
    """Return a value as objects and lists of JSON; sets are sorted, undefined numbers are None."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if is_dataclass(value):
        return {
            one.name: to_plain(part)
            for one in fields(value)
            if (part := getattr(value, one.name)) or "omitted_if_empty" not in one.metadata
        }
    if isinstance(value, Mapping):
        return {key: to_plain(part) for key, part in value.items()}
    return [to_plain(part) for part in (sorted(value) if isinstance(value, frozenset) else value)]


def from_json(kind: type[T], text: str) -> T:
    """Return the value of a JSON text; keys that the type lacks are ignored.

    Raises ValueError with the place, such as ``work[0].topic``, where a value is not of the type.
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError("the document: its JSON cannot be read") from error
    return from_plain(kind, plain)


def from_plain(kind: type[T], plain: Any) -> T:
    """Return the value of what `json.loads` returned. Raises ValueError as `from_json` does."""
    from pydantic import ValidationError  # slow to import, and seldom needed

    try:
        value: T = _validator(cast(Any, kind)).validate_python(plain)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        keys = (key for key in first["loc"] if key != "[key]")
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
        what = first["msg"].removeprefix("Value error, ").replace("Input should be", "it is not")
        what = _FAULTS.get(first["type"], what)
        raise ValueError(f"{place.removeprefix('.') or 'the document'}: {what}") from error
    return value


_LARGEST = 2**63 - 1
_FAULTS = {
    "missing": "it is missing",
    "string_type": "it is not text",
    "bool_type": "it is neither true nor false",
    "int_type": "it is not a whole number",
    "float_type": "it is not a number",
    "tuple_type": "it is not a list",
    "frozen_set_type": "it is not a list",
    "too_long": "it has too many values",
    "dict_type": "it is not an object",
    "dataclass_type": "it is not an object",
    "union": "it is neither text nor a number",
}
"""What is wrong, by pydantic's types of errors."""


@cache
def _validator(kind: Any) -> Any:
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator

    schema = TypeAdapter(kind).core_schema
    _make_strict(schema)
    return SchemaValidator(schema)


def _make_strict(schema: Any) -> None:
    """Let a schema convert no value but lists to tuples and texts to enumerations, and stop at an error.

    A foreign file may have as many errors as bytes, and whole numbers that nothing can compute with.
    """
    if isinstance(schema, dict):
        if schema.get("type") in ("str", "int", "float", "bool"):
            schema["strict"] = True
        if schema.get("type") == "int":
            schema |= {"ge": -_LARGEST, "le": _LARGEST}
        elif schema.get("type") in ("tuple", "frozenset"):
            schema["fail_fast"] = True
        elif schema.get("type") == "union":
            schema["custom_error_type"] = schema["custom_error_message"] = "union"
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    for part in parts:
        _make_strict(part)
