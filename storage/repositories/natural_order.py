"""The order in which people expect names."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """A key that puts D2 before D10; names that differ only in zeros or case keep one fixed order."""
    pieces = _DIGITS.split(name)
    return [(0, int(p), "") if i % 2 else (1, 0, p.casefold()) for i, p in enumerate(pieces) if p], name
