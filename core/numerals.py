"""The one way in which numbers are read from foreign texts: files, options, settings, signatures."""

from __future__ import annotations

import math
import re

_NUMERAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")


def parse_number(value: object) -> float | None:
    """Return the finite number that a value is or spells out; None = it is something else.

    Unlike `float`, underscores (``1_5``), digits outside ASCII, ``nan`` and ``inf`` make no number. White
    space around one is ignored.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMERAL.fullmatch(value := value.strip()):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def required_number(value: object) -> float:
    """Return the number that a value is or spells out. Raises ValueError if it is something else."""
    number = parse_number(value)
    if number is None:
        raise ValueError(f"{str(value)[:40]!r} is not a number")
    return number


def parse_whole(text: str) -> int | None:
    """Return the integer that a text spells out, in at most 40 ASCII digits; None = it is something else."""
    return int(text) if _WHOLE.fullmatch(text := text.strip()) else None
