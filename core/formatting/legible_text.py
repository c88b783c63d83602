"""Legible texts: what no format can hold, or what hides or turns other text, is escaped."""

from __future__ import annotations

import re

from core.files.paths import escape_control_characters

_LONGEST_WORD, _SHOWN = 1000, 100
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD},}}")
"""Words that no page can hold; signatures and digests are shorter."""

_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
"""Marks of direction, which could turn the text around them, line separators and no characters."""

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks of direction whose effect does not end with the word that contains them."""


def printable_text(text: str) -> str:
    """Return a legible text whose words fit on a page or in a label."""
    return _LONG_WORD.sub(
        lambda word: f"{word[0][:_SHOWN]}… ({len(word[0]):,} characters)", legible_text(text)
    )


def legible_text(text: str) -> str:
    """Return a text without control characters and marks of direction."""
    return _DIRECTIONS.sub(_escaped, escape_control_characters(text))


def unturned_text(text: str) -> str:
    """Return a text that does not turn the text around it; marks within right-to-left words are left."""
    return _TURNS.sub(_escaped, text)


def one_line(text: str, most: int) -> str:
    """Return a text in one line; of a longer one, the beginning. most: number of characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _escaped(mark: re.Match[str]) -> str:
    return f"\\u{ord(mark[0]):04x}"
