"""Downloads over HTTP: resumed where they stopped, checked against hashes, cancelled between chunks."""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from core.errors import InputError
from core.progress import Progress, raise_if_cancelled

ATTEMPTS = 4
PAUSE_S = 1.0
TIMEOUT_S = 30.0
CHUNK = 1 << 18
MOST_UNKNOWN = 4 * 2**30
"""Maximum bytes of a file whose size is not known."""

BROKEN = (URLError, HTTPException, OSError)
"""Exceptions of a broken connection."""

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


def fetch(file: RemoteFile, address: str, folder: Path, batch: Batch) -> Iterator[Progress]:
    """Download one file into a folder, resuming a partial one.

    A file without a hash is not resumed, because the server's may have changed.
    Raises HTTPError if the server refuses, InputError if the connection breaks again and again, if the disk
    is full, or if the file does not match its hash, after deleting it.
    """
    complete = folder / file.name
    complete.parent.mkdir(parents=True, exist_ok=True)
    mark = (file.sha256 or file.blob)[:12] or "new"
    partial = complete.with_name(f"{complete.name}.{mark}.part")
    for attempt in range(ATTEMPTS):
        try:
            for size in _receive(file, address, partial):
                yield Progress(batch.before + size, batch.size, f"{file.name} · {batch.position(size)}")
            break
        except HTTPError as error:
            if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or attempt == ATTEMPTS - 1:
                raise
            partial.unlink(missing_ok=True)  # it has more than the server's file
        except BROKEN as error:
            if getattr(error, "errno", None) in _OF_THE_DISK:
                raise InputError(f"{folder} is not writable ({error_reason(error)}).") from error
            if attempt == ATTEMPTS - 1:
                parts = urlsplit(address)
                raise InputError(
                    f"The connection to {parts.scheme}://{parts.netloc} broke at "
                    f"{batch.position(_size(partial))} ({error_reason(error)}). "
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


def _receive(file: RemoteFile, address: str, partial: Path) -> Iterator[int]:
    """Append the server's data to a partial file; yields its size. Raises if the connection breaks."""
    start = _size(partial) if file.has_hash else 0
    if start and (start >= file.size if file.size else matches_hash(partial, file)):
        return
    request = Request(address, headers={"User-Agent": "pyramidion"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    limit = file.size or MOST_UNKNOWN
    with closing(open_address(request)) as response:
        resumes = start > 0 and response.status == 206
        expected = file.size or (start if resumes else 0) + (response.length or 0)
        with partial.open("ab" if resumes else "wb") as stream:
            size = start if resumes else 0
            while size <= limit and (chunk := response.read1(CHUNK)):
                raise_if_cancelled()
                size += stream.write(chunk)
                yield size
    if size > limit:
        partial.unlink()
        raise InputError(f"{file.name} is larger than expected ({limit:,} bytes). It was deleted; try again.")
    if size < expected:
        raise ConnectionError(f"{expected - size:,} bytes are missing")


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to HTTP and HTTPS, and from HTTPS to HTTPS only."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme != "https" and (req.type == "https" or scheme != "http"):
            host = urlsplit(req.full_url).netloc
            raise InputError(
                f"{host} redirects to {scheme}://{urlsplit(newurl).netloc}, which is not encrypted. Nothing "
                "was downloaded; try again in another network."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def open_address(request: Request) -> Any:
    """Return the response to a request. Raises InputError at a redirect to a connection that is less safe."""
    return build_opener(_Redirects).open(request, timeout=TIMEOUT_S)


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


def error_reason(error: BaseException) -> str:
    """Return the system's message for a broken connection."""
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(reason) or type(error).__name__


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0
