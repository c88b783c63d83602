"""Protocol of the place where the user's indexes are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from core.files.study_address import StudyAddress
from core.progress import JobSteps
from core.retrieval.analysis import Analysis
from core.retrieval.protocols import DEFAULT_MU, IndexProvider

NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}"
"""Valid names of indexes."""

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
"""Suffixes of tables of documents."""

ARTICLE_SUFFIXES = (".xml", ".nxml")
"""Suffixes of PubMed citations and PMC articles."""

ARCHIVE_SUFFIXES = (".tar", ".tar.gz", ".tgz")
"""Suffixes of archives of PMC articles."""

ArticlePart = Literal["title", "abstract", "body"]

ARTICLE_PARTS: tuple[ArticlePart, ...] = ("title", "abstract", "body")

DEFAULT_PARTS: tuple[ArticlePart, ...] = ("abstract",)


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """Column names of a document's id, title and text in a table; empty = the defaults."""

    id: str = ""
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """An index to build.

    sources: folders of text or XML files, tables, studies, XML files and archives of PubMed and PMC.
    replaces: an existing index of that name may be replaced.
    parts: the parts of citations and articles that are indexed.
    """

    name: str
    sources: tuple[StudyAddress, ...]
    analysis: Analysis = field(default_factory=Analysis)
    columns: DocumentColumns = field(default_factory=DocumentColumns)
    replaces: bool = False
    parts: tuple[ArticlePart, ...] = DEFAULT_PARTS


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """An index on this computer.

    analysis: as in signatures.
    made: the date, e.g. 2024-05-31.
    sources: names of what it was built from.
    problem: why it cannot be used, empty = it can.
    notes: what was left out when it was built, one sentence each.
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
    notes: tuple[str, ...] = ()


class IndexStore(IndexProvider, Protocol):
    """The user's indexes and operations on them."""

    @property
    def folder(self) -> Path:
        """Folder of the indexes."""
        ...

    def list_indexes(self) -> Sequence[StoredIndex]:
        """Return every index, by name, including damaged ones."""
        ...

    def build(self, request: IndexRequest) -> JobSteps[StoredIndex]:
        """Build an index. Closing the job leaves nothing.

        Raises InputError, or BadImport with every problem.
        """
        ...

    def uploading(
        self, name: str, address: str, mu: float = DEFAULT_MU, *, replaces: bool = False
    ) -> JobSteps[str]:
        """Upload an index to an Elasticsearch server, ``URL`` or ``URL/NAME``; returns its address there.

        replaces: another index of that name is removed when this one is complete.
        Closing the job keeps what has arrived, and the next upload continues. Raises InputError,
        MissingResource.
        """
        ...

    def remove(self, name: str) -> None:
        """Delete an index here, or by its address on a server. Raises InputError if there is none."""
        ...
