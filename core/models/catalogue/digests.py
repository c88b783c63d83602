"""SHA-256 of weight files, computed once per file and cached."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.files.atomic_write import write_cached
from core.json_text import parse_json
from core.progress import raise_if_cancelled

_CHUNK = 1 << 20


class DigestCache:
    """SHA-256 of files, cached by path, size and modification time.

    folder: stores the cache between runs; None = in memory only.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._file = None if folder is None else folder / "weights-sha256.json"
        self._known = {} if self._file is None else _read(self._file)

    def use_folder(self, folder: Path) -> None:
        """Store the cache in a folder from now on, and add what is stored there."""
        self.folder, self._file = folder, folder / "weights-sha256.json"
        self._known = {**_read(self._file), **self._known}

    def of(self, files: Sequence[Path]) -> str:
        """Return one hexadecimal SHA-256 for a model's weights.

        For several files, over their digests in order.
        """
        digests = [self._of_one(file) for file in files]
        if len(digests) == 1:
            return digests[0]
        return hashlib.sha256("".join(digests).encode()).hexdigest()

    def known(self, files: Sequence[Path]) -> str:
        """Return the same if every file is in the cache, else an empty string; reads no file."""
        return self.of(files) if all(_key(file) in self._known for file in files) else ""

    def _of_one(self, file: Path) -> str:
        key = _key(file)
        if key not in self._known:
            self._known[key] = _sha256(file)
            if self._file is not None:
                write_cached(self._file, json.dumps(self._known, indent=1).encode())
        return self._known[key]


@cache
def digest_cache() -> DigestCache:
    """Return the cache of this process; in memory only until `use_folder` is called."""
    return DigestCache()


def _key(file: Path) -> str:
    stat = file.stat()
    return f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            raise_if_cancelled()
            digest.update(chunk)
    return digest.hexdigest()


def _read(file: Path) -> dict[str, str]:
    try:
        known = parse_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in known.items()} if isinstance(known, dict) else {}
