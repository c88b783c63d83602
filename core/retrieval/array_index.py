"""Search index over arrays, in memory or memory-mapped.

An expression is a keyword only if few documents contain it. So the search for one stops as soon as it is in
too many, which the expressions of frequent words, whose search would be long, soon are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.progress import raise_if_cancelled
from core.retrieval.analysis import Analysis, stop_forms
from core.retrieval.dirichlet import DirichletRanker
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import ABSENT, PackedStrings
from core.retrieval.protocols import Counts, Hit, Smoothing, idf
from core.retrieval.top_documents import first_from

Places = NDArray[np.uint32]
Numbers = tuple[int, ...]
"""The words of a phrase."""

_CACHED_WORDS = 2**18
_CACHED_PHRASES = 2**18
_FIRST, _GROWTH = 2**10, 4
"""Occurrences of the rarest word that are searched first, and how many times as many are searched next."""

_BATCH = 256
"""Phrases between two moments at which a search can be cancelled."""

_OCCURRENCES_PER_STEP = 8
"""Occurrences that numpy compares while a loop of Python takes a step."""

_ALWAYS_COMPILED = 2**62


def _count_phrases(
    places: Any, begins: Any, ends: Any, shifts: Any, phrase_starts: Any, document_starts: Any, most: Any,
    counts: Any,
) -> None:  # fmt: skip
    """Fill `counts` with the number of documents that contain each phrase, at most `most[0]` + 1.

    begins, ends, shifts: of each phrase's words, the rarest first, the range of its places and its position
    in the phrase.
    """
    longest = 0
    for phrase in range(len(counts)):
        longest = max(longest, phrase_starts[phrase + 1] - phrase_starts[phrase])
    cursors = np.zeros(longest, dtype=np.int64)
    for phrase in range(len(counts)):
        first, last = phrase_starts[phrase], phrase_starts[phrase + 1]
        for word in range(first, last):
            cursors[word - first] = begins[word]
        count, next_document, at = 0, -len(shifts) - longest, begins[first]
        while at < ends[first]:
            start = np.int64(places[at]) - shifts[first]
            at += 1
            if start < next_document:
                continue
            is_there = True
            for word in range(first + 1, last):
                place = start + shifts[word]
                cursor = first_from(places, cursors[word - first], ends[word], place)
                cursors[word - first] = cursor
                if cursor == ends[word] or places[cursor] != place:
                    is_there = False
                    break
            if is_there:
                count += 1
                next_document = document_starts[np.searchsorted(document_starts, start, side="right")]
                if count > most[0]:
                    break
        counts[phrase] = count


COUNT_PHRASES = Kernel(_count_phrases, first_from)


class PhraseSearch:
    """Search for phrases in the arrays of an index. Words and phrases are cached, within limits."""

    def __init__(self, arrays: IndexArrays) -> None:
        self._terms = PackedStrings(_plain(arrays.term_letters), _plain(arrays.term_ends))
        self._places: Places = _plain(arrays.places)
        self._place_starts = _plain(arrays.place_starts)
        self._posting_starts = _plain(arrays.posting_starts)
        self._document_starts = _plain(arrays.document_starts)
        self._numbers: dict[str, int] = {}
        self._counts: dict[Numbers, tuple[int, int]] = {}  # with the limit of the search
        self._read = 0

    def number(self, word: str) -> int:
        """Return a word's number, ABSENT if no document has it."""
        if word not in self._numbers:
            if len(self._numbers) >= _CACHED_WORDS:
                self._numbers.clear()
            self._numbers[word] = self._terms.find(word)
        return self._numbers[word]

    def documents_with(self, phrases: Sequence[tuple[str, ...]], most: int) -> Counts:
        """Return the number of documents that contain each phrase, shape (phrases,), at most `most` + 1.

        The words of a phrase are in order with nothing between; an empty phrase is in no document.
        """
        numbered = [tuple(self.number(word) for word in phrase) for phrase in phrases]
        found: dict[Numbers, int] = {}
        unknown: list[Numbers] = []
        for numbers in dict.fromkeys(numbered):
            if ABSENT in numbers or not numbers:
                found[numbers] = 0
            elif len(numbers) == 1:
                start, end = self._posting_starts[numbers[0]], self._posting_starts[numbers[0] + 1]
                found[numbers] = int(end - start)
            else:
                found[numbers], limit = self._counts.get(numbers, (0, -1))
                if limit < most and found[numbers] >= limit + 1:  # not known, or the search stopped early
                    unknown.append(numbers)
        for first in range(0, len(unknown), _BATCH):
            some = unknown[first : first + _BATCH]
            counts = self._count_all(some, most)
            if len(self._counts) + len(some) > _CACHED_PHRASES:
                self._counts.clear()
            for numbers, count in zip(some, counts, strict=True):
                found[numbers] = count
                self._counts[numbers] = count, most
        return np.array([min(found[numbers], most + 1) for numbers in numbered], dtype=np.int64)

    def _count_all(self, phrases: Sequence[Numbers], most: int) -> list[int]:
        """Return the number of documents with each phrase, at most `most` + 1.

        Few phrases are counted by numpy; once compiled loops pay off, they take over.
        """
        raise_if_cancelled()
        if not COUNT_PHRASES.pays_off(self._read // _OCCURRENCES_PER_STEP):
            return [self._count(numbers, most) for numbers in phrases]
        rows = [at for numbers in phrases for at in self._by_rarity(numbers)]
        words = np.array([number for numbers in phrases for number in numbers], dtype=np.int64)
        lengths = [len(numbers) for numbers in phrases]
        phrase_starts = np.cumsum([0, *lengths], dtype=np.int64)
        order = np.array(rows, dtype=np.int64) + np.repeat(phrase_starts[:-1], lengths)
        counts = np.zeros(len(phrases), dtype=np.int64)
        COUNT_PHRASES(
            self._places,
            self._place_starts[words[order]],
            self._place_starts[words[order] + 1],
            np.array(rows, dtype=np.int64),
            phrase_starts,
            self._document_starts,
            np.array([most]),
            counts,
            steps=_ALWAYS_COMPILED,
        )
        return [int(count) for count in counts]

    def _by_rarity(self, numbers: Numbers) -> list[int]:
        """Return the positions of a phrase's words, the rarest first."""
        starts = self._place_starts
        return sorted(range(len(numbers)), key=lambda at: int(starts[numbers[at] + 1] - starts[numbers[at]]))

    def _count(self, numbers: tuple[int, ...], most: int) -> int:
        """Return the number of documents, at most `most` + 1, searching from the rarest word."""
        by_rarity = self._by_rarity(numbers)
        rarest, *others = ((np.uint32(at), self._places_of(numbers[at])) for at in by_rarity)
        count, last, low, size = 0, -1, 0, _FIRST
        while low < len(rarest[1]) and count <= most:
            begins = rarest[1][low : low + size] - rarest[0]
            for distance, places in others:
                begins = begins[_are_among(begins + distance, places)]
            if len(begins):
                documents = np.searchsorted(self._document_starts, begins.astype(np.int64), side="right")
                count += int(documents[0] != last) + int(np.count_nonzero(documents[1:] != documents[:-1]))
                last = int(documents[-1])
            self._read += len(begins) + size
            low, size = low + size, size * _GROWTH
        return min(count, most + 1)

    def _places_of(self, number: int) -> Places:
        return self._places[self._place_starts[number] : self._place_starts[number + 1]]


def _are_among(targets: Places, places: Places) -> NDArray[np.bool_]:
    """Return whether each target is a place. Of one type: numpy would convert all places otherwise."""
    at = np.searchsorted(places, targets)
    np.minimum(at, len(places) - 1, out=at)
    are_there: NDArray[np.bool_] = places[at] == targets
    return are_there


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view without numpy's bookkeeping of mapped files, which takes longer than a short search."""
    return array.view(np.ndarray)


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
