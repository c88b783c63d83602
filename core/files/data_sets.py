"""Public data sets as values."""

from __future__ import annotations

from dataclasses import dataclass

from core.files.downloads import RemoteFile


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
