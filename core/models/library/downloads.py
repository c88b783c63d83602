"""Model downloads from the Hugging Face Hub, only on request.

An interrupted download resumes where it stopped, also in a later session. Each file is checked against the
hub's hashes, and a model is available only when all its files are complete.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2

from core.errors import InputError, MissingResource
from core.files.downloads import Batch, RemoteFile, fetch
from core.models.catalogue.comet import WITH_ITS_TOKENIZER
from core.models.catalogue.conversion import convert_files, needs_conversion
from core.models.catalogue.entries import Role, catalogue_entry
from core.models.catalogue.hub import (
    HubModel,
    file_address,
    hub_headers,
    offline_reason,
    query_hub,
    query_hub_tokenizer,
    refusal,
)
from core.models.catalogue.lightning import RELEASED, checkpoint_of, converted_checkpoint
from core.models.catalogue.model_folder import TOKENIZER
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.installation import aside, put_in_place
from core.models.library.validation import detect_roles, roles_used
from core.models.library.weights import check_weights
from core.progress import JobSteps, Progress


def download(name: str, folder: Path, role: Role | None = None) -> JobSteps[UserModel]:
    """Download a model by its catalogue key or hub name into a subfolder of `folder`, and register it.

    role: use of a model that is not in the catalogue; None = every one it supports.
    Raises InputError if the network is off, the hub has no such model or only unsafe weights, the disk is
    full, or a file does not match its hash. A cancelled download can be resumed.
    """
    repository, entry = _repository(name), catalogue_entry(name)
    if entry is not None and role is not None and entry.roles != (role,):
        raise InputError(f"{entry.key} is used as {', '.join(entry.roles)}. Leave out --role.")
    if why_not := offline_reason():
        raise InputError(why_not)
    yield Progress(0, 0, f"looking up {repository}")
    offers = [query_hub(repository)]
    names = {file.name for file in offers[0].files}
    if RELEASED in names and TOKENIZER not in names:
        offers.append(query_hub_tokenizer(WITH_ITS_TOKENIZER[0]))
    size = sum(offer.size for offer in offers)
    place = folder / repository.replace("/", "--")
    part = place.with_name(f"{place.name}.part")
    _check_room(repository, size, part)
    done = 0
    try:
        for offer, file in [(one, file) for one in offers for file in one.files]:
            yield from _fetch(offer, file, part, Batch(repository, done, size))
            done += file.size
    except BaseException:
        if not any(file.is_file() for file in part.rglob("*")):  # nothing to resume
            shutil.rmtree(part, ignore_errors=True)
        raise
    yield Progress(size, size, "checking")
    detected: tuple[Role, ...] = ()
    try:
        detected = _accepted(part)
        roles = entry.roles if entry else roles_used(role, detected, part)
        check_weights(part, roles)
    except (InputError, MissingResource) as error:
        message = str(error).replace(str(part), repository)
        if detected and entry is None and _is_whole(part, [file for one in offers for file in one.files]):
            message += f" Its files are kept in {part} until it is got again with another --role."
        else:
            shutil.rmtree(part, ignore_errors=True)
        error.args = (message,)
        raise
    with aside(folder) as empty:
        put_in_place(part, place, empty)
    model = UserModel(entry.key if entry else repository, place, roles)
    user_models().add(model)
    return model


def _repository(name: str) -> str:
    entry = catalogue_entry(name)
    if entry is not None:
        if entry.is_packaged:
            raise InputError(f"{entry.key} is installed with Pyramidion and needs no download.")
        if not entry.repositories:
            raise InputError(f"{entry.key} is not on the Hugging Face Hub. {entry.by_hand}")
        return entry.repositories[0]
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise InputError(
            f"{name!r} is neither in the catalogue nor a hub name such as FacebookAI/roberta-large. Run "
            "`pyramidion models` to list the catalogue."
        )
    return name


def _check_room(repository: str, size: int, part: Path) -> None:
    """Create the folder. Raises InputError if the disk has too little space for the rest of the download."""
    try:
        part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{part} cannot be created ({error.strerror}).") from error
    there = sum(file.stat().st_size for file in part.rglob("*") if file.is_file())
    free = shutil.disk_usage(part).free
    if size - there > free:
        raise InputError(
            f"{repository} needs {size / 1e6:,.0f} MB, but {part.parent} has only "
            f"{free / 1e6:,.0f} MB free. Free some space, or set PYRAMIDION_MODELS to a folder on "
            "another disk."
        )


def _fetch(offer: HubModel, file: RemoteFile, folder: Path, batch: Batch) -> Iterator[Progress]:
    """Download one file, resuming a partial one."""
    complete = folder / file.name
    if complete.is_file() and complete.stat().st_size == file.size:
        return
    address = file_address(offer.repository, offer.revision, file.name)
    try:
        yield from fetch(file, address, folder, batch, hub_headers())
    except httpx2.HTTPStatusError as error:
        raise refusal(offer.repository, error.response) from error


def _is_whole(part: Path, files: Sequence[RemoteFile]) -> bool:
    """Return whether all files of a model are there as they were fetched, and serve as an encoder."""
    try:
        check_weights(part, (Role.ENCODER,))
    except (InputError, MissingResource):
        return False
    return all((part / file.name).is_file() for file in files)


def _accepted(part: Path) -> tuple[Role, ...]:
    """Convert a downloaded model and return its roles. Raises InputError if it is unusable."""
    if needs_conversion(part):  # a rejected model is not stored
        convert_files(part)
    if (checkpoint := checkpoint_of(part)) is not None:
        converted_checkpoint(checkpoint, part)
    shutil.rmtree((part / RELEASED).parent, ignore_errors=True)
    roles = detect_roles(part)
    for left in part.rglob("*.part"):  # left over from another release
        left.unlink()
    return roles
