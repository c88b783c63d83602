"""Format-specific extras of imported pyramids and matches, stored as settings for exporting."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from core.json_text import parse_json


def pyramid_key(pyramid_id: str) -> str:
    """Return the key of the setting with the extras of a pyramid."""
    return f"kept.{pyramid_id}"


def matches_key(pyramid_id: str, summary_id: str, annotator_id: str) -> str:
    """Return the key of the setting with the extras of an annotator's matches in a summary."""
    names = f"{pyramid_id} {summary_id} {annotator_id}".encode()
    return f"kept.{hashlib.sha256(names).hexdigest()[:32]}"


def pack(record: Mapping[str, Any]) -> str:
    """Encode extras as the text of a setting."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def unpack(text: str) -> Mapping[str, Any]:
    """Decode extras encoded by `pack`; empty for an empty text."""
    record = parse_json(text) if text else {}
    return record if isinstance(record, dict) else {}
