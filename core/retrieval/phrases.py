"""Numbers of documents that contain phrases, as far as they matter, for many phrases at once.

An expression is a keyword only if few documents contain it. So the search for one stops as soon as it is in
too many, which the expressions of frequent words, whose search would be long, soon are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.progress import raise_if_cancelled
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import ABSENT, PackedStrings
from core.retrieval.protocols import Counts

Places = NDArray[np.uint32]

_CACHED_WORDS = 2**18
_CACHED_PHRASES = 2**18
_FIRST, _GROWTH = 2**10, 4
"""Occurrences of the rarest word that are searched first, and how many times as many are searched next."""


class PhraseSearch:
    """Search for phrases in the arrays of an index. Words and phrases are cached, within limits."""

    def __init__(self, arrays: IndexArrays) -> None:
        self._terms = PackedStrings(_plain(arrays.term_letters), _plain(arrays.term_ends))
        self._places: Places = _plain(arrays.places)
        self._place_starts = _plain(arrays.place_starts)
        self._posting_starts = _plain(arrays.posting_starts)
        self._document_starts = _plain(arrays.document_starts)
        self._numbers: dict[str, int] = {}
        self._counts: dict[tuple[int, ...], tuple[int, int]] = {}  # with the limit of the search

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
        return np.array([self._documents_with(phrase, most) for phrase in phrases], dtype=np.int64)

    def _documents_with(self, phrase: tuple[str, ...], most: int) -> int:
        numbers = tuple(self.number(word) for word in phrase)
        if ABSENT in numbers or not numbers:
            return 0
        if len(numbers) == 1:
            start, end = self._posting_starts[numbers[0]], self._posting_starts[numbers[0] + 1]
            return min(int(end - start), most + 1)
        count, limit = self._counts.get(numbers, (0, -1))
        if limit < most and count >= limit + 1:  # not known, or the search stopped early
            raise_if_cancelled()
            count = self._count(numbers, most)
            if len(self._counts) >= _CACHED_PHRASES:
                self._counts.clear()
            self._counts[numbers] = count, most
        return min(count, most + 1)

    def _count(self, numbers: tuple[int, ...], most: int) -> int:
        """Return the number of documents, at most `most` + 1, searching from the rarest word."""
        starts = self._place_starts
        by_rarity = sorted(
            range(len(numbers)), key=lambda at: int(starts[numbers[at] + 1] - starts[numbers[at]])
        )
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
