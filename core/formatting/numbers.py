"""Text formats of numbers, the same everywhere.

Correlations and p have no leading zero, scores have one; negative numbers have a true minus sign.

Sizes in bytes are decimal everywhere: 1 MB = 10^6 bytes, 1 GB = 10^9 bytes. ``MiB`` and ``GiB`` are accepted
as input.
"""

from __future__ import annotations

import math
import re

from core.errors import InputError

MINUS = "\N{MINUS SIGN}"
UNDEFINED = "\N{EN DASH}"


def format_correlation(value: float, digits: int = 2) -> str:
    """Return ``.97``, ``−.04`` or ``1.00``; a dash if undefined."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):.{digits}f}".removeprefix("0")
    is_negative = value < 0 and any(sign in text for sign in "123456789")
    return MINUS + text if is_negative else text


def format_p(value: float) -> str:
    """Return ``.034`` or ``< .001``; a dash if undefined."""
    if not math.isfinite(value):
        return UNDEFINED
    return "< .001" if value < 0.0005 else format_correlation(value, 3)


def format_score(value: float, digits: int = 3) -> str:
    """Return ``0.870`` or ``−1.250``; a dash if undefined."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):.{digits}f}"
    is_negative = value < 0 and any(sign in text for sign in "123456789")
    return MINUS + text if is_negative else text


def format_duration(seconds: float) -> str:
    """Return an approximate duration: ``under 1 s``, ``40 s``, ``12 min``, ``3.5 h``; a dash if unknown."""
    if not math.isfinite(seconds):
        return UNDEFINED
    if seconds < 1:
        return "under 1 s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def format_count(value: float) -> str:
    """Return an integer with thousands separators: ``1,600``."""
    return f"{int(value):,}".replace("-", MINUS)


def pluralize(count: int, thing: str, things: str = "") -> str:
    """Return a count with its noun: ``1 row``, ``1,600 rows``. things: irregular plural."""
    return f"{format_count(count)} {thing if count == 1 else things or f'{thing}s'}"


_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGT]?)(I?)B?")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def parse_bytes(text: str, where: str = "--encoding-cache") -> int:
    """Return the bytes of a size such as ``2GB``, ``500MB``, ``1 GiB`` or ``0``.

    where: the option or variable that holds the text, for the error message.
    Raises InputError where the text is not a size.
    """
    match = _SIZE.fullmatch(text.strip().upper())
    if match is None:
        raise InputError(f"{where}: {text!r} is not a size. Use a size such as 2GB or 500MB, or 0 for none.")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** _POWERS[match[2]])


def format_bytes(count: float) -> str:
    """Return bytes as ``2 GB``, ``1.4 GB`` or ``91 MB``; anything above 0 is at least ``1 MB``."""
    if count >= 1e9:
        return f"{count / 1e9:.1f}".removesuffix(".0") + " GB"
    return f"{max(1, round(count / 1e6)) if count else 0} MB"


def format_known_bytes(count: float) -> str:
    """Return bytes as `format_bytes` does; a dash for 0, which stands for an unknown size."""
    return format_bytes(count) if count else UNDEFINED
