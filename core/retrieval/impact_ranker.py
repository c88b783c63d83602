"""Ranking of large indexes that reads only the postings which matter, see `top_documents`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.retrieval import top_documents
from core.retrieval.index_arrays import IndexArrays, run_starts
from core.retrieval.packed_strings import ABSENT, PackedStrings

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

CACHED_POSTINGS = 2**27
"""Number of cached impacts, of two bytes each; more only for a single query that needs them."""

_ROUNDING = 1e-6
"""Relative size of all rounding errors, which is below it: scores have single precision."""

FIND_WORDS = Kernel(top_documents.find_words)
HIGHEST_FREQUENCIES = Kernel(top_documents.highest_frequencies)
FILL_IMPACTS = Kernel(top_documents.fill_impacts)
SELECT = Kernel(
    top_documents.select,
    top_documents.first_from,
    top_documents.insert,
    top_documents.score_of,
    top_documents.seed,
)
_ALWAYS_COMPILED = 2**62


class ImpactRanker:
    """Ranking by sums over the words of a query, in compiled loops.

    by_length: shape (documents,), a summand of each document with a word.
    weigh: returns the other summand of a word: for its frequencies in documents and in the index, shapes
    (words,).
    highest: upper bound of a word's score.
    """

    def __init__(
        self,
        arrays: IndexArrays,
        by_length: Floats,
        weigh: Callable[[Numbers, Numbers], Floats],
        highest: float,
    ) -> None:
        self._documents = _read_only(arrays.posting_documents)
        self._frequencies = _read_only(arrays.posting_frequencies)
        self._letters, self._ends = _read_only(arrays.term_letters), _read_only(arrays.term_ends)
        self._posting_starts = _read_only(arrays.posting_starts)
        self._place_starts = _read_only(arrays.place_starts)
        self._by_length = _read_only(by_length)
        self._weigh = weigh
        self._unit = max(highest, 1e-9) * (1 + _ROUNDING) / top_documents.HIGHEST_IMPACT
        self._sums = np.zeros(arrays.documents, dtype=np.int64)
        self._clear()

    def rank(self, query: Sequence[str], limit: int) -> tuple[Numbers, NDArray[np.float32]]:
        """Return the best documents and their scores, best first, ties by number."""
        limit = min(limit, len(self._by_length))
        counted = Counter(query)
        self._prepare(list(counted))
        pairs = [(row, n) for word, n in counted.items() if (row := self._rows[word]) != ABSENT]
        if not pairs or not limit:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        rows, counts = np.array(pairs, dtype=np.int64).T.copy()
        best = np.empty(2 * limit, dtype=np.float64)
        SELECT(
            self._documents,
            self._frequencies,
            self._by_length,
            self._begins.values[rows],
            self._word_ends.values[rows],
            counts,
            self._weight_starts.values[rows],
            self._weights.values,
            self._highest.values[rows],
            self._impacts.values,
            self._impact_starts.values[rows],
            self._bases.values[rows],
            self._peak_starts.values[rows],
            self._peak_ends.values[rows],
            self._peak_documents.values,
            self._peak_extras.values,
            np.array([self._unit * (1 + _ROUNDING)]),
            self._sums,
            best,
            steps=_ALWAYS_COMPILED,
        )
        found = int(np.count_nonzero(best[:limit] >= 0))
        return best[:found].astype(np.int64), best[limit : limit + found].astype(np.float32)

    def _clear(self) -> None:
        self._rows: dict[str, int] = {}
        self._begins, self._word_ends = _Growing(np.int64), _Growing(np.int64)
        self._weight_starts, self._weights = _Growing(np.int64), _Growing(np.float64)
        self._impact_starts, self._impacts = _Growing(np.int64), _Growing(np.uint16)
        self._highest, self._bases = _Growing(np.int64), _Growing(np.int64)
        self._peak_starts, self._peak_ends = _Growing(np.int64), _Growing(np.int64)
        self._peak_documents, self._peak_extras = _Growing(np.int32), _Growing(np.uint16)

    def _prepare(self, words: Sequence[str]) -> None:
        """Compute the weights and impacts of words that are not cached."""
        new = [word for word in words if word not in self._rows]
        if not new:
            return
        numbers = self._numbers(new)
        known = numbers[numbers != ABSENT]
        begins, ends = self._posting_starts[known], self._posting_starts[known + 1]
        size = int((ends - begins).sum())
        if self._rows and self._impacts.size + size > CACHED_POSTINGS:
            self._clear()
            self._prepare(words)
            return
        at = self._begins.size
        for word, number in zip(new, numbers.tolist(), strict=True):
            self._rows[word] = ABSENT if number == ABSENT else at
            at += number != ABSENT
        highest = np.empty(len(known), dtype=np.int64)
        HIGHEST_FREQUENCIES(self._frequencies, begins, ends, highest, steps=_ALWAYS_COMPILED)
        weight_starts = run_starts(highest + 1)
        frequencies = np.arange(weight_starts[-1]) - np.repeat(weight_starts[:-1], highest + 1)
        in_index = self._place_starts[known + 1] - self._place_starts[known]
        weights = self._weigh(frequencies, np.repeat(in_index, highest + 1))
        impacts, bases, peak_ends = np.empty(size, dtype=np.uint16), highest.copy(), highest.copy()
        peaks = int(((ends - begins) // top_documents.PEAKS).sum())
        peak_documents, peak_extras = np.empty(peaks, dtype=np.int32), np.empty(peaks, dtype=np.uint16)
        FILL_IMPACTS(
            self._documents,
            self._frequencies,
            self._by_length,
            begins,
            ends,
            weight_starts[:-1],
            weights,
            np.array([self._unit]),
            highest,
            bases,
            peak_ends,
            peak_documents,
            peak_extras,
            impacts,
            steps=_ALWAYS_COMPILED,
        )
        self._begins.extend(begins)
        self._word_ends.extend(ends)
        self._weight_starts.extend(weight_starts[:-1] + self._weights.size)
        self._weights.extend(weights)
        self._impact_starts.extend(run_starts(ends - begins)[:-1] + self._impacts.size)
        self._impacts.extend(impacts)
        self._highest.extend(highest)
        self._bases.extend(bases)
        before, peaks = self._peak_documents.size, int(peak_ends[-1]) if len(peak_ends) else 0
        self._peak_starts.extend(np.append(before, before + peak_ends[:-1])[: len(peak_ends)])
        self._peak_ends.extend(before + peak_ends)
        self._peak_documents.extend(peak_documents[:peaks])
        self._peak_extras.extend(peak_extras[:peaks])

    def _numbers(self, words: Sequence[str]) -> Numbers:
        packed = PackedStrings.of(words)
        numbers = np.empty(len(words), dtype=np.int64)
        FIND_WORDS(self._letters, self._ends, packed.letters, packed.ends, numbers, steps=_ALWAYS_COMPILED)
        return numbers


class _Growing:
    """An array that grows at its end; copied only where it doubles."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._room: NDArray[Any] = np.empty(64, dtype=kind)
        self.size = 0

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self.size]

    def extend(self, values: NDArray[Any]) -> None:
        size = self.size + len(values)
        if size > len(self._room):
            room = np.empty(max(size, 2 * len(self._room)), dtype=self._room.dtype)
            room[: self.size] = self.values
            self._room = room
        self._room[self.size : size] = values
        self.size = size


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a plain read-only view: loops are compiled once for arrays in memory and in files."""
    view = np.ascontiguousarray(array).view(np.ndarray)[:]
    view.flags.writeable = False
    return view
