"""Offsets of other programs, converted to code points of the study's text.

Programs count code points, UTF-16 units, bytes of UTF-8 or grapheme clusters, and a file may have other line
ends than the study.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

_LAST_OF_ONE_UNIT = "\uffff"
_LINE_END = re.compile("\r\n|\r|\n")


class OffsetUnit(StrEnum):
    """What an offset counts."""

    CODE_POINTS = "code-points"
    UTF16 = "utf-16"
    BYTES = "bytes"
    GRAPHEMES = "graphemes"


def unix(text: str) -> str:
    """Return a text with line feeds as line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def moved_offsets(text: str, other: str) -> Sequence[int]:
    """Return the offset in `other` of each one in `text`, the end included; they differ in line ends alone.

    An offset between carriage return and line feed becomes that before the line end.
    """
    if text == other:
        return range(len(text) + 1)
    found: list[int] = []
    ends = _LINE_END.finditer(other)
    shift = 0
    for own in _LINE_END.finditer(text):
        found += range(len(found) + shift, own.start() + shift)
        found += [own.start() + shift] * len(own[0])
        shift = next(ends).end() - own.end()
    return [*found, *range(len(found) + shift, len(text) + 1 + shift)]


class FileOffsets:
    """Offsets in a text as a file has it, converted to those in the same text of the study."""

    def __init__(self, text: str, stored: str) -> None:
        self.text, self._stored = text, stored

    @cached_property
    def _moved(self) -> Sequence[int]:
        return moved_offsets(self.text, self._stored)

    @cached_property
    def _utf16(self) -> Utf16Offsets:
        return Utf16Offsets(self.text)

    @cached_property
    def _graphemes(self) -> list[int]:
        """Starts of grapheme clusters, and the end."""
        if self.text.isascii() and "\r" not in self.text:
            return list(range(len(self.text) + 1))
        import regex  # it takes long to import

        return [*(found.start() for found in regex.finditer(r"\X", self.text)), len(self.text)]

    @cached_property
    def _bytes(self) -> list[int]:
        """Offsets in bytes of UTF-8 of each character, and the end."""
        return [0, *accumulate(len(sign.encode("utf-8", "surrogatepass")) for sign in self.text)]

    def to_stored(self, at: int, unit: OffsetUnit) -> int | None:
        """Return the offset in the study's text; None = outside the text, or within a character."""
        place: int | None = at
        if unit is OffsetUnit.UTF16:
            place = self._utf16.code_point(at)
        elif unit is OffsetUnit.BYTES:
            place = _place(self._bytes, at)
        elif unit is OffsetUnit.GRAPHEMES:
            place = self._graphemes[at] if 0 <= at < len(self._graphemes) else None
        return self._moved[place] if place is not None and 0 <= place < len(self._moved) else None


class Utf16Offsets:
    """Conversion of offsets in one text; they differ after characters outside the basic plane."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > _LAST_OF_ONE_UNIT:
            self._units = [0, *accumulate(1 + (sign > _LAST_OF_ONE_UNIT) for sign in text)]

    def units(self, code_point: int) -> int:
        """Return the offset in UTF-16 units of one in code points, which is in the text."""
        return code_point if self._units is None else self._units[code_point]

    def code_point(self, units: int) -> int | None:
        """Return the offset in code points; None = outside the text, or within a character."""
        if self._units is None:
            return units if 0 <= units <= self._length else None
        return _place(self._units, units)


def _place(units: Sequence[int], at: int) -> int | None:
    """Return the character that begins at an offset, None = none does."""
    place = bisect_left(units, at)
    return place if place < len(units) and units[place] == at else None
