"""Natural sort order of names."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Return a sort key that puts D2 before D10; ties by zeros or case are broken by the name itself."""
    pieces = _DIGITS.split(name)
    return [(0, int(p), "") if i % 2 else (1, 0, p.casefold()) for i, p in enumerate(pieces) if p], name
