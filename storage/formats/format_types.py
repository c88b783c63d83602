"""Import and export formats as values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain.formats import ExportDescription, FormatDescription
from core.domain.import_batch import ImportContent
from core.ports import Study
from core.progress import JobSteps

Options = Mapping[str, str]
Reader = Callable[[Path, Options, Study | None], JobSteps[ImportContent]]
Record = Mapping[str, Any]
Records = Callable[[Study], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Format(FormatDescription):
    """An import format.

    read: reads a path with the given options; some formats also use the texts of the open study.
    recognises: whether a file or folder looks like this format.
    suffixes: file name extensions; empty = the format is a folder.
    takes_folders: reads single files and folders.
    """

    read: Reader
    recognises: Callable[[Path], bool]
    suffixes: tuple[str, ...] = ()
    takes_folders: bool = False


@dataclass(frozen=True, slots=True)
class Export(ExportDescription):
    """One kind of export.

    fill: writes several files into a folder instead of records into one file.
    more: further columns of CSV that depend on the study, and whether each is of numbers; None = none.
    """

    records: Records = lambda study: iter(())
    columns: tuple[str, ...] = ()  # of CSV; JSONL has none
    is_plain: bool = False  # records are lines
    fill: Callable[[Study, Path], JobSteps[int]] | None = None
    more: Callable[[Study], Mapping[str, bool]] | None = None

    @property
    def full_name(self) -> str:
        """Return the contents and the format."""
        return f"{self.what} as {self.format}"


def without_study(read: Callable[[Path, Options], JobSteps[ImportContent]]) -> Reader:
    """Adapt a reader that does not use the study."""
    return lambda path, options, study: read(path, options)
