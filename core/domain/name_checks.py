"""Validation of names of topics, systems, people, scales and measures.

A name appears in files, tables, terminals and exports, and is compared character by character. So it has no
line break, no control character, nothing that UTF-8 or XML cannot represent, and no spaces at its ends.
"""

from __future__ import annotations

import re

MAX_NAME_LENGTH = 1000
"""Maximum number of characters; names of measures with many settings have some hundreds."""

_FAULTS = (
    (re.compile("[\ud800-\udfff]"), "half of a surrogate pair, which is not a character"),
    (re.compile("[\n\r\v\f\x85\u2028\u2029]"), "a line break"),
    (re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]"), "a control character"),
)
_SUSPECT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def storable_text(text: str) -> str:
    """Return a text without NUL and halves of surrogate pairs, which no file format can hold."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def name_problem(text: str) -> str:
    """Return why a text cannot be a name, as a sentence; empty = it can."""
    if not text:
        return "The name is empty."
    if len(text) > MAX_NAME_LENGTH:
        return f"The name has {len(text):,} characters; {MAX_NAME_LENGTH:,} are allowed."
    if _SUSPECT.search(text):
        what = next(what for pattern, what in _FAULTS if pattern.search(text))
        return f"{text[:40]!r} contains {what}."
    if text != text.strip():
        return f"{text[:40]!r} begins or ends with white space."
    return ""
