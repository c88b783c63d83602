"""The tokenizer of METEOR 1.5 for English, its option ``-norm``."""

from __future__ import annotations

import re
from functools import cache

from core.text.word_lists import load_word_list

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
"""Letters of western European languages and Cyrillic ones."""

_SPACE = r" \t\n\x0b\f\r"
_NUMERIC_ONLY = " #NUMERIC_ONLY#"

_BEFORE_DOTS = (
    ("", rf"([^0-9{_LETTERS}{_SPACE}.'`,\-‘’])", r" \1 "),
    ("..", r"\.{2,}", r" \g<0> "),
    (",", r"([^0-9]),([^0-9])", r"\1 , \2"),
    (",", r"([0-9]),([^0-9])", r"\1 , \2"),
    (",", r"([^0-9]),([0-9])", r"\1 , \2"),
    ("`", "`", "'"),
    ("‘", "‘", "'"),
    ("’", "’", "'"),
    ("“", "“", ' " '),
    ("”", "”", ' " '),
    ("''", "''", ' " '),
    ("–", "–", "-"),
    ("--", "--", "-"),
    ("-", rf"([0-9{_LETTERS}.])-([0-9{_LETTERS}])", r"\1 \2"),
    ("'", rf"([^{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([^{_LETTERS}0-9])'([{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([{_LETTERS}])'([{_LETTERS}])", r"\1 '\2"),
    ("'", r"([0-9])'(s)", r"\1 '\2"),
)
"""What is replaced one after another before full stops are split off, where a text has the first string."""

_LETTER = re.compile(f"[{_LETTERS}]")
_SPACES = re.compile("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+")


def normalize(text: str) -> str:
    """Return the words of an English text, with spaces between them.

    Quotation marks and dashes are written alike, words are split at hyphens, and dots within a word, as in
    U.S., are removed. A full stop stays with an abbreviation and with a word before lower case.
    Source: Denkowski & Lavie 2014, after the tokenizer of Moses.
    """
    text = f" {text} "
    for needed, pattern, replacement in _BEFORE_DOTS:
        if needed in text:
            text = re.sub(pattern, replacement, text)
    words = re.split(f"[{_SPACE}]+", text.strip(" \t\n\x0b\f\r"))
    found = (_undotted(word, after) for word, after in zip(words, [*words[1:], ""], strict=True))
    return _SPACES.sub(" ", " ".join(found)).strip()


def _undotted(word: str, after: str) -> str:
    """Return a word with its full stop split off, unless it belongs to it. after: the next word."""
    stem = word[:-1]
    if not word.endswith(".") or not stem.strip("."):
        return word
    if "." in stem and _LETTER.search(stem):
        return word.replace(".", "")
    kind = _prefixes().get(stem)
    if kind == "" or "a" <= after[:1] <= "z" or (kind == _NUMERIC_ONLY and "0" <= after[:1] <= "9"):
        return word
    return f"{stem} ."


@cache
def _prefixes() -> dict[str, str]:
    """Return abbreviations, and the mark of those that are some before numbers only."""
    lines = load_word_list("meteor_nonbreaking_prefixes.txt")
    return {
        line.removesuffix(_NUMERIC_ONLY): _NUMERIC_ONLY if line.endswith(_NUMERIC_ONLY) else ""
        for line in lines
    }
