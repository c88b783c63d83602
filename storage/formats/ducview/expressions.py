"""Regular expressions from files and users, compiled only where compiling them stays cheap.

A file of DUCView may name an expression, and twelve characters of one, as ``-{99999999}``, can take all
memory while it is compiled. The time limit of searching does not cover that. So the length, the counted
repeats and the constructs of an expression are bounded before it is compiled.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice

import regex

from core.errors import InputError

LONGEST = 500
"""Characters of an expression; DUCView's own have about thirty."""

MOST_REPEATS = 1000
"""How often a counted repeat may repeat, those that it stands in multiplied."""

SECONDS = 2.0
"""How long an expression may search: one out of a file could search for ever."""

LONGEST_TEXT = 2_000_000
"""Characters of a text that is searched; searching ten million takes a gigabyte with some expressions."""

_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}", re.ASCII)
_GROUP = re.compile(
    r"\((?!\?)|\(\?(?:[:=!>|]|<[=!]|P?<[A-Za-z_]\w*>|[aimsuwf]+(?:-[imsf]+)?[:)]|P=\w+\))", re.ASCII
)
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\\[])*\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:[pPN]\{[^{}]*\}|x\{[0-9A-Fa-f]{1,8}\}|[^L])", re.DOTALL)


def find(expression: str, text: str, most: int) -> list[tuple[int, int]]:
    """Return where an expression matches, at most that many places.

    Raises InputError where it is not valid, not allowed, or searches too long.
    """
    if len(text) > LONGEST_TEXT:
        raise InputError(f"An expression searches no text of more than {LONGEST_TEXT:,} characters.")
    compiled = _compiled(expression)
    try:
        return [match.span() for match in islice(compiled.finditer(text, timeout=SECONDS), most)]
    except TimeoutError:
        raise InputError(f"The expression searches longer than {SECONDS:g} seconds.") from None
    except (RecursionError, MemoryError):
        raise InputError("The expression needs too much memory to search the text.") from None


def _compiled(expression: str) -> regex.Pattern[str]:
    """Compile an expression. Raises InputError where it is not valid or not allowed."""
    if len(expression) > LONGEST:
        raise InputError(
            f"The expression has {len(expression):,} characters; {LONGEST} are allowed. Shorten it."
        )
    _check_repeats(expression)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of future meanings, which change nothing here
            return regex.compile(expression)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise InputError(f"The expression is not valid: {error}.") from None


def _check_repeats(expression: str) -> None:
    """Raise InputError where an expression repeats too often, or has a construct that cannot be bounded."""
    highest = [1]  # of each open group, the most often that something in it is repeated
    last = 1  # of what a repeat would apply to
    for piece in _pieces(expression):
        if piece.startswith("{"):
            last *= max(1, *(int(number or 0) for number in _REPEAT.fullmatch(piece).groups(default="")))  # type: ignore[union-attr]
            if last > MOST_REPEATS:
                raise InputError(
                    f"The expression repeats something up to {last:,} times; {MOST_REPEATS:,} are allowed. "
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
    """Tokens of an expression. Raises InputError on one that is not allowed."""
    at = 0
    while at < len(expression):
        sign = expression[at]
        pattern = {"{": _REPEAT, "(": _GROUP, "[": _CLASS, "\\": _ESCAPE}.get(sign)
        found = pattern.match(expression, at) if pattern else None
        if pattern and found is None:
            raise InputError(_REFUSALS[sign].format(expression[at : at + 6]))
        piece = found[0] if found else sign
        if sign == "{" and len(piece) > 20:
            raise InputError(_REFUSALS[sign].format(piece[:6]))
        yield piece
        at += len(piece)


_REFUSALS = {
    "{": "The expression contains {!r}, which is no counted repeat. Write \\{{ for a brace.",
    "(": "The expression contains {!r}, as of recursion, conditions or comments, which is not allowed. "
    "Write \\( for a bracket.",
    "[": "The expression contains {!r}: a set of characters that does not end or contains another one. "
    "Write \\[ for a bracket.",
    "\\": "The expression contains {!r}, which is not allowed.",
}
