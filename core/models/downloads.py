"""Models from the Hugging Face hub, fetched when somebody asks; the only code that reaches out for models.

A file that is cut off goes on from where it broke, today or another day; what arrives is checked against the
hub's own hashes, and a model takes its place only when all of it is there.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from core.errors import InputError
from core.models.added import AddedModel, added_models
from core.models.checking import roles_of
from core.models.converting import OLD_WEIGHTS, WEIGHTS, convert, needs_conversion
from core.models.entries import Role, entry_of
from core.progress import Progress, Steps, stop_if_asked

HUB = "https://huggingface.co"
TIMEOUT_S = 30.0
ATTEMPTS = 4
PAUSE_S = 1.0
_CHUNK = 1 << 18
_WANTED = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)
"""Files that make a model beside its weights; none of them can hold code. PyTorch's older file of weights
could: where a hub has no other it is read as numbers alone, and only what is made of it is kept."""

_OFFLINE = ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EPERM}
_BROKEN = (URLError, HTTPException, OSError)


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file on the hub. sha256: of a large one; blob: git's hash of a small one; each may be empty."""

    name: str
    size: int
    sha256: str = ""
    blob: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model as the hub has it. revision: the commit that its files are taken from."""

    repository: str
    revision: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def why_offline() -> str:
    """Why nothing may be fetched, with the remedy; empty = it may be."""
    no = {"", "0", "no", "off", "false"}
    by = next((name for name in _OFFLINE if os.environ.get(name, "").strip().lower() not in no), "")
    if by:
        return f"{by} is set, so that nothing is fetched from the network; unset it to download."
    if added_models().is_offline:
        return (
            "You chose to work offline, so that nothing is fetched from the network. Untick “Work offline” "
            "under Score, Models…, or run: pyramidion models offline off"
        )
    return ""


def hub_address() -> str:
    """Where the hub is; the environment's HF_ENDPOINT names a mirror."""
    return (os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")


def download(name: str, folder: Path) -> Steps[AddedModel]:
    """Fetch a model by its key or its name on the hub into a folder of its own below `folder`; remember it.

    Raises InputError where the network is off, the hub has no such model or none without pickles, the disk
    is too full, or what arrived is not what the hub has. Closing it keeps what has arrived for another time.
    """
    repository = _repository(name)
    if why_not := why_offline():
        raise InputError(why_not)
    yield Progress(0, 0, f"asking for {repository}")
    offer = ask(repository)
    place = folder / repository.replace("/", "--")
    part = place.with_name(f"{place.name}.part")
    _check_room(offer, part)
    done = 0
    for file in offer.files:
        yield from _fetch(offer, file, part, done)
        done += file.size
    yield Progress(offer.size, offer.size, "checking")
    roles = _accepted(part, place, name)
    entry = entry_of(name)
    model = AddedModel(entry.key if entry else repository, place, entry.roles if entry else roles)
    added_models().add(model)
    return model


def ask(repository: str) -> Offer:
    """What the hub has of a model. Raises InputError where it has none, or no weights that can be read."""
    said = _json(f"{hub_address()}/api/models/{quote(repository)}?blobs=true", repository)
    files = [_remote(row) for row in said.get("siblings") or ()]
    names = {file.name for file in files}
    weights = {WEIGHTS} if WEIGHTS in names else {n for n in names if _is_shard(n)}
    weights = weights or names.intersection({OLD_WEIGHTS})
    if not weights:
        raise InputError(
            f"{repository} has neither {WEIGHTS} nor {OLD_WEIGHTS} on the hub. Convert it with transformers' "
            "save_pretrained, and add its folder."
        )
    wanted = [file for file in files if file.name in weights or _is_wanted(file.name)]
    return Offer(repository, str(said.get("sha") or "main"), tuple(wanted))


def _repository(name: str) -> str:
    entry = entry_of(name)
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


def _json(address: str, repository: str) -> dict[str, Any]:
    try:
        with closing(urlopen(_request(address), timeout=TIMEOUT_S)) as response:
            said = json.load(response)
    except HTTPError as error:
        raise _refused(repository, error) from error
    except (*_BROKEN, ValueError) as error:
        raise InputError(f"{hub_address()} cannot be reached ({_reason(error)}); try again later.") from error
    return said if isinstance(said, dict) else {}


def _refused(repository: str, error: HTTPError) -> InputError:
    if error.code in {401, 403, 404}:
        return InputError(
            f"The hub has no open model {repository} (HTTP {error.code}). Check its name; one that asks for "
            "an account has to be fetched by hand and added as a folder."
        )
    return InputError(f"The hub does not answer for {repository} (HTTP {error.code}); try again later.")


def _remote(row: dict[str, Any]) -> RemoteFile:
    large = row.get("lfs") or {}
    size = large.get("size") or row.get("size") or 0
    return RemoteFile(
        str(row["rfilename"]), int(size), str(large.get("sha256") or ""), str(row.get("blobId") or "")
    )


def _is_shard(name: str) -> bool:
    is_part = name.startswith("model-") and name.endswith(".safetensors") and "/" not in name
    return is_part or name == f"{WEIGHTS}.index.json"


def _is_wanted(name: str) -> bool:
    head, _, last = name.rpartition("/")
    if not head:
        return name in _WANTED
    is_part = head[:1].isdigit() and "/" not in head  # 1_Pooling, 2_Dense of a sentence encoder
    return is_part and last in {"config.json", WEIGHTS}


def _check_room(offer: Offer, part: Path) -> None:
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


def _fetch(offer: Offer, file: RemoteFile, folder: Path, before: int) -> Iterator[Progress]:
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
            raise _refused(offer.repository, error) from error
        except _BROKEN as error:
            if getattr(error, "errno", None) in _OF_THE_DISK:
                raise InputError(f"{folder} cannot be written ({_reason(error)}).") from error
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"The connection to {hub_address()} broke at {_megabytes(before + _size(kept), offer)} "
                    f"({_reason(error)}). Download {offer.repository} again: it goes on from there."
                ) from error
            time.sleep(PAUSE_S)
    _check(file, kept)
    kept.replace(whole)


def _receive(offer: Offer, file: RemoteFile, kept: Path) -> Iterator[int]:
    """Append what the hub sends to what is kept; yields the bytes that are there. Raises where it breaks."""
    start = _size(kept)
    if start >= file.size and start:
        return
    address = f"{hub_address()}/{quote(offer.repository)}/resolve/{offer.revision}/{quote(file.name)}"
    request = _request(address)
    if start:
        request.add_header("Range", f"bytes={start}-")
    with closing(urlopen(request, timeout=TIMEOUT_S)) as response:
        goes_on = start > 0 and response.status == 206
        with kept.open("ab" if goes_on else "wb") as stream:
            size = start if goes_on else 0
            while chunk := response.read1(_CHUNK):
                stop_if_asked()
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
            stop_if_asked()
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
    roles = roles_of(part)
    for left in part.rglob("*.part"):  # of another release than the one that is here now
        left.unlink()
    if place.exists():
        shutil.rmtree(place)
    try:
        part.replace(place)
    except OSError as error:
        raise InputError(f"{name} cannot be put in {place} ({error.strerror}).") from error
    return roles


def _request(address: str) -> Request:
    if not address.startswith(("https://", "http://")):
        raise InputError(f"HF_ENDPOINT={hub_address()} is no address; it begins with https://.")
    return Request(address, headers={"User-Agent": "pyramidion"})


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _megabytes(done: int, offer: Offer) -> str:
    return f"{done / 1e6:,.0f} of {offer.size / 1e6:,.0f} MB"


def _reason(error: BaseException) -> str:
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(reason) or type(error).__name__
