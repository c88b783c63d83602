"""Text formats of numbers, the same everywhere.

Correlations and p have no leading zero, scores have one; negative numbers have a true minus sign.
"""

from __future__ import annotations

import math

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
