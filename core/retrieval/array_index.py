"""Search index over arrays, in memory or memory-mapped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.retrieval.analysis import Analysis, stop_forms
from core.retrieval.dirichlet import DirichletRanker
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import ABSENT
from core.retrieval.phrases import PhraseSearch
from core.retrieval.protocols import Counts, Hit, Smoothing, idf


class ArrayBackedIndex:
    """Implementation of SearchIndex over read-only arrays."""

    name: str
    analysis: Analysis
    fingerprint: str
    _ranker: DirichletRanker | None = None

    @property
    def arrays(self) -> IndexArrays:
        """Arrays of the index."""
        raise NotImplementedError

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self.arrays.documents

    @property
    def tokens(self) -> int:
        """Number of words of all documents."""
        return self.arrays.tokens

    def missing_requirements(self, smoothing: Smoothing) -> str:
        """Return an empty string: every smoothing is supported, since exact lengths are stored."""
        return ""

    def rank(
        self, queries: Sequence[Sequence[str]], limit: int, smoothing: Smoothing
    ) -> list[tuple[Hit, ...]]:
        """Return the best documents for each query, at most `limit`, best first."""
        if self._ranker is None or self._ranker.smoothing != smoothing:
            self._ranker = DirichletRanker(self.arrays, smoothing)
        ranked, ids = (self._ranker.rank(query, limit) for query in queries), self.arrays.ids
        return [tuple(Hit(ids[at], float(score)) for at, score in zip(*each, strict=True)) for each in ranked]

    def document_frequencies(self, words: Sequence[str]) -> Counts:
        """Return the number of documents that contain each word."""
        numbers = np.array([self._phrases.number(word) for word in words], dtype=np.int64)
        padded = np.append(self._frequencies, 0)  # ABSENT = -1 selects the final zero
        return padded[numbers]

    def phrase_frequencies(self, phrases: Sequence[tuple[str, ...]]) -> Counts:
        """Return the number of documents that contain each phrase.

        The words of a phrase are in order with nothing between.
        """
        return self._phrases.documents_with(phrases, self.documents)

    def rare_phrase_frequencies(self, phrases: Sequence[tuple[str, ...]], most: int) -> Counts:
        """Return the same as `phrase_frequencies`, but `most` + 1 for phrases in more documents."""
        return self._phrases.documents_with(phrases, most)

    def mean_idf(self) -> float:
        """Return the mean of `idf` over the distinct words without stop words; NaN if there are none."""
        return self._mean_idf

    def titles(self, ids: Sequence[str]) -> Sequence[str]:
        """Return documents' titles; the id of a document without one."""
        titles = self.arrays.titles
        return [titles[self._places[each]] or each for each in ids]

    def close(self) -> None:
        """Do nothing: no files or connections are open."""

    @cached_property
    def _phrases(self) -> PhraseSearch:
        return PhraseSearch(self.arrays)

    @cached_property
    def _frequencies(self) -> Counts:
        return self.arrays.document_frequencies()

    @cached_property
    def _mean_idf(self) -> float:
        is_counted = np.ones(len(self._frequencies), dtype=np.bool_)
        stops = [self.arrays.number(word) for word in stop_forms(self.analysis)]
        is_counted[[number for number in stops if number != ABSENT]] = self.analysis.drop_stop_words
        counted = idf(self._frequencies[is_counted], self.documents)
        return float(counted.mean()) if len(counted) else float("nan")

    @cached_property
    def _places(self) -> dict[str, int]:
        ids = self.arrays.ids
        return {ids[at]: at for at in range(len(ids))}


class ArrayIndex(ArrayBackedIndex):
    """A SearchIndex over arrays. fingerprint: of the documents that it was built from."""

    def __init__(self, name: str, analysis: Analysis, fingerprint: str, arrays: IndexArrays) -> None:
        self.name = name
        self.analysis = analysis
        self.fingerprint = fingerprint
        self._arrays = arrays

    @property
    def arrays(self) -> IndexArrays:
        """Arrays of the index."""
        return self._arrays
