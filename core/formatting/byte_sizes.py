"""Sizes on the disk, from words and in words."""

from __future__ import annotations

import re

from core.errors import InputError

_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGT]?)I?B?")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_bytes(text: str, where: str = "--encoding-cache") -> int:
    """The bytes of a size as ``2GB``, ``500MB`` or ``0``. Else raises InputError, saying where."""
    found = _SIZE.fullmatch(text.strip().upper())
    if found is None:
        raise InputError(f"{where}: {text!r} is no size; write one as 2GB or 500MB, or 0 for none.")
    return int(float(found[1]) * _UNITS[found[2] or ""])


def format_bytes(count: int) -> str:
    """Bytes as one writes them: ``2 GB``, ``1.5 GB``, ``812 MB``; what there is takes 1 MB at least."""
    if count >= _UNITS["G"]:
        return f"{count / _UNITS['G']:.1f}".removesuffix(".0") + " GB"
    return f"{-(-count // _UNITS['M'])} MB"
