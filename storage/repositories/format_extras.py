"""What files said beside of pyramids and matches, kept for their writers as settings of the study."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def pyramid_key(pyramid_id: str) -> str:
    """The setting that holds what a file said beside of a pyramid."""
    return f"kept.{pyramid_id}"


def matches_key(pyramid_id: str, summary_id: str, annotator_id: str) -> str:
    """The setting that holds what a file said beside of an annotator's matches in a summary."""
    names = f"{pyramid_id} {summary_id} {annotator_id}".encode()
    return f"kept.{hashlib.sha256(names).hexdigest()[:32]}"


def pack(record: Mapping[str, Any]) -> str:
    """A record as a setting's text."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def unpack(text: str) -> Mapping[str, Any]:
    """The record that `pack` made a text of, empty for an empty text."""
    record = json.loads(text) if text else {}
    return record if isinstance(record, dict) else {}
