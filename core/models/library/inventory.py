"""Status of all models on this machine: size, memory, speed, and how to get missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import InputError, MissingResource
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.lookup import PIECES_PER_WORD, RATES, find_model, title_of
from core.models.catalogue.model_folder import read_model
from core.models.catalogue.sentence_folder import transformer_folder
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.validation import detect_roles, disk_size
from core.models.nlp.parser import find_pipeline
from core.names import resolve_name
from core.progress import JobSteps, Progress

_MEGABYTE = 1_000_000
_BYTES_PER_NUMBER = 4
_MEMORY_FACTOR = 1.25
"""Memory that a network needs in addition to its weights, for a batch of short texts."""


class Availability(StrEnum):
    """Availability of a model on this machine."""

    PACKAGED = "installed with the program"
    ADDED = "added"
    CACHED = "downloaded"
    INSTALLED = "installed"
    DAMAGED = "damaged"
    ABSENT = "not installed"

    @property
    def is_here(self) -> bool:
        return self not in (Availability.DAMAGED, Availability.ABSENT)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model and its status on this machine.

    name: catalogue key, or the name given by the user. title: display name.
    used_by: papers that used the model.
    place: None = not installed.
    sha256: of its weights; empty = not computed or not installed.
    disk_bytes, memory_bytes: estimated if it is not installed; 0 = unknown or negligible.
    problem: why it is not usable, or how to get it.
    repository: name on the Hugging Face Hub; empty = none.
    licence: of its weights, as its authors state it; empty = not recorded.
    """

    name: str
    title: str
    roles: tuple[Role, ...]
    used_by: str
    state: Availability
    place: Path | None = None
    sha256: str = ""
    disk_bytes: int = 0
    memory_bytes: int = 0
    parameters: int = 0
    problem: str = ""
    repository: str = ""
    licence: str = ""

    def seconds_for(self, words: int, device: str) -> float:
        """Return a rough time for one pass over a number of words; NaN if it is not a network."""
        if not self.parameters:
            return float("nan")
        rate = RATES.get(device.partition(":")[0], RATES["cpu"])
        return 2 * self.parameters * PIECES_PER_WORD * words / rate


def list_models(digests: DigestCache, *, hashes: bool = True) -> JobSteps[tuple[ModelStatus, ...]]:
    """Check every model of the catalogue, then those added under other names.

    hashes: also compute missing digests of weights, which takes seconds for large files.
    """
    own = [model for model in user_models().all() if catalogue_entry(model.name) is None]
    statuses: list[ModelStatus] = []
    total = len(CATALOGUE) + len(own)
    for entry in CATALOGUE:
        yield Progress(len(statuses), total, entry.key)
        statuses.append(_entry_status(entry, digests, hashes=hashes))
    for model in own:
        yield Progress(len(statuses), total, model.name)
        statuses.append(_added_status(model, None, digests, hashes=hashes))
    return tuple(statuses)


def model_status(name: str, digests: DigestCache) -> ModelStatus:
    """Return the status of a model by key, hub name or given name. Raises InputError if there is none."""
    entry = catalogue_entry(name)
    if entry is not None:
        return _entry_status(entry, digests, hashes=False)
    model = user_models().get(name)
    if model is None:
        known = [*(one.key for one in CATALOGUE), *(one.name for one in user_models().all())]
        return model_status(resolve_name("model", name, known, "`pyramidion models` lists them"), digests)
    return _added_status(model, None, digests, hashes=False)


def _entry_status(entry: CatalogueEntry, digests: DigestCache, *, hashes: bool) -> ModelStatus:
    added = user_models().get(entry.key, *entry.repositories)
    if added is not None:
        return _added_status(added, entry, digests, hashes=hashes)
    place, state, problem = _locate(entry)
    if place is None:
        return _absent(entry, state, problem)
    return _here(entry, entry.key, entry.roles, place, state, digests, hashes=hashes)


def _added_status(
    model: UserModel, entry: CatalogueEntry | None, digests: DigestCache, *, hashes: bool
) -> ModelStatus:
    try:
        detect_roles(model.place, model.name)
    except (InputError, MissingResource) as error:
        title = title_of(entry) if entry else model.name
        used_by = entry.used_by if entry else ""
        return ModelStatus(
            model.name, title, model.roles, used_by, Availability.DAMAGED, model.place, problem=str(error)
        )
    return _here(entry, model.name, model.roles, model.place, Availability.ADDED, digests, hashes=hashes)


def _locate(entry: CatalogueEntry) -> tuple[Path | None, Availability, str]:
    """Return a catalogue model's place, its availability, and how to get it if it is missing."""
    try:
        if entry.roles == (Role.PARSER,):
            return find_pipeline(entry.package).folder, Availability.INSTALLED, ""
        if not entry.is_transformer:
            return None, Availability.ABSENT, entry.how_to_get
        folder = find_model(entry.key).folder
    except MissingResource as error:
        return None, Availability.ABSENT, entry.how_to_get or str(error)
    except InputError as error:
        return None, Availability.DAMAGED, str(error)
    return folder, Availability.PACKAGED if entry.is_packaged else Availability.CACHED, ""


def _absent(entry: CatalogueEntry, state: Availability, problem: str) -> ModelStatus:
    return ModelStatus(
        entry.key,
        title_of(entry),
        entry.roles,
        entry.used_by,
        state,
        disk_bytes=entry.megabytes * _MEGABYTE,
        memory_bytes=_memory(entry.parameters * _BYTES_PER_NUMBER * _MEGABYTE),
        parameters=entry.parameters * _MEGABYTE,
        problem=problem,
        repository=entry.repositories[0] if entry.repositories else "",
        licence=entry.licence,
    )


def _here(
    entry: CatalogueEntry | None,
    name: str,
    roles: tuple[Role, ...],
    place: Path,
    state: Availability,
    digests: DigestCache,
    *,
    hashes: bool,
) -> ModelStatus:
    weights = _weights(place, roles)
    size = sum(file.stat().st_size for file in weights)
    digest = digests.of(weights) if hashes else digests.known(weights)
    expected = entry.sha256 if entry else ""
    is_other = bool(expected and digest and digest != expected)
    is_network = not {Role.WORD_VECTORS, Role.PARSER}.intersection(roles)
    return ModelStatus(
        name,
        title_of(entry) if entry else name,
        roles,
        entry.used_by if entry else "",
        Availability.DAMAGED if is_other else state,
        place,
        sha256=digest,
        disk_bytes=disk_size(place),
        memory_bytes=_memory(size) if is_network else 0,
        parameters=size // _BYTES_PER_NUMBER if is_network else 0,
        problem="The SHA-256 of its weights does not match the release; download it again."
        if is_other
        else "",
        repository=entry.repositories[0] if entry and entry.repositories else "",
        licence=entry.licence if entry else "",
    )


def _weights(place: Path, roles: Sequence[Role]) -> tuple[Path, ...]:
    """Return a model's weight files in order."""
    if place.is_file():
        return (place,)
    if (place / "config.json").is_file():
        return read_model(place.name, transformer_folder(place)).weights
    if Role.ELMO in roles:
        return tuple(place.glob("*weights.hdf5"))
    if Role.INFERSENT in roles:
        return tuple(sorted(place.glob("infersent[12].pkl")))
    return tuple(sorted(file for file in place.rglob("*") if file.is_file()))


def _memory(weights: int) -> int:
    return round(weights * _MEMORY_FACTOR)
