"""Public data sets that can be downloaded, with the addresses and hashes of their files.

Hashes are those of the files in the authors' repositories at the commit in the address. Where the authors'
server publishes none, the file is compared with the first download on this computer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from core.files.downloads import RemoteFile
from core.json_text import parse_json
from core.names import resolve_name


@dataclass(frozen=True, slots=True)
class HubFolder:
    """A folder of Parquet files in a data set on the Hugging Face Hub."""

    repository: str
    revision: str
    folder: str


@dataclass(frozen=True, slots=True)
class DataSet:
    """A public data set.

    format: of the import. page: where its authors describe it. licence: as they name it.
    address: of the folder of the files; empty with `hub`.
    is_folder: the folder is imported, else its only file.
    """

    name: str
    title: str
    about: str
    format: str
    citation: str
    page: str
    licence: str
    files: tuple[RemoteFile, ...]
    address: str = ""
    hub: HubFolder | None = None
    is_folder: bool = False

    @property
    def size(self) -> int:
        """Bytes of all files, 0 = unknown."""
        sizes = [file.size for file in self.files]
        return sum(sizes) if sizes and all(sizes) else 0

    @property
    def check(self) -> str:
        """The check of the files, in words."""
        if self.hub is not None:
            return "the hub's hash"
        return "a known hash" if all(file.has_hash for file in self.files) else "the first download"


@cache
def data_sets() -> tuple[DataSet, ...]:
    """Return all data sets, in the order of the catalogue."""
    text = (resources.files("resources") / "datasets" / "catalogue.json").read_text(encoding="utf-8")
    return tuple(_data_set(row) for row in parse_json(text))


def find_data_set(name: str) -> DataSet:
    """Return a data set by its name. Raises InputError that lists them."""
    known = {one.name: one for one in data_sets()}
    return known[resolve_name("data set", name, known, "`pyramidion get` lists them")]


def _data_set(row: Mapping[str, Any]) -> DataSet:
    files = tuple(
        RemoteFile(file["name"], file.get("size", 0), file.get("sha256", ""), file.get("git", ""))
        for file in row["files"]
    )
    hub = HubFolder(**row["hub"]) if "hub" in row else None
    return DataSet(**{**row, "files": files, "hub": hub})
