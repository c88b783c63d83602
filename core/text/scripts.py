"""Shares of scripts among the letters of a text."""

from __future__ import annotations

import re

_LATIN = "\u0000-\u024f\u1e00-\u1eff"
_OTHER_LETTER = re.compile(rf"[^\W\d_{_LATIN}]")

_LETTER = re.compile(r"[^\W\d_]")
_OUTSIDE_ASCII = re.compile(r"[^\W\d_\x00-\x7f]")
_UNSPACED_LETTER = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, kana and Han."""


def non_latin_share(text: str) -> float:
    """Return the share of a text's letters outside the Latin script, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_OTHER_LETTER, text)


def unsegmented_share(text: str) -> float:
    """Return the share of a text's letters in scripts without spaces between words, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_UNSPACED_LETTER, text)


def has_unsegmented(text: str) -> bool:
    """Return whether a text has letters of scripts without spaces between words."""
    return not text.isascii() and _UNSPACED_LETTER.search(text) is not None


def non_ascii_share(text: str) -> float:
    """Return the share of a text's letters outside ASCII, in [0, 1]."""
    return 0.0 if text.isascii() else _share(_OUTSIDE_ASCII, text)


def _share(pattern: re.Pattern[str], text: str) -> float:
    # Thai vowel and tone signs are not letters in Unicode, so `pattern` may match more than all letters
    letters = len(_LETTER.findall(text))
    return min(1.0, len(pattern.findall(text)) / letters) if letters else 0.0
