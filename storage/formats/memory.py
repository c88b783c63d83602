"""A limit on the memory that an import may take.

Readers state what they are about to take, by counts that are cheap to make before anything is parsed, and the
import ends with a message before the memory is taken. An estimate works alike on every system, and neither
slows an import down nor stops it from being cancelled, as a process of its own would.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

from core.errors import InputError

VARIABLE = "PYRAMIDION_IMPORT_MEMORY"
_GIGABYTE = 2**30
_USUAL = 4 * _GIGABYTE
_MOST = 16 * _GIGABYTE

JSON_VALUE = 120
"""Bytes of a parsed value, its place in a list or object included."""

CELL = 100
"""Bytes of a table's cell."""

ELEMENT = 500
"""Bytes of a parsed XML element, attributes not counted."""

ATTRIBUTE = 250
SPAN = 500
"""Bytes of a sentence's place in a text, on its way into the study."""

ROW = 1600
"""Bytes of a row on its way into the study, its texts not counted."""


def usual_limit() -> int:
    """Return the bytes that an import may take: what the user set, else half of the machine's memory.

    Raises InputError where the user's setting is no number of gigabytes.
    """
    if given := os.environ.get(VARIABLE, "").strip():
        try:
            gigabytes = float(given)
        except ValueError:
            gigabytes = 0.0
        if not 0 < gigabytes < 2**20:
            raise InputError(f"{VARIABLE} is {given!r}. Set it to a number of gigabytes, as 8.")
        return int(gigabytes * _GIGABYTE)
    try:
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # as on Windows
        return _USUAL
    return min(max(installed // 2, _GIGABYTE), _MOST)


@dataclass(slots=True)
class MemoryBudget:
    """What an import has taken so far, in bytes, and its limit."""

    limit: int = field(default_factory=usual_limit)
    taken: int = 0

    def check(self, size: int) -> None:
        """Raise InputError where `size` more bytes, needed for a while, exceed the limit."""
        if self.taken + size > self.limit:
            raise InputError(
                f"Reading it would take more than {self.limit / _GIGABYTE:.3g} GB of memory. Split it, or "
                f"set the environment variable {VARIABLE} to more gigabytes, as {self._enough(size)}."
            )

    def take(self, size: int) -> None:
        """Count bytes that stay until the import ends. Raises InputError where they exceed the limit."""
        self.check(size)
        self.taken += size

    def _enough(self, size: int) -> int:
        return int((self.taken + size) * 1.5 / _GIGABYTE) + 1


def json_size(line: str) -> int:
    """Estimate the bytes that a line of JSON takes while it is parsed."""
    values = line.count(",") + line.count("[") + line.count("{") + line.count(":")
    return 3 * sys.getsizeof(line) + JSON_VALUE * values


def xml_size(content: bytes) -> int:
    """Estimate the bytes that an XML document takes while it is parsed and read."""
    return 8 * len(content) + ELEMENT * content.count(b"<") + ATTRIBUTE * content.count(b"=")


def text_size(content: str, spans: int) -> int:
    """Estimate the bytes that a text takes on its way into the study."""
    return 2 * sys.getsizeof(content) + SPAN * spans + ROW
