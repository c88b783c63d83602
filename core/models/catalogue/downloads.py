"""Models from the Hugging Face hub, fetched when somebody asks; the only code that reaches out for models.

A file that is cut off goes on from where it broke, today or another day; what arrives is checked against the
hub's own hashes, and a model takes its place only when all of it is there.
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
    """Fetch a model by its key or its name on the hub into a folder of its own below `folder`; remember it.

    Raises InputError where the network is off, the hub has no such model or none without pickles, the disk
    is too full, or what arrived is not what the hub has. Closing it keeps what has arrived for another time.
    """
    repository = _repository(name)
    if why_not := offline_reason():
        raise InputError(why_not)
    yield Progress(0, 0, f"asking for {repository}")
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
            raise InputError(f"{entry.key} is installed with the program; there is nothing to download.")
        if not entry.repositories:
            raise InputError(f"{entry.key} is on no hub. {entry.how_to_get} Then run pyramidion models add.")
        return entry.repositories[0]
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise InputError(
            f"{name!r} is no model of the catalogue and no name on the hub, which looks like "
            "FacebookAI/roberta-large; `pyramidion models` lists the catalogue."
        )
    return name


def _check_room(offer: HubModel, part: Path) -> None:
    """Make the folder. Raises InputError where the disk lacks room for what is still to come."""
    try:
        part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{part} cannot be made ({error.strerror}).") from error
    there = sum(file.stat().st_size for file in part.rglob("*") if file.is_file())
    free = shutil.disk_usage(part).free
    if offer.size - there > free:
        raise InputError(
            f"{offer.repository} takes {offer.size / 1e6:,.0f} MB, and {part.parent} has "
            f"{free / 1e6:,.0f} MB left. Make room, or set PYRAMIDION_MODELS to a folder on another disk."
        )


def _fetch(offer: HubModel, file: RemoteFile, folder: Path, before: int) -> Iterator[Progress]:
    """Fetch one file, going on with what is there. before: bytes of the files that are done."""
    whole = folder / file.name
    if whole.is_file() and whole.stat().st_size == file.size:
        return
    whole.parent.mkdir(parents=True, exist_ok=True)
    kept = whole.with_name(f"{whole.name}.{(file.sha256 or file.blob)[:12]}.part")
    for attempt in range(ATTEMPTS):
        try:
            for size in _receive(offer, file, kept):
                yield Progress(before + size, offer.size, f"{file.name} · {_megabytes(before + size, offer)}")
            break
        except HTTPError as error:
            raise http_error(offer.repository, error) from error
        except BROKEN as error:
            if getattr(error, "errno", None) in _OF_THE_DISK:
                raise InputError(f"{folder} cannot be written ({error_reason(error)}).") from error
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"The connection to {hub_address()} broke at {_megabytes(before + _size(kept), offer)} "
                    f"({error_reason(error)}). Download {offer.repository} again: it goes on from there."
                ) from error
            time.sleep(PAUSE_S)
    _check(file, kept)
    kept.replace(whole)


def _receive(offer: HubModel, file: RemoteFile, kept: Path) -> Iterator[int]:
    """Append what the hub sends to what is kept; yields the bytes that are there. Raises where it breaks."""
    start = _size(kept)
    if start >= file.size and start:
        return
    address = f"{hub_address()}/{quote(offer.repository)}/resolve/{offer.revision}/{quote(file.name)}"
    request = request_to(address)
    if start:
        request.add_header("Range", f"bytes={start}-")
    with closing(urlopen(request, timeout=TIMEOUT_S)) as response:
        goes_on = start > 0 and response.status == 206
        with kept.open("ab" if goes_on else "wb") as stream:
            size = start if goes_on else 0
            while chunk := response.read1(_CHUNK):
                raise_if_cancelled()
                size += stream.write(chunk)
                yield size
    if size < file.size:
        raise ConnectionError(f"{file.size - size:,} bytes did not come")


def _check(file: RemoteFile, kept: Path) -> None:
    """Raise InputError, and drop what came, unless it is what the hub says."""
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(usedforsecurity=False)
    if not file.sha256:
        digest.update(f"blob {file.size}\0".encode())  # as git hashes a file
    with kept.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            raise_if_cancelled()
            digest.update(chunk)
    meant = file.sha256 or file.blob
    if _size(kept) != file.size or (meant and digest.hexdigest() != meant):
        kept.unlink()
        raise InputError(
            f"{file.name} arrived damaged: it is not what the hub says by its hash. It was dropped; download "
            "it again."
        )


def _accepted(part: Path, place: Path, name: str) -> tuple[Role, ...]:
    """What the fetched model is for, once it stands in its place. Raises InputError where it is of no use."""
    if needs_conversion(part):
        try:
            convert(part)
        finally:  # what is refused is not kept either
            (part / OLD_WEIGHTS).unlink()
    roles = detect_roles(part)
    for left in part.rglob("*.part"):  # of another release than the one that is here now
        left.unlink()
    if place.exists():
        shutil.rmtree(place)
    try:
        part.replace(place)
    except OSError as error:
        raise InputError(f"{name} cannot be put in {place} ({error.strerror}).") from error
    return roles


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _megabytes(done: int, offer: HubModel) -> str:
    return f"{done / 1e6:,.0f} of {offer.size / 1e6:,.0f} MB"
