"""Where encodings lie between runs, how much room they may take, and how old ones go. Imports no torch."""

from __future__ import annotations

import logging
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from core.formatting.byte_sizes import format_bytes, parse_bytes
from core.models.catalogue.user_models import user_models

log = logging.getLogger(__name__)

DEFAULT = "2GB"
VARIABLE = "PYRAMIDION_ENCODING_CACHE"
FOLDER = "encodings"
"""Where they lie within the folder of what can be made again."""

_STALE = 3600.0
"""Seconds after which a half-written page belongs to a process that died."""

_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{32}\.safetensors")


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """How much of it is taken, in bytes. most: what may be; 0 = nothing is kept. is_fixed: by a variable."""

    folder: Path
    taken: int
    most: int
    is_fixed: bool

    def __str__(self) -> str:
        if not self.most and not self.taken:
            return "none are kept"
        limit = (
            f"of at most {format_bytes(self.most)}"
            if self.most
            else "left of earlier runs, none are kept now"
        )
        return f"{format_bytes(self.taken)} {limit}"


def cache_usage(cache_folder: Path) -> CacheUsage:
    """How much encodings take of the room that they have. Raises InputError where a setting says no size."""
    folder = cache_folder / FOLDER
    return CacheUsage(folder, used_bytes(folder), requested_bytes(), is_fixed=bool(os.environ.get(VARIABLE)))


def requested_bytes() -> int:
    """How many bytes of encodings to keep, 0 = none.

    As PYRAMIDION_ENCODING_CACHE says, else as this user chose, else 2 GB. Raises InputError where it says
    no size.
    """
    said = os.environ.get(VARIABLE)
    if said:
        return parse_bytes(said, VARIABLE)
    chosen = user_models().encoding_bytes
    return parse_bytes(DEFAULT) if chosen is None else chosen


def used_bytes(folder: Path) -> int:
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


def evict(folder: Path, most: float) -> int:
    """Delete the pages that were not used for longest, whoever wrote them, until there are at most so many
    bytes; how many are left.
    """
    for file in folder.glob("*.new"):
        if time.time() - _last_use(file) > _STALE:
            delete(file)
    sizes = {file: page_size(file) for file in sorted(page_files(folder), key=_last_use)}
    left = sum(sizes.values())
    for file, size in sizes.items():
        if left <= most:
            break
        left -= size
        delete(file)
    return left


def delete(file: Path) -> None:
    """Delete a page, or leave it where that fails."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:  # another process has it open: it goes another time
        log.info("%s cannot be deleted: %s", file, error)


def _last_use(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
