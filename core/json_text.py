"""JSON of any depth, and settings of a study that are JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

V = TypeVar("V")


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises JSONDecodeError for invalid JSON, and for JSON that is nested too deeply, where `json.loads` raises
    RecursionError.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise json.JSONDecodeError("Nested too deeply", "", 0) from None


def stored_values(stored: str | None, read: Callable[[Any], V]) -> dict[str, V]:
    """Return the values of a setting that is a JSON object, by key; none if it is empty or damaged.

    read: reads a value. Raises TypeError or ValueError where it is damaged.
    """
    try:
        return {key: read(value) for key, value in (parse_json(stored) if stored else {}).items()}
    except (AttributeError, TypeError, ValueError):
        return {}
