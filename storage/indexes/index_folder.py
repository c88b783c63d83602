"""The user's search indexes: built in a folder, opened from there or a server, listed, removed."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from core.errors import InputError, MissingResource
from core.files.allowed_names import NameKind, allowed_names
from core.models.catalogue.digests import DigestCache
from core.names import unknown_name
from core.progress import JobSteps, Progress
from core.retrieval.index_store import NAME_PATTERN, IndexRequest, StoredIndex
from core.retrieval.protocols import DEFAULT_MU, STUDY_INDEX, SearchIndex
from storage import user_folders
from storage.indexes import index_format
from storage.indexes.elastic_connection import address_of, is_address, target_of
from storage.indexes.segmented_build import SEGMENT_SIZE, SegmentedBuild, usual_workers

_PART = ".part-"
_ABANDONED_S = 86_400.0
"""Age in seconds at which an incomplete index is considered abandoned."""

_BUILD = f"{_PART}build"
_ABANDONED_BUILD_S = 7 * _ABANDONED_S
"""The same of an interrupted build, which can be continued."""


@dataclass(frozen=True, slots=True)
class IndexFolder:
    """Implements `core.ports.IndexStore`.

    cache: remembers which files were verified, None = no cache. segment_size, workers: see `SegmentedBuild`.
    """

    folder: Path
    cache: Path | None = None
    segment_size: int = SEGMENT_SIZE
    workers: int = field(default_factory=usual_workers)

    def names(self) -> Sequence[str]:
        """Return the names of the local indexes."""
        return [place.name for place in self._places()]

    def list_indexes(self) -> Sequence[StoredIndex]:
        """Return every index by name, including damaged ones."""
        return [index_format.about(place) for place in self._places()]

    def open(self, name: str) -> SearchIndex:
        """Open an index by its name or its address on a server."""
        if is_address(name):
            from storage.indexes.elasticsearch import open_index

            address = address_of(name)
            allowed_names().check(NameKind.SERVER, address.server)
            return open_index(address)
        return index_format.read(self._place(name), DigestCache(self.cache))

    def build(self, request: IndexRequest) -> JobSteps[StoredIndex]:
        """Build an index; cancelling leaves nothing behind, and a killed build is continued by the next."""
        place = self.folder / _checked(request.name)
        self._check_free(place, request)
        if not request.sources:
            raise InputError(
                "No documents were given to build an index. Choose a folder, a table or a study."
            )
        build = self._segmented(request)
        with _half_made(place) as part:
            finished = yield from build.run(part)
            yield Progress(finished.documents, finished.documents, "writing")
            names = [source.name for source in request.sources]
            index_format.write_header(part, request.analysis, finished.fingerprint, names, finished.notes)
            _put(part, place)
            build.remove()
        index_format.read(
            place, DigestCache(self.cache)
        ).close()  # so that it is already verified when first opened
        return index_format.about(place)

    def interruption(self, request: IndexRequest) -> str:
        """Return a sentence on what an interrupted build of an index left, empty = nothing."""
        return self._segmented(request).interruption()

    def _segmented(self, request: IndexRequest) -> SegmentedBuild:
        place = self.folder / f".{request.name}{_BUILD}"
        return SegmentedBuild(place, request, self.segment_size, self.workers)

    def uploading(
        self, name: str, address: str, mu: float = DEFAULT_MU, *, replaces: bool = False
    ) -> JobSteps[str]:
        """Upload an index to a server; returns its address there."""
        from storage.indexes.elastic_upload import upload

        target = target_of(address, name)
        allowed_names().allow(NameKind.SERVER, target.server)
        index = index_format.read(self._place(name), DigestCache(self.cache))
        yield from upload(index, target, mu, replaces=replaces)
        return str(target)

    def remove(self, name: str) -> None:
        """Delete a local index, or one on a server by its address."""
        if is_address(name):
            from storage.indexes.elastic_upload import delete

            delete(address_of(name))
            return
        place = self._place(name)
        gone = place.with_name(f".{place.name}{_PART}{uuid4().hex}")
        try:
            place.replace(gone)  # atomically, so that no partly deleted index is opened
            shutil.rmtree(gone)
        except OSError as error:
            raise InputError(
                f"{place} cannot be removed ({error.strerror}). Check which program uses it."
            ) from error

    def _places(self) -> list[Path]:
        """Return the folder of each index, by name."""
        if not self.folder.is_dir():
            return []
        places = (place for place in self.folder.iterdir() if re.fullmatch(NAME_PATTERN, place.name))
        return sorted(place for place in places if (place / index_format.HEADER).is_file())

    def _place(self, name: str) -> Path:
        """Return the folder of an index. Raises MissingResource if there is none."""
        found = {place.name: place for place in self._places()}
        if name not in found:
            raise MissingResource(
                f"{unknown_name('index', name, found)} Build it in the window under Analyse › Indexes…, or "
                f"in a terminal: pyramidion index build {name} SOURCE"
            )
        return found[name]

    def _check_free(self, place: Path, request: IndexRequest) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be created ({error.strerror}). Set PYRAMIDION_INDEXES to "
                "another folder."
            ) from error
        if place.exists() and not request.replaces:
            raise InputError(
                f"The index {place.name} already exists. Choose another name, or replace it with --replace."
            )


def own_indexes() -> IndexFolder:
    """Return the user's indexes."""
    return IndexFolder(user_folders.indexes_folder(), user_folders.cache_folder())


def _checked(name: str) -> str:
    """Return a valid index name. Raises InputError."""
    if name == STUDY_INDEX:
        raise InputError(
            f"{STUDY_INDEX!r} is reserved for the index of the study's own documents. Choose another name."
        )
    if not re.fullmatch(NAME_PATTERN, name) or is_address(name):
        raise InputError(
            f"{name!r} is not a valid index name. Use at most 80 letters and digits, and - _ . "
            "after the first character."
        )
    return name


@contextmanager
def _half_made(place: Path) -> Iterator[Path]:
    """Create a folder next to an index's place to build in; it is removed at the end in any case."""
    _sweep(place.parent)
    part = place.with_name(f".{place.name}{_PART}{uuid4().hex}")
    try:
        part.mkdir()
        yield part
    except OSError as error:
        raise InputError(
            f"The index cannot be written to {place.parent} ({error.strerror}). Free some space and build it "
            "again, which continues; or set PYRAMIDION_INDEXES to another folder."
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _put(part: Path, place: Path) -> None:
    """Give a finished index its name, replacing an older one."""
    old = part.with_name(f"{part.name}-old")
    if place.exists():
        place.replace(old)
    try:
        part.replace(place)
    except OSError:
        with suppress(OSError):
            old.replace(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove leftovers of builds that were killed long ago."""
    for left in folder.glob(f".*{_PART}*"):
        with suppress(OSError):
            age = _ABANDONED_BUILD_S if left.name.endswith(_BUILD) else _ABANDONED_S
            if time.time() - left.stat().st_mtime > age:
                shutil.rmtree(left, ignore_errors=True)
