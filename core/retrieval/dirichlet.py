"""Language-model ranking with Dirichlet smoothing, identical to Lucene's to the last digit.

Zhai & Lafferty 2001; Lucene's LMDirichletSimilarity: a word gives ln(1 + tf / (mu p)) + ln(mu / (length +
mu)), at least 0, in single precision; p is the word's share of the collection, one added to both counts.

Lucene encodes the length of a document in one byte. ``lucene7``: exact up to 39, then four significant bits
of the excess over 24. ``lucene4``: the inverse square root of the length with three significant bits, which
decodes to another, often fractional, length.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from core.progress import raise_if_cancelled
from core.retrieval import impact_ranker
from core.retrieval.impact_ranker import ImpactRanker
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import ABSENT
from core.retrieval.protocols import Norms, Smoothing

_FREE = 24
"""Lengths up to this number are exact in Lucene 7, in addition to its floating-point range."""


def encoded_lengths(lengths: NDArray[np.integer], norms: Norms) -> NDArray[np.float64]:
    """Return lengths in words as the ranking uses them."""
    match norms:
        case "lucene7":
            return _of_lucene_7(lengths.astype(np.int64))
        case "lucene4":
            return _of_lucene_4(lengths)
        case "exact":
            return lengths.astype(np.float64)
        case _:
            assert_never(norms)


def _of_lucene_7(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    above = np.maximum(lengths - _FREE, 0)
    bits = np.frexp(above.astype(np.float64))[1].astype(np.int64)
    lost = np.maximum(bits - 4, 0)
    encoded: NDArray[np.int64] = np.minimum(lengths, _FREE) + ((above >> lost) << lost)
    return encoded.astype(np.float64)


def _of_lucene_4(lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    roots = np.sqrt(np.maximum(lengths, 1).astype(np.float64)).astype(np.float32)
    norms = np.float32(1) / roots
    encoded = (norms.view(np.int32) >> 21 << 21).view(np.float32)
    back = np.float32(1) / (encoded * encoded)
    return np.where(lengths == 0, 0.0, back.astype(np.float64))


Scores = NDArray[np.float32]
Numbers = NDArray[np.integer]

_CACHED_POSTINGS = 2**22
"""Number of cached scores: the texts of one topic share words."""

_POSTINGS_PER_STEP = 8
"""Postings that numpy adds up while a loop of Python takes a step."""


@dataclass(slots=True, eq=False)
class DirichletRanker:
    """Ranking of an index under one smoothing, by document number.

    Few queries are ranked by numpy, which adds up all scores; once compiled loops pay off, they take over.
    Both give the same documents and scores.
    """

    arrays: IndexArrays
    smoothing: Smoothing
    _mu: float = field(init=False)
    _by_length: NDArray[np.float64] = field(init=False)
    _cache: dict[tuple[str, int], tuple[Numbers, Scores]] = field(default_factory=dict)
    _size: int = 0
    _read: int = 0
    _compiled: ImpactRanker | None = None

    def __post_init__(self) -> None:
        self._mu = float(np.float32(self.smoothing.mu))  # single precision, as in Lucene
        lengths = encoded_lengths(self.arrays.lengths, self.smoothing.norms)
        self._by_length = np.log(self._single(self._mu / self._single(lengths + self._mu)))

    def rank(self, query: Sequence[str], limit: int) -> tuple[Numbers, Scores]:
        """Return the best documents and their scores, best first, ties by number."""
        raise_if_cancelled()
        if self._compiled is None and impact_ranker.SELECT.pays_off(self._read // _POSTINGS_PER_STEP):
            self._compiled = self._compiled_ranker()
            self._cache, self._size = {}, 0
        if self._compiled is not None:
            return self._compiled.rank(query, limit)
        return self._rank_all(query, limit)

    def _rank_all(self, query: Sequence[str], limit: int) -> tuple[Numbers, Scores]:
        """Rank all documents with a word of the query."""
        scored = [self._scored(word, count) for word, count in Counter(query).items()]
        documents = np.concatenate([np.empty(0, np.int64), *(one for one, _ in scored)])
        scores = np.concatenate([np.empty(0, np.float32), *(one for _, one in scored)])
        self._read += len(documents)
        totals = np.bincount(documents, scores, minlength=self.arrays.documents).astype(np.float32)
        is_hit = np.zeros(self.arrays.documents, dtype=np.bool_)
        is_hit[documents] = True
        hits = np.flatnonzero(is_hit)
        return _best(hits, totals[hits], limit)

    def _compiled_ranker(self) -> ImpactRanker:
        """Return the ranker in compiled loops."""
        longest = math.log1p((self.arrays.tokens + 1.0) / self._mu)
        highest = longest + max(float(self._by_length.max(initial=0.0)), 0.0)
        return ImpactRanker(self.arrays, self._by_length, self._weights, highest)

    def _scored(self, word: str, count: int) -> tuple[Numbers, Scores]:
        """Return the score of each document with a word that occurs `count` times in a query, cached."""
        if (word, count) not in self._cache:
            computed = self._compute_scores(word, count)
            if self._size > _CACHED_POSTINGS:
                self._cache, self._size = {}, 0
            self._cache[word, count] = computed
            self._size += len(computed[0])
        return self._cache[word, count]

    def _compute_scores(self, word: str, count: int) -> tuple[Numbers, Scores]:
        number = self.arrays.number(word)
        if number == ABSENT:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        documents, frequencies = self.arrays.postings(number)
        weights = self._weights(frequencies, np.asarray(frequencies.sum()))
        values = count * (weights + self._by_length[documents])
        return documents.astype(np.int64), np.maximum(values, 0.0).astype(np.float32)

    def _weights(self, frequencies: Numbers, in_index: Numbers) -> NDArray[np.float64]:
        """Return ln(1 + tf / (mu p)) for frequencies in documents and in the whole index."""
        shares = self._single((in_index + 1.0) / (self.arrays.tokens + 1.0))
        inside = self._single(1.0 + self._single(frequencies / self._single(self._mu * shares)))
        weights: NDArray[np.float64] = np.log(inside)
        return weights

    def _single(self, value: NDArray[np.floating[Any]] | float) -> NDArray[np.float64]:
        """Return a value, rounded to single precision where Lucene 4 did so at every step."""
        exact = np.asarray(value, dtype=np.float64)
        if self.smoothing.norms == "lucene4":
            return exact.astype(np.float32).astype(np.float64)
        return exact


def _best(documents: Numbers, scores: Scores, limit: int) -> tuple[Numbers, Scores]:
    """Return the highest scores in descending order, ties by document. documents: ascending."""
    if len(scores) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit] if limit else math.inf
        above, level = scores > least, np.flatnonzero(scores == least)
        above[level[: limit - int(above.sum())]] = True
        documents, scores = documents[above], scores[above]
    order = np.argsort(-scores, kind="stable")
    return documents[order], scores[order]
