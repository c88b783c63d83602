"""Disk cache of encodings, stored between runs in pages of several texts, with a maximum size.

A page is a safetensors file that appears only when complete; its name contains its checksum. Damaged pages
are deleted and their texts encoded again. Several processes may share the folder; each knows its own pages
and those that existed when it started. Least recently used pages are deleted first.
"""

from __future__ import annotations

import logging
import os
import uuid
import zlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from threading import RLock

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from core.json_text import parse_json
from core.models.runtime.disk_cache_limits import (
    FOLDER,
    delete,
    evict,
    page_files,
    page_size,
    requested_bytes,
)
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

_PAGE_BYTES = 4 << 20
_SHARE_LEFT = 0.9
"""Share of the limit that remains after eviction: many pages are deleted at once, not one per new page."""

_LONGEST_HEADER = 1 << 24
Vectors = dict[str, torch.Tensor]


def open_disk_cache(cache_folder: Path | None, max_bytes: int | None) -> DiskEncodingCache | None:
    """Open the disk cache, or return None if it is disabled. max_bytes: None = the user's setting."""
    most = requested_bytes() if max_bytes is None else max_bytes
    return _shared_cache(cache_folder / FOLDER, most) if cache_folder is not None and most else None


@cache
def _shared_cache(folder: Path, max_bytes: int) -> DiskEncodingCache:
    """Return one cache per folder for all encoders of this process, so that they share its index."""
    return DiskEncodingCache(folder, max_bytes)


class DiskEncodingCache:
    """Vectors by key, shape (pieces, dimension), in a folder. If the disk fails, runs continue without it."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder, self._max_bytes = folder, max_bytes
        self._pages: dict[str, Path] = {}
        self._waiting: Vectors = {}
        self._nbytes = 0
        self._is_broken = False
        self._lock = RLock()
        for file in page_files(folder):
            self._nbytes += page_size(file)
            self._pages.update(dict.fromkeys(_keys(file), file))

    def page_of(self, key: str) -> Vectors:
        """Return all vectors on the page of a key; empty if the key is not cached or its page is damaged."""
        raise_if_cancelled()
        with self._lock:
            if key in self._waiting:
                return {key: self._waiting[key]}
            file = self._pages.get(key)
            return {} if file is None else self._read(file)

    def keep(self, made: Mapping[str, torch.Tensor]) -> None:
        """Store vectors; they are written when a page is full."""
        with self._lock:
            if not self._is_broken:
                self._waiting.update(made)
            if sum(vectors.nbytes for vectors in self._waiting.values()) >= _PAGE_BYTES:
                self.flush()

    def flush(self) -> None:
        """Write the vectors that are not written yet."""
        with self._lock:
            vectors, self._waiting = self._waiting, {}
            if not vectors:
                return
            try:
                file = _write(self._folder, vectors)
            except OSError as error:
                self._is_broken = True
                log.warning("cannot cache encodings in %s: %s", self._folder, error)
                return
            self._pages.update(dict.fromkeys(vectors, file))
            self._nbytes += page_size(file)
            if self._nbytes > self._max_bytes:
                self._make_room()

    def _read(self, file: Path) -> Vectors:
        try:
            vectors = _read(file)
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            log.info("encodings in %s cannot be read (%s); encoding again", file, error)
            self._drop(file)
            return {}
        with suppress(OSError):  # in a read-only folder the time of use is not updated
            os.utime(file)
        return vectors

    def _make_room(self) -> None:
        self._nbytes = evict(self._folder, _SHARE_LEFT * self._max_bytes)
        left = set(page_files(self._folder))
        self._pages = {key: page for key, page in self._pages.items() if page in left}

    def _drop(self, file: Path) -> None:
        self._pages = {key: page for key, page in self._pages.items() if page != file}
        delete(file)


def _write(folder: Path, vectors: Vectors) -> Path:
    """Write one page, which appears in the folder when it is complete. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lengths = " ".join(str(len(one)) for one in vectors.values())
    content = save(
        {"vectors": torch.cat([one.cpu() for one in vectors.values()])},
        {"keys": " ".join(vectors), "lengths": lengths},
    )
    name = uuid.uuid4().hex
    fresh = folder / f"{name}.new"
    fresh.write_bytes(content)
    return fresh.replace(folder / f"{zlib.crc32(content):08x}-{name}.safetensors")


def _read(file: Path) -> Vectors:
    """Read a page's vectors. Raises ValueError, KeyError or SafetensorError if it is damaged."""
    content = file.read_bytes()
    if f"{zlib.crc32(content):08x}" != file.name[:8]:
        raise ValueError("checksum does not match")
    header = parse_json(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]
    vectors, ends = load(content)["vectors"], list(accumulate(map(int, header["lengths"].split()), initial=0))
    keys = header["keys"].split()
    if ends[-1] != len(vectors):
        raise ValueError("number of vectors does not match the header")
    # clones, because a slice would hold the whole page in memory
    return {key: vectors[a:b].clone() for key, (a, b) in zip(keys, pairwise(ends), strict=True)}


def _keys(file: Path) -> list[str]:
    """Read the keys of a page from its header; empty if that is damaged."""
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            header = stream.read(length) if length < _LONGEST_HEADER else b""
        return str(parse_json(header)["__metadata__"]["keys"]).split()
    except (OSError, ValueError, KeyError, TypeError):
        return []
