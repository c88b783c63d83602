"""Protocols of search indexes in this process, in a file or on a server.

Queries are words as an index's analysis produces them, never raw text. So every implementation over the same
documents sees the same words and gives the same ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from core.retrieval.analysis import Analysis

Counts = NDArray[np.int64]
Norms = Literal["lucene7", "lucene4", "exact"]

STUDY_INDEX = "documents"
"""Reserved name of the index of the study's own documents."""

SERVER_SCHEME = "elasticsearch:"
"""Prefix of the address of an index on a server."""

DEFAULT_MU = 2000.0
"""Lucene's default."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document to index.

    id: unique in its index.
    title: for display, may be empty.
    version: 0 = no other document may have its id; else the document with the highest version is indexed, of
    equal ones the last.
    """

    id: str
    title: str
    content: str
    version: int = 0


@dataclass(frozen=True, slots=True)
class DeletedDocument:
    """The deletion of a document, with a version, that came before it."""

    id: str


@dataclass(frozen=True, slots=True)
class Smoothing:
    """Smoothing of the language model.

    mu: Dirichlet's, in words.
    norms: encoding of document lengths: ``lucene7`` = Lucene 7 and later, Elasticsearch 6 and later;
    ``lucene4`` = earlier versions; ``exact`` = none.
    """

    mu: float = DEFAULT_MU
    norms: Norms = "lucene7"


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved document: its id and its score, at least 0."""

    document: str
    score: float


class SearchIndex(Protocol):
    """An open index."""

    @property
    def name(self) -> str:
        """Value of the setting `index`."""
        ...

    @property
    def fingerprint(self) -> str:
        """SHA-256 over its analysis and its documents' ids and contents in order, hexadecimal."""
        ...

    @property
    def analysis(self) -> Analysis:
        """Text analysis of its documents and queries."""
        ...

    @property
    def documents(self) -> int:
        """Number of documents."""
        ...

    @property
    def tokens(self) -> int:
        """Number of words of all documents, without stop words if the analysis drops them."""
        ...

    def missing_requirements(self, smoothing: Smoothing) -> str:
        """Return why a smoothing is not supported, e.g. by an old server, and what to do; empty = it is."""
        ...

    def rank(
        self, queries: Sequence[Sequence[str]], limit: int, smoothing: Smoothing
    ) -> list[tuple[Hit, ...]]:
        """Return the best documents for each query, at most `limit`, best first.

        A word that occurs twice in a query counts twice. Every document with any of the words is a hit, even
        at score 0; ties in the order of the index.
        """
        ...

    def document_frequencies(self, words: Sequence[str]) -> Counts:
        """Return the number of documents that contain each word."""
        ...

    def phrase_frequencies(self, phrases: Sequence[tuple[str, ...]]) -> Counts:
        """Return the number of documents that contain each phrase: its words in order with nothing between.

        A stop word that the analysis dropped keeps its position, so that no phrase matches across it.
        """
        ...

    def mean_idf(self) -> float:
        """Return the mean of `idf` over its distinct words without stop words. NaN if there are none."""
        ...

    def titles(self, ids: Sequence[str]) -> Sequence[str]:
        """Return documents' titles."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...


@runtime_checkable
class CountsRarePhrases(Protocol):
    """An index that counts rare phrases faster than all."""

    def rare_phrase_frequencies(self, phrases: Sequence[tuple[str, ...]], most: int) -> Counts:
        """Return the same as `phrase_frequencies`, but `most` + 1 for phrases in more documents."""
        ...


class IndexProvider(Protocol):
    """The indexes other than the study's own; picklable, so that another process can open them too."""

    def names(self) -> Sequence[str]:
        """Return the indexes on this machine, by name, without `STUDY_INDEX`."""
        ...

    def open(self, name: str) -> SearchIndex:
        """Open an index by name or address.

        Raises MissingResource, with how to get it; InputError if it is damaged.
        """
        ...


def idf(frequencies: Counts, documents: int) -> NDArray[np.float64]:
    """Return ln((N − n + ½) / (n + ½)) for words in n of N documents, 0 where n = 0.

    As SERA's author computed it.
    """
    rarity = np.log((documents - frequencies + 0.5) / (frequencies + 0.5))
    return np.where(frequencies == 0, 0.0, rarity)
