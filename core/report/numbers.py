"""How numbers read, everywhere: correlations and p without a leading zero, scores with it, a true minus."""

from __future__ import annotations

import math

MINUS = "\N{MINUS SIGN}"
UNDEFINED = "\N{EN DASH}"


def correlation_text(value: float, digits: int = 2) -> str:
    """``.97``, ``−.04``, ``1.00``; a dash where undefined."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):.{digits}f}".removeprefix("0")
    is_negative = value < 0 and any(sign in text for sign in "123456789")
    return MINUS + text if is_negative else text


def p_text(value: float) -> str:
    """``.034``, ``< .001``; a dash where there is none."""
    if not math.isfinite(value):
        return UNDEFINED
    return "< .001" if value < 0.0005 else correlation_text(value, 3)


def score_text(value: float, digits: int = 3) -> str:
    """``0.870``, ``−1.250``; a dash where undefined."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):.{digits}f}"
    is_negative = value < 0 and any(sign in text for sign in "123456789")
    return MINUS + text if is_negative else text


def count_text(value: float) -> str:
    """``1,600``."""
    return f"{int(value):,}".replace("-", MINUS)
