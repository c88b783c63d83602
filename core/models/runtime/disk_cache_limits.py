"""Location, size limit and eviction of the encoding cache on disk. Does not import torch."""

from __future__ import annotations

import logging
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from core.formatting.numbers import format_bytes, parse_bytes
from core.models.catalogue.user_models import user_models

log = logging.getLogger(__name__)

DEFAULT = "2GB"
VARIABLE = "PYRAMIDION_ENCODING_CACHE"
FOLDER = "encodings"
"""Name of the folder below the cache folder."""

_STALE = 3600.0
"""Age in seconds at which an incomplete page is considered left over by a crashed process."""

_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{32}\.safetensors")


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """Size of the cache in bytes. most: limit, 0 = disabled. is_fixed: the limit is set by a variable."""

    folder: Path
    taken: int
    most: int
    is_fixed: bool

    def __str__(self) -> str:
        if not self.most and not self.taken:
            return "nothing stored"
        limit = (
            f"of at most {format_bytes(self.most)}"
            if self.most
            else "left over from earlier runs; caching is off"
        )
        return f"{format_bytes(self.taken)} {limit}"


def cache_usage(cache_folder: Path) -> CacheUsage:
    """Return the size and the limit of the cache. Raises InputError if the setting is not a size."""
    folder = cache_folder / FOLDER
    return CacheUsage(folder, used_bytes(folder), requested_bytes(), is_fixed=bool(os.environ.get(VARIABLE)))


def requested_bytes() -> int:
    """Return the maximum size of the cache in bytes, 0 = disabled.

    The order is: PYRAMIDION_ENCODING_CACHE, the user's setting, 2 GB. Raises InputError if the variable is
    not a size.
    """
    value = os.environ.get(VARIABLE)
    if value:
        return parse_bytes(value, VARIABLE)
    chosen = user_models().encoding_bytes
    return parse_bytes(DEFAULT) if chosen is None else chosen


def used_bytes(folder: Path) -> int:
    """Return the size of the encodings in a folder, in bytes."""
    return sum(map(page_size, page_files(folder)))


def page_files(folder: Path) -> list[Path]:
    """Return all pages of a folder."""
    try:
        return [file for file in folder.iterdir() if _NAME.fullmatch(file.name)]
    except OSError:
        return []


def page_size(file: Path) -> int:
    """Return the size of a page in bytes, 0 = deleted."""
    try:
        return file.stat().st_size
    except OSError:  # another process has deleted it
        return 0


def evict(folder: Path, most: float) -> int:
    """Delete least recently used pages until at most `most` bytes are left; return how many are left.

    Pages of all processes count.
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
    """Delete a page; leave it if that fails."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:  # another process has it open: it is deleted later
        log.info("%s cannot be deleted: %s", file, error)


def _last_use(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
