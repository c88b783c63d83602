"""What core and gui ask of the place where indexes are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.progress import JobSteps
from core.retrieval.analysis import Analysis
from core.retrieval.protocols import DEFAULT_MU, IndexProvider

NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}"
"""What an index may be called."""

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
"""What tables of documents end with."""


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """What a table calls a document's id, its title and its text; empty = as it usually is."""

    id: str = ""
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """An index to be built.

    sources: folders of .txt files, tables, studies. replaces: one that has its name may go.
    """

    name: str
    sources: tuple[Path, ...]
    analysis: Analysis = field(default_factory=Analysis)
    columns: DocumentColumns = field(default_factory=DocumentColumns)
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """An index on this computer.

    analysis: as signatures have it. made: the day, as 2024-05-31. sources: names of what it was built from.
    problem: why it cannot be used, empty = it can.
    """

    name: str
    place: Path
    documents: int = 0
    tokens: int = 0
    bytes: int = 0
    analysis: str = ""
    made: str = ""
    sources: tuple[str, ...] = ()
    fingerprint: str = ""
    problem: str = ""


class IndexStore(IndexProvider, Protocol):
    """The indexes of this user, and what can be done with them."""

    @property
    def folder(self) -> Path:
        """Where they are."""
        ...

    def listed(self) -> Sequence[StoredIndex]:
        """Every index, by name, damaged ones too."""
        ...

    def building(self, wish: IndexRequest) -> JobSteps[StoredIndex]:
        """Build an index; closing it leaves nothing. Raises InputError, BadImport with every problem."""
        ...

    def uploading(self, name: str, address: str, mu: float = DEFAULT_MU) -> JobSteps[str]:
        """Send an index to an Elasticsearch server, ``URL`` or ``URL/NAME``; returns its address there.

        Closing it keeps what has arrived, and the next one goes on. Raises InputError, MissingResource.
        """
        ...

    def remove(self, name: str) -> None:
        """Delete an index here, or by its address on a server. Raises InputError where there is none."""
        ...
