"""Safe compilation of regular expressions from files and users.

A DUCView file may contain an expression, and twelve characters such as ``-{99999999}`` can use all memory
during compilation, which a time limit on matching does not prevent. So length, counted repeats and constructs
of an expression are limited before it is compiled.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice

import regex

from core.errors import InputError

LONGEST = 500
"""Maximum characters of an expression; DUCView's own have about thirty."""

MOST_REPEATS = 1000
"""Maximum product of nested counted repeats."""

SECONDS = 2.0
"""Time limit of matching in seconds; an expression from a file could run forever."""

LONGEST_TEXT = 2_000_000
"""Maximum characters of a searched text; with some expressions, ten million take a gigabyte."""

_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}", re.ASCII)
_GROUP = re.compile(
    r"\((?!\?)|\(\?(?:[:=!>|]|<[=!]|P?<[A-Za-z_]\w*>|[aimsuwf]+(?:-[imsf]+)?[:)]|P=\w+\))", re.ASCII
)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\\[])*\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:[pPN]\{[^{}]*\}|x\{[0-9A-Fa-f]{1,8}\}|[^L])", re.DOTALL)


def find(expression: str, text: str, most: int) -> list[tuple[int, int]]:
    """Return the matches of an expression, at most `most`.

    Raises InputError if it is invalid, not allowed, or takes too long.
    """
    if len(text) > LONGEST_TEXT:
        raise InputError(f"The text is too long to search: more than {LONGEST_TEXT:,} characters.")
    compiled = _compiled(expression)
    try:
        return [match.span() for match in islice(compiled.finditer(text, timeout=SECONDS), most)]
    except TimeoutError:
        raise InputError(f"Searching with the expression took longer than {SECONDS:g} seconds.") from None
    except (RecursionError, MemoryError):
        raise InputError("Searching with the expression needs too much memory.") from None


def _compiled(expression: str) -> regex.Pattern[str]:
    """Compile an expression. Raises InputError if it is invalid or not allowed."""
    if len(expression) > LONGEST:
        raise InputError(
            f"The expression has {len(expression):,} characters, but only {LONGEST} are allowed. Shorten it."
        )
    _check_repeats(expression)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about future changes of syntax
            return regex.compile(expression)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise InputError(f"The expression is not valid: {error}.") from None


def _check_repeats(expression: str) -> None:
    """Raise InputError if an expression repeats too often or has a construct without a known limit."""
    highest = [1]  # per open group, the highest repeat count inside it
    last = 1  # of the item that a repeat applies to
    for piece in _pieces(expression):
        if piece.startswith("{"):
            last *= max(1, *(int(number or 0) for number in _REPEAT.fullmatch(piece).groups(default="")))  # type: ignore[union-attr]
            if last > MOST_REPEATS:
                raise InputError(
                    f"The expression repeats up to {last:,} times, but only {MOST_REPEATS:,} are allowed. "
                    "Write + or * instead."
                )
            highest[-1] = max(highest[-1], last)
        elif piece.startswith("(") and not piece.endswith(")"):
            highest.append(1)
        elif piece == ")" and len(highest) > 1:
            last = highest.pop()
            highest[-1] = max(highest[-1], last)
        elif piece not in ("?", "+", "*"):
            last = 1


def _pieces(expression: str) -> Iterator[str]:
    """Yield the tokens of an expression. Raises InputError if one is not allowed."""
    at = 0
    while at < len(expression):
        sign = expression[at]
        pattern = {"{": _REPEAT, "(": _GROUP, "[": _CLASS, "\\": _ESCAPE}.get(sign)
        match = pattern.match(expression, at) if pattern else None
        if pattern and match is None:
            raise InputError(_REFUSALS[sign].format(expression[at : at + 6]))
        piece = match[0] if match else sign
        if sign == "{" and len(piece) > 20:
            raise InputError(_REFUSALS[sign].format(piece[:6]))
        yield piece
        at += len(piece)


_REFUSALS = {
    "{": "The expression contains {!r}, which is not a counted repeat. Write \\{{ for a brace.",
    "(": "The expression contains {!r}, such as recursion, a condition or a comment, which is not allowed. "
    "Write \\( for a bracket.",
    "[": "The expression contains {!r}: an unclosed or nested character set. Write \\[ for a bracket.",
    "\\": "The expression contains {!r}, which is not allowed.",
}
