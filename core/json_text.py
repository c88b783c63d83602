"""JSON of any depth."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises JSONDecodeError for invalid JSON, and for JSON that is nested too deeply, where `json.loads` raises
    RecursionError.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise json.JSONDecodeError("Nested too deeply", "", 0) from None
