"""JSON that others wrote."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises JSONDecodeError for what is no JSON, and for what is nested deeper than Python reads: `json` raises
    RecursionError for that, which nobody who reads a file expects.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise json.JSONDecodeError("Nested too deeply", "", 0) from None
