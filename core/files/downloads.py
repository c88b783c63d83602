"""Downloads over HTTP: resumed where they stopped, checked against hashes, cancelled between chunks.

`hf_hub_download` of huggingface_hub 2 deletes what has arrived when it is stopped, so the files of the hub,
too, are received here; lists and tokens of the hub are that package's (`core/models/catalogue/hub.py`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from core.errors import InputError
from core.progress import Progress, raise_if_cancelled
from core.server_causes import cause_of
from core.server_secrets import without_login

ATTEMPTS = 4
PAUSE_S = 1.0
TIMEOUT_S = 30.0
HEADERS = {"user-agent": "pyramidion", "accept-encoding": "identity"}
MOST_UNKNOWN = 4 * 2**30
"""Maximum bytes of a file whose size is not known."""

BROKEN = (httpx2.TransportError, httpx2.InvalidURL, OSError)
"""Exceptions of a broken connection."""

_AGAIN = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)}
"""Refusals that pass."""

_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EPERM}


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file on a server. size: in bytes, 0 = unknown. sha256, blob (git's hash): either may be empty."""

    name: str
    size: int
    sha256: str = ""
    blob: str = ""

    @property
    def has_hash(self) -> bool:
        return bool(self.sha256 or self.blob)


@dataclass(frozen=True, slots=True)
class Batch:
    """The files that a file is one of.

    name: of the whole, for messages. before: bytes of the files that are complete.
    size: bytes of all files, 0 = unknown.
    """

    name: str
    before: int
    size: int

    def position(self, done: int) -> str:
        """Return how far the download is. done: bytes of the current file."""
        total = f" of {self.size / 1e6:,.0f}" if self.size else ""
        return f"{(self.before + done) / 1e6:,.0f}{total} MB"


def fetch(
    file: RemoteFile, address: str, folder: Path, batch: Batch, headers: Mapping[str, str] | None = None
) -> Iterator[Progress]:
    """Download one file into a folder, resuming a partial one.

    A file without a hash is not resumed, because the server's may have changed.
    headers: of the request, such as a token; a redirect to another server does not get that.
    Raises httpx2.HTTPStatusError if the server refuses, InputError if the connection breaks again and again,
    if the disk is full, or if the file does not match its hash, after deleting it.
    """
    complete = folder / file.name
    complete.parent.mkdir(parents=True, exist_ok=True)
    mark = (file.sha256 or file.blob)[:12] or "new"
    partial = complete.with_name(f"{complete.name}.{mark}.part")
    for attempt in range(ATTEMPTS):
        is_last = attempt == ATTEMPTS - 1
        try:
            for size in _receive(file, address, partial, {**HEADERS, **(headers or {})}):
                yield Progress(batch.before + size, batch.size, f"{file.name} · {batch.position(size)}")
            break
        except httpx2.HTTPStatusError as error:
            code = error.response.status_code
            if is_last or code not in {*_AGAIN, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}:
                raise
            if code not in _AGAIN:
                partial.unlink(missing_ok=True)  # it has more than the server's file
            time.sleep(PAUSE_S)
        except BROKEN as error:
            if (number := getattr(error, "errno", None)) in _OF_THE_DISK:
                raise InputError(f"{folder} is not writable ({os.strerror(number)}).") from error
            if is_last:
                parts = urlsplit(address)
                raise InputError(
                    f"The connection to {without_login(f'{parts.scheme}://{parts.netloc}')} broke at "
                    f"{batch.position(_size(partial))} ({cause_of(error)}). "
                    f"Download {batch.name} again to resume."
                ) from error
            time.sleep(PAUSE_S)
    if file.has_hash and not matches_hash(partial, file):
        partial.unlink()
        raise InputError(
            f"{file.name} is damaged: it does not match the published hash. It was deleted; download it "
            "again."
        )
    partial.replace(complete)


def _receive(file: RemoteFile, address: str, partial: Path, headers: dict[str, str]) -> Iterator[int]:
    """Append the server's data to a partial file; yields its size. Raises if the connection breaks."""
    start = _size(partial) if file.has_hash else 0
    if start and (start >= file.size if file.size else matches_hash(partial, file)):
        return
    if start:
        headers["Range"] = f"bytes={start}-"
    limit = file.size or MOST_UNKNOWN
    redirects: Callable[..., None] = _Redirects(urlsplit(address).scheme, urlsplit(address).hostname or "")
    with (
        httpx2.Client(
            event_hooks={"request": [redirects]}, follow_redirects=True, timeout=TIMEOUT_S
        ) as client,
        client.stream("GET", address, headers=headers) as response,
    ):
        response.raise_for_status()
        resumes = start > 0 and response.status_code == HTTPStatus.PARTIAL_CONTENT
        with partial.open("ab" if resumes else "wb") as stream:
            size = start if resumes else 0
            for chunk in response.iter_raw():
                raise_if_cancelled()
                size += stream.write(chunk)
                yield size
                if size > limit:
                    break
    if size > limit:
        partial.unlink()
        raise InputError(f"{file.name} is larger than expected ({limit:,} bytes). It was deleted; try again.")
    if size < file.size:
        raise ConnectionError(f"{file.size - size:,} bytes are missing")


@dataclass(slots=True)
class _Redirects:
    """Allows redirects from HTTPS to HTTPS only, and from HTTP to both."""

    scheme: str
    host: str

    def __call__(self, request: httpx2.Request) -> None:
        url = request.url
        if url.scheme != "https" and (self.scheme == "https" or url.scheme != "http"):
            raise InputError(
                f"{self.host} redirects to {url.scheme}://{url.host}, which is not encrypted. Nothing was "
                "downloaded; try again in another network."
            )
        self.scheme, self.host = url.scheme, url.host


def matches_hash(path: Path, file: RemoteFile) -> bool:
    """Return whether a file has the size and the hash of a remote one."""
    size = _size(path)
    if file.size and size != file.size:
        return False
    if file.sha256:
        return sha256_of(path) == file.sha256
    digest = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)  # the way git hashes a file
    return not file.blob or _hashed(path, digest) == file.blob


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    return _hashed(path, hashlib.sha256())


def _hashed(path: Path, digest: hashlib._Hash) -> str:
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            raise_if_cancelled()
            digest.update(chunk)
    return digest.hexdigest()


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
