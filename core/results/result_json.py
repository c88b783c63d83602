"""JSON of results, for storage in a study and for --json: full precision, null for undefined numbers."""

from __future__ import annotations

import json

from core.errors import InputError
from core.json_schema import from_json, to_plain
from core.results.result import Result


def to_text(result: Result) -> str:
    """Return a result as JSON text; `to_plain` returns it as values of JSON."""
    return json.dumps(to_plain(result), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_text(text: str, title: str) -> Result:
    """Return the result of the text of `to_text`. Undefined numbers become None in tables and NaN in charts.

    title: of the result, for errors. Raises InputError if the text is damaged.
    """
    try:
        return from_json(Result, text)
    except ValueError as error:
        raise InputError(
            f"The stored result {title!r} is damaged: {error}. Delete it, or run the experiment again."
        ) from error
