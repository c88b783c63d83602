"""Offsets of other programs in UTF-16 units, converted from and to code points."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

_LAST_OF_ONE_UNIT = "\uffff"


class Utf16Offsets:
    """Conversion of offsets in one text; they differ after characters outside the basic plane."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > _LAST_OF_ONE_UNIT:
            self._units = [0, *accumulate(1 + (sign > _LAST_OF_ONE_UNIT) for sign in text)]

    @property
    def differ(self) -> bool:
        """Whether an offset in code points differs from that in UTF-16 units."""
        return self._units is not None

    def units(self, code_point: int) -> int:
        """Return the offset in UTF-16 units of one in code points, which is in the text."""
        return code_point if self._units is None else self._units[code_point]

    def code_point(self, units: int) -> int | None:
        """Return the offset in code points; None = outside the text, or within a character."""
        if self._units is None:
            return units if 0 <= units <= self._length else None
        at = bisect_left(self._units, units)
        return at if at <= self._length and self._units[at] == units else None
