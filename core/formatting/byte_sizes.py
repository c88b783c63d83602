"""Sizes in bytes: parse what users type, format what they read.

Units are decimal everywhere: 1 MB = 10^6 bytes, 1 GB = 10^9 bytes. ``MiB`` and ``GiB`` are accepted as input.
"""

from __future__ import annotations

import re

from core.errors import InputError
from core.formatting.numbers import UNDEFINED

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
