"""Encodings kept on the disk between runs, in pages of some texts each, up to a sum of bytes.

A page is a safetensors file, complete or not there at all, whose name bears its checksum: what is damaged is
dropped and encoded again. Several processes may share the folder; each knows its own pages and those that
were there when it began. What was not used for longest goes first.
"""

from __future__ import annotations

import json
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
"""How full the folder is once there had to be room: pages go by many, not one with each new one."""

_LONGEST_HEADER = 1 << 24
Vectors = dict[str, torch.Tensor]


def open_disk_cache(cache_folder: Path | None, max_bytes: int | None) -> DiskEncodingCache | None:
    """The encodings among what can be made again, None = none are kept. max_bytes: None = as is wished."""
    most = requested_bytes() if max_bytes is None else max_bytes
    return _kept_in(cache_folder / FOLDER, most) if cache_folder is not None and most else None


@cache
def _kept_in(folder: Path, max_bytes: int) -> DiskEncodingCache:
    """The same for all encoders of this process, so that they know of each other's pages."""
    return DiskEncodingCache(folder, max_bytes)


class DiskEncodingCache:
    """Vectors by key, shape (pieces, dimension), in a folder. Where the disk fails, runs go on without it."""

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
        """What lies on a key's page, with the key; empty where it is not kept or its page is damaged."""
        raise_if_cancelled()
        with self._lock:
            if key in self._waiting:
                return {key: self._waiting[key]}
            file = self._pages.get(key)
            return {} if file is None else self._read(file)

    def keep(self, made: Mapping[str, torch.Tensor]) -> None:
        """Keep vectors, which are written once there is a page of them."""
        with self._lock:
            if not self._is_broken:
                self._waiting.update(made)
            if sum(vectors.nbytes for vectors in self._waiting.values()) >= _PAGE_BYTES:
                self.flush()

    def flush(self) -> None:
        """Write what is still waiting."""
        with self._lock:
            vectors, self._waiting = self._waiting, {}
            if not vectors:
                return
            try:
                file = _write(self._folder, vectors)
            except OSError as error:
                self._is_broken = True
                log.warning("encodings cannot be kept in %s: %s", self._folder, error)
                return
            self._pages.update(dict.fromkeys(vectors, file))
            self._nbytes += page_size(file)
            if self._nbytes > self._max_bytes:
                self._make_room()

    def _read(self, file: Path) -> Vectors:
        try:
            found = _read(file)
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            log.info("encodings in %s cannot be read (%s); they are made again", file, error)
            self._drop(file)
            return {}
        with suppress(OSError):  # where all may read and not write, the use is not noted
            os.utime(file)
        return found

    def _make_room(self) -> None:
        self._nbytes = evict(self._folder, _SHARE_LEFT * self._max_bytes)
        there = set(page_files(self._folder))
        self._pages = {key: page for key, page in self._pages.items() if page in there}

    def _drop(self, file: Path) -> None:
        self._pages = {key: page for key, page in self._pages.items() if page != file}
        delete(file)


def _write(folder: Path, vectors: Vectors) -> Path:
    """One page, which appears in the folder when it is complete. Raises OSError."""
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
    """A page's vectors. Raises ValueError, KeyError or SafetensorError where it is damaged."""
    content = file.read_bytes()
    if f"{zlib.crc32(content):08x}" != file.name[:8]:
        raise ValueError("its checksum is another")
    said = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]
    vectors, ends = load(content)["vectors"], list(accumulate(map(int, said["lengths"].split()), initial=0))
    keys = said["keys"].split()
    if ends[-1] != len(vectors):
        raise ValueError("it has other vectors than it says")
    # clones, since a part would keep the whole page in memory
    return {key: vectors[a:b].clone() for key, (a, b) in zip(keys, pairwise(ends), strict=True)}


def _keys(file: Path) -> list[str]:
    """The keys of a page by its first bytes alone; none where these are damaged."""
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            header = stream.read(length) if length < _LONGEST_HEADER else b""
        return str(json.loads(header)["__metadata__"]["keys"]).split()
    except (OSError, ValueError, KeyError, TypeError):
        return []
