"""Model downloads from the Hugging Face Hub, only on request.

An interrupted download resumes where it stopped, also in a later session. Each file is checked against the
hub's hashes, and a model is available only when all its files are complete.
"""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

from core.errors import InputError
from core.models.catalogue.conversion import OLD_WEIGHTS, convert, needs_conversion
from core.models.catalogue.entries import Role, catalogue_entry
from core.models.catalogue.hub import (
    BROKEN,
    TIMEOUT_S,
    HubModel,
    RemoteFile,
    error_reason,
    http_error,
    hub_address,
    offline_reason,
    query_hub,
    request_to,
)
from core.models.catalogue.user_models import UserModel, user_models
from core.models.catalogue.validation import detect_roles
from core.progress import JobSteps, Progress, raise_if_cancelled

ATTEMPTS = 4
PAUSE_S = 1.0
_CHUNK = 1 << 18
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EPERM}


def download(name: str, folder: Path) -> JobSteps[UserModel]:
    """Download a model by its catalogue key or hub name into a subfolder of `folder`, and register it.

    Raises InputError if the network is off, the hub has no such model or only unsafe weights, the disk is
    full, or a file does not match its hash. A cancelled download can be resumed.
    """
    repository = _repository(name)
    if why_not := offline_reason():
        raise InputError(why_not)
    yield Progress(0, 0, f"looking up {repository}")
    offer = query_hub(repository)
    place = folder / repository.replace("/", "--")
    part = place.with_name(f"{place.name}.part")
    _check_room(offer, part)
    done = 0
    for file in offer.files:
        yield from _fetch(offer, file, part, done)
        done += file.size
    yield Progress(offer.size, offer.size, "checking")
    roles = _accepted(part, place, name)
    entry = catalogue_entry(name)
    model = UserModel(entry.key if entry else repository, place, entry.roles if entry else roles)
    user_models().add(model)
    return model


def _repository(name: str) -> str:
    entry = catalogue_entry(name)
    if entry is not None:
        if entry.is_packaged:
            raise InputError(f"{entry.key} is installed with Pyramidion and needs no download.")
        if not entry.repositories:
            raise InputError(
                f"{entry.key} is not on the Hugging Face Hub. {entry.how_to_get} Then run: "
                "pyramidion models add"
            )
        return entry.repositories[0]
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise InputError(
            f"{name!r} is neither in the catalogue nor a hub name such as FacebookAI/roberta-large. Run "
            "`pyramidion models` to list the catalogue."
        )
    return name


def _check_room(offer: HubModel, part: Path) -> None:
    """Create the folder. Raises InputError if the disk has too little space for the rest of the download."""
    try:
        part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{part} cannot be created ({error.strerror}).") from error
    there = sum(file.stat().st_size for file in part.rglob("*") if file.is_file())
    free = shutil.disk_usage(part).free
    if offer.size - there > free:
        raise InputError(
            f"{offer.repository} needs {offer.size / 1e6:,.0f} MB, but {part.parent} has only "
            f"{free / 1e6:,.0f} MB free. Free some space, or set PYRAMIDION_MODELS to a folder on "
            "another disk."
        )


def _fetch(offer: HubModel, file: RemoteFile, folder: Path, before: int) -> Iterator[Progress]:
    """Download one file, resuming a partial one. before: bytes of the files that are complete."""
    complete = folder / file.name
    if complete.is_file() and complete.stat().st_size == file.size:
        return
    complete.parent.mkdir(parents=True, exist_ok=True)
    partial = complete.with_name(f"{complete.name}.{(file.sha256 or file.blob)[:12]}.part")
    for attempt in range(ATTEMPTS):
        try:
            for size in _receive(offer, file, partial):
                yield Progress(before + size, offer.size, f"{file.name} · {_megabytes(before + size, offer)}")
            break
        except HTTPError as error:
            raise http_error(offer.repository, error) from error
        except BROKEN as error:
            if getattr(error, "errno", None) in _OF_THE_DISK:
                raise InputError(f"{folder} is not writable ({error_reason(error)}).") from error
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"The connection to {hub_address()} broke at "
                    f"{_megabytes(before + _size(partial), offer)} ({error_reason(error)}). "
                    f"Download {offer.repository} again to resume."
                ) from error
            time.sleep(PAUSE_S)
    _check(file, partial)
    partial.replace(complete)


def _receive(offer: HubModel, file: RemoteFile, partial: Path) -> Iterator[int]:
    """Append the hub's data to a partial file; yields its size. Raises if the connection breaks."""
    start = _size(partial)
    if start >= file.size and start:
        return
    address = f"{hub_address()}/{quote(offer.repository)}/resolve/{offer.revision}/{quote(file.name)}"
    request = request_to(address)
    if start:
        request.add_header("Range", f"bytes={start}-")
    with closing(urlopen(request, timeout=TIMEOUT_S)) as response:
        resumes = start > 0 and response.status == 206
        with partial.open("ab" if resumes else "wb") as stream:
            size = start if resumes else 0
            while chunk := response.read1(_CHUNK):
                raise_if_cancelled()
                size += stream.write(chunk)
                yield size
    if size < file.size:
        raise ConnectionError(f"{file.size - size:,} bytes are missing")


def _check(file: RemoteFile, partial: Path) -> None:
    """Check a file against the hub's hash. Deletes it and raises InputError if it differs."""
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(usedforsecurity=False)
    if not file.sha256:
        digest.update(f"blob {file.size}\0".encode())  # the way git hashes a file
    with partial.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            raise_if_cancelled()
            digest.update(chunk)
    expected = file.sha256 or file.blob
    if _size(partial) != file.size or (expected and digest.hexdigest() != expected):
        partial.unlink()
        raise InputError(
            f"{file.name} is damaged: it does not match the hub's hash. It was deleted; download it again."
        )


def _accepted(part: Path, place: Path, name: str) -> tuple[Role, ...]:
    """Move the downloaded model to its place and return its roles. Raises InputError if it is unusable."""
    if needs_conversion(part):
        try:
            convert(part)
        finally:  # a rejected model is not stored
            (part / OLD_WEIGHTS).unlink()
    roles = detect_roles(part)
    for left in part.rglob("*.part"):  # left over from another release
        left.unlink()
    if place.exists():
        shutil.rmtree(place)
    try:
        part.replace(place)
    except OSError as error:
        raise InputError(f"{name} cannot be moved to {place} ({error.strerror}).") from error
    return roles


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _megabytes(done: int, offer: HubModel) -> str:
    return f"{done / 1e6:,.0f} of {offer.size / 1e6:,.0f} MB"
