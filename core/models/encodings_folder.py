"""Where encodings lie between runs, and how much room they may take. Imports no torch."""

from __future__ import annotations

import os
import re
from pathlib import Path

from core.errors import InputError

DEFAULT = "2GB"
VARIABLE = "PYRAMIDION_ENCODING_CACHE"
FOLDER = "encodings"
"""Where they lie within the folder of what can be made again."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([KMGT]?)I?B?")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{32}\.safetensors")


def wished_bytes() -> int:
    """How many bytes of encodings to keep: as PYRAMIDION_ENCODING_CACHE says, else two GiB; 0 = none.

    Raises InputError where it says no size.
    """
    return read_size(os.environ.get(VARIABLE) or DEFAULT, VARIABLE)


def read_size(text: str, where: str = "--encoding-cache") -> int:
    """The bytes of a size as ``2GB``, ``500MB`` or ``0``. Else raises InputError, saying where."""
    found = _SIZE.fullmatch(text.strip().upper())
    if found is None:
        raise InputError(f"{where}: {text!r} is no size; write one as 2GB or 500MB, or 0 for none.")
    return int(float(found[1]) * _UNITS[found[2] or ""])


def kept_bytes(folder: Path) -> int:
    """How many bytes of encodings lie in a folder."""
    return sum(map(page_size, page_files(folder)))


def page_files(folder: Path) -> list[Path]:
    """All pages of a folder."""
    try:
        return [file for file in folder.iterdir() if _NAME.fullmatch(file.name)]
    except OSError:
        return []


def page_size(file: Path) -> int:
    """The bytes of a page, 0 = it is gone."""
    try:
        return file.stat().st_size
    except OSError:  # another process has deleted it
        return 0
