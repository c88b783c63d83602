"""What a metric asks of an index, whoever holds it: this process, a file, or a server.

A word here is what an index's analysis makes of a text: queries are words, never raw text. So every holder of
the same documents sees the same words and gives the same ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.retrieval.analysis import Analysis

Counts = NDArray[np.int64]
Norms = Literal["lucene7", "lucene4", "exact"]

STUDY_INDEX = "documents"
"""What the index of the study's own documents is called; nobody else's may be."""

DEFAULT_MU = 2000.0
"""Lucene's own mu."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document to be indexed. id: unique in its index; title: for people, may be empty."""

    id: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class Smoothing:
    """How the language model is smoothed.

    mu: Dirichlet's, in words. norms: how a document's length is kept: ``lucene7`` = as Lucene 7 and later,
    Elasticsearch 6 and later; ``lucene4`` = as those before; ``exact`` = as it is.
    """

    mu: float = DEFAULT_MU
    norms: Norms = "lucene7"


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found: its id and its score, at least 0."""

    document: str
    score: float


class SearchIndex(Protocol):
    """An opened index."""

    @property
    def name(self) -> str:
        """What the setting `index` calls it."""
        ...

    @property
    def fingerprint(self) -> str:
        """SHA-256 over its analysis and its documents' ids and contents in their order, hexadecimal."""
        ...

    @property
    def analysis(self) -> Analysis:
        """How its words are made."""
        ...

    @property
    def documents(self) -> int:
        """How many documents it holds."""
        ...

    @property
    def tokens(self) -> int:
        """How many words its documents have together, stop words left out where the analysis drops them."""
        ...

    def lacking(self, smoothing: Smoothing) -> str:
        """Why it cannot rank with a smoothing, as a server of another age, and what to do; empty = it can."""
        ...

    def rank(
        self, queries: Sequence[Sequence[str]], limit: int, smoothing: Smoothing
    ) -> list[tuple[Hit, ...]]:
        """The best documents for each query, at most `limit`, best first.

        A word that stands twice in a query counts twice. Every document with any of the words is a hit, even
        at score 0; equal scores in the order of the index.
        """
        ...

    def document_frequencies(self, words: Sequence[str]) -> Counts:
        """In how many documents each word stands; 0 = in none."""
        ...

    def phrase_frequencies(self, phrases: Sequence[tuple[str, ...]]) -> Counts:
        """In how many documents each phrase stands, its words in order with nothing between.

        A stop word that the analysis dropped keeps its place, so that a phrase never reaches across it.
        """
        ...

    def mean_idf(self) -> float:
        """The mean of `idf` over its distinct words, stop words left out. NaN where there are none."""
        ...

    def titles(self, ids: Sequence[str]) -> Sequence[str]:
        """What people call documents."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


class IndexProvider(Protocol):
    """The indexes beside the study's own; the same value opens them in another process (it is pickled)."""

    def names(self) -> Sequence[str]:
        """Those on this machine, by name, without `STUDY`."""
        ...

    def open(self, name: str) -> SearchIndex:
        """An index by name or address. Raises MissingResource, with how to get it; InputError if damaged."""
        ...


def idf(frequencies: Counts, documents: int) -> NDArray[np.float64]:
    """ln((N − n + ½) / (n + ½)) for words in n of N documents, 0 where n = 0: what SERA's author computed."""
    rarity = np.log((documents - frequencies + 0.5) / (frequencies + 0.5))
    return np.where(frequencies == 0, 0.0, rarity)
