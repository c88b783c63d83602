"""Memory limit of an import.

Readers announce the memory they need, estimated by cheap counts before parsing, and the import ends with a
message before the memory is used. Estimates work the same on every system, and unlike a separate process they
neither slow an import down nor prevent cancelling it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

from core.errors import InputError
from core.numerals import parse_number

VARIABLE = "PYRAMIDION_IMPORT_MEMORY"
_GIGABYTE = 2**30
_USUAL = 4 * _GIGABYTE
_MOST = 16 * _GIGABYTE

JSON_VALUE = 120
"""Bytes of a parsed value, including its place in a list or object."""

CELL = 100
"""Bytes of a table cell."""

ELEMENT = 500
"""Bytes of a parsed XML element, without attributes."""

ATTRIBUTE = 250
SPAN = 500
"""Bytes of a sentence span during the import."""

ROW = 1600
"""Bytes of a row during the import, without its texts."""


def usual_limit() -> int:
    """Return the memory limit in bytes: the user's setting, else half of the machine's memory.

    Raises InputError if the setting is not a number of gigabytes.
    """
    if limit := os.environ.get(VARIABLE, "").strip():
        gigabytes = parse_number(limit) or 0.0
        if not 0 < gigabytes < 2**20:
            raise InputError(f"{VARIABLE} is {limit!r}. Set it to a number of gigabytes, such as 8.")
        return int(gigabytes * _GIGABYTE)
    try:
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # on Windows
        return _USUAL
    return min(max(installed // 2, _GIGABYTE), _MOST)


@dataclass(slots=True)
class MemoryBudget:
    """Memory used by an import so far, in bytes, and its limit."""

    limit: int = field(default_factory=usual_limit)
    taken: int = 0

    def check(self, size: int) -> None:
        """Raise InputError if temporarily using `size` more bytes exceeds the limit."""
        if self.taken + size > self.limit:
            raise InputError(
                f"Reading the file would take more than {self.limit / _GIGABYTE:.3g} GB of "
                "memory. Split it, or "
                f"set the environment variable {VARIABLE} to more gigabytes, such as {self._enough(size)}."
            )

    def take(self, size: int) -> None:
        """Count bytes used until the import ends. Raises InputError if they exceed the limit."""
        self.check(size)
        self.taken += size

    def _enough(self, size: int) -> int:
        return int((self.taken + size) * 1.5 / _GIGABYTE) + 1


def json_size(line: str) -> int:
    """Estimate the memory in bytes for parsing a line of JSON."""
    values = line.count(",") + line.count("[") + line.count("{") + line.count(":")
    return 3 * sys.getsizeof(line) + JSON_VALUE * values


def xml_size(content: bytes) -> int:
    """Estimate the memory in bytes for reading an XML document."""
    return 8 * len(content) + ELEMENT * content.count(b"<") + ATTRIBUTE * content.count(b"=")


def text_size(content: str, spans: int) -> int:
    """Estimate the memory in bytes of a text during the import."""
    return 2 * sys.getsizeof(content) + SPAN * spans + ROW
