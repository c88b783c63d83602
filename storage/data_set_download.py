"""Download of a public data set into the cache, only on request, and its import into a study."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import httpx2

from core.domain.data_origin import DataOrigin
from core.domain.import_batch import ImportCounts
from core.errors import FileChanged, InputError
from core.files.atomic_write import atomic_write_bytes
from core.files.data_sets import DataSet
from core.files.downloads import Batch, RemoteFile, fetch, matches_hash, sha256_of
from core.json_text import parse_json
from core.models.catalogue.hub import file_address, hub_headers, offline_reason, query_hub_data_set, refusal
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats import import_registry
from storage.study_file import new_study

RECORD = "first-downloads.json"
"""File in the folder of data sets with the hashes of first downloads, by data set and file."""


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A data set on this computer.

    path: what is imported. hashes: SHA-256 by file.
    unverified: files without a published hash. first: those of them that were downloaded for the first time.
    """

    data_set: DataSet
    path: Path
    hashes: Mapping[str, str]
    unverified: tuple[str, ...] = ()
    first: tuple[str, ...] = ()


def download(data_set: DataSet, folder: Path, *, accepts_changes: bool = False) -> JobSteps[Downloaded]:
    """Download a data set into its subfolder of `folder`; files that are there and sound are kept.

    accepts_changes: a file without a known hash may differ from the first download.
    Raises InputError if downloads are off, if a server refuses or breaks off, if the disk is full, or if a
    file does not match its hash; FileChanged if it is another one than at first. A
    cancelled download is resumed by the next one.
    """
    place = folder / data_set.name
    record = _Record(folder / RECORD, data_set.name)
    stored = data_set.files or (RemoteFile(f"{data_set.name}.parquet", 0),)
    if all(_is_there(place / file.name, file, record) for file in stored):
        return _downloaded(data_set, place, stored, ())  # no connection is needed
    if why_not := offline_reason():
        raise InputError(why_not)
    yield Progress(0, 0, f"looking up {data_set.name}")
    offered = _offer(data_set)
    sizes = [file.size for file, _ in offered]
    _check_room(place, sum(sizes))
    done, first = 0, []
    for file, address in offered:
        if not _is_there(place / file.name, file, record):
            batch = Batch(data_set.name, done, sum(sizes) if all(sizes) else 0)
            yield from _fetched(data_set, file, address, place, batch)
            if _is_first(data_set, file, place, record, accepts_changes=accepts_changes):
                first.append(file.name)
        done += (place / file.name).stat().st_size
    return _downloaded(data_set, place, [file for file, _ in offered], first)


def import_steps(study: Study, downloaded: Downloaded, options: Mapping[str, str]) -> JobSteps[ImportCounts]:
    """Import a downloaded data set into a study and store in the study where it is from."""
    data_set = downloaded.data_set
    request = import_registry.import_request(downloaded.path, data_set.format, options)
    origin = DataOrigin(
        data_set.name,
        data_set.title,
        data_set.citation,
        data_set.page,
        data_set.licence,
        downloaded.hashes,
        downloaded.unverified,
        datetime.now(UTC).date().isoformat(),
    )
    return (yield from import_registry.import_steps(study, request, origin))


def study_steps(
    path: Path, downloaded: Downloaded, options: Mapping[str, str], *, overwrite: bool = False
) -> JobSteps[ImportCounts]:
    """Import a downloaded data set into a new study, and close it; no file is left if that fails."""
    is_complete = False
    study = new_study(path, name=downloaded.data_set.title, overwrite=overwrite)
    try:
        with closing(study):
            counts = yield from import_steps(study, downloaded, options)
        is_complete = True
    finally:
        if not is_complete:
            path.unlink(missing_ok=True)
    return counts


def is_stored(data_set: DataSet, folder: Path) -> bool | None:
    """Return whether all files of a data set are in its subfolder of `folder`; None = a part of them.

    Their content is compared when they are used.
    """
    place = folder / data_set.name
    names = [file.name for file in data_set.files] or [f"{data_set.name}.parquet"]
    if all((place / name).is_file() for name in names):
        return True
    return None if place.is_dir() and any(one.is_file() for one in place.rglob("*")) else False


class _Record:
    """Hashes of first downloads on this computer, used where no hash is published."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name

    def _all(self) -> dict[str, dict[str, dict[str, str]]]:
        """Return the whole record; what is damaged in it counts as never downloaded."""
        try:
            value = parse_json(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        sets = value.items() if isinstance(value, dict) else ()
        return {
            name: {file: entry for file, entry in files.items() if isinstance(entry, dict)}
            for name, files in sets
            if isinstance(files, dict)
        }

    def of(self, file: RemoteFile) -> Mapping[str, str]:
        """Return ``sha256`` and ``date`` of the first download, empty = never."""
        return self._all().get(self._name, {}).get(file.name, {})

    def write(self, file: RemoteFile, sha256: str) -> None:
        """Store the hash of a download."""
        record = self._all()
        own = record.setdefault(self._name, {})
        own[file.name] = {"sha256": sha256, "date": datetime.now(UTC).date().isoformat()}
        atomic_write_bytes(self._path, json.dumps(record, indent=1).encode())


def _is_there(path: Path, file: RemoteFile, record: _Record) -> bool:
    """Return whether a file is complete: as its hash says, or else as it was downloaded."""
    if not path.is_file():
        return False
    return matches_hash(path, file) if file.has_hash else sha256_of(path) == record.of(file).get("sha256")


def _offer(data_set: DataSet) -> Sequence[tuple[RemoteFile, str]]:
    """Return the files of a data set with their addresses. Raises InputError if there are none."""
    if data_set.hub is None:
        return [(file, data_set.address + quote(file.name)) for file in data_set.files]
    folder = data_set.hub
    revision, listed = query_hub_data_set(folder.repository, folder.revision)
    files = [
        file
        for file in listed
        if file.name.startswith(f"{folder.folder}/") and file.name.endswith(".parquet") and file.has_hash
    ]
    if len(files) != 1:
        raise InputError(
            f"{folder.repository} has {len(files)} Parquet files in {folder.folder} on the hub, not one. "
            f"Download the data set from {data_set.page} and import it as {data_set.format}."
        )
    address = file_address(folder.repository, revision, files[0].name, "dataset")
    return [(replace(files[0], name=f"{data_set.name}.parquet"), address)]


def _fetched(
    data_set: DataSet, file: RemoteFile, address: str, place: Path, batch: Batch
) -> Iterator[Progress]:
    try:
        yield from fetch(file, address, place, batch, hub_headers() if data_set.hub else None)
    except httpx2.HTTPStatusError as error:
        if data_set.hub:
            raise refusal(data_set.hub.repository, error.response) from error
        raise InputError(
            f"{address} was refused (HTTP {error.response.status_code}). Try again later, or "
            f"download the data set from {data_set.page} and import it as {data_set.format}."
        ) from error


def _is_first(
    data_set: DataSet, file: RemoteFile, place: Path, record: _Record, *, accepts_changes: bool
) -> bool:
    """Record a file without a pinned hash, and return whether it has none and was never downloaded before.

    Raises FileChanged if it differs from the first download, after deleting it.
    """
    if file.has_hash and data_set.hub is None:
        return False
    path, first = place / file.name, record.of(file)
    sha256 = sha256_of(path)
    if first and sha256 != first.get("sha256") and not accepts_changes:
        path.unlink()
        raise FileChanged(
            f"{file.name} of {data_set.name} is not the file that was downloaded on {first.get('date')}: its "
            f"SHA-256 is {sha256}, but was {first.get('sha256')}. It was deleted. Accept it only if "
            f"{data_set.page} says that the data set was replaced."
        )
    if sha256 != first.get("sha256"):
        record.write(file, sha256)
    return not first and not file.has_hash


def _check_room(place: Path, size: int) -> None:
    """Create the folder. Raises InputError if the disk has too little space."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise InputError(f"{place} cannot be created ({error.strerror}).") from error
    if size > free:
        raise InputError(
            f"The data set needs {size / 1e6:,.0f} MB, but {place} has only {free / 1e6:,.0f} MB free. "
            "Free some space, or set PYRAMIDION_CACHE to a folder on another disk."
        )


def _downloaded(
    data_set: DataSet, place: Path, files: Sequence[RemoteFile], first: Sequence[str]
) -> Downloaded:
    hashes = {file.name: sha256_of(place / file.name) for file in files}
    unverified = () if data_set.hub else tuple(file.name for file in files if not file.has_hash)
    path = place if data_set.is_folder else place / files[0].name
    return Downloaded(data_set, path, hashes, unverified, tuple(first))
