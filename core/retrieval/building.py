"""Making an index of texts as they come, so that no more than its words need be in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.progress import Progress, Steps, stop_if_asked
from core.retrieval.analysis import Analysis, surface_pattern
from core.retrieval.arrays import IndexArrays
from core.retrieval.packed import Packed, in_order
from core.retrieval.ports import SourceDocument

_MOST_PLACES = 2**32 - 1
_REMEMBERED = 2_000_000
_EVERY = 100
"""Documents between two reports of progress."""

Ids = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A finished index and the fingerprint of what it was made of."""

    arrays: IndexArrays
    fingerprint: str


class Fingerprint:
    """SHA-256 over an analysis and the documents in their order, whoever holds them."""

    def __init__(self, analysis: Analysis) -> None:
        self._digest = hashlib.sha256(str(analysis).encode())

    def add(self, document: SourceDocument) -> None:
        """Go on with the next document; its title does not count, for no score depends on it."""
        for part in (document.id, document.content):
            self._digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())

    def hexadecimal(self) -> str:
        """What it is so far."""
        return self._digest.hexdigest()


def build(documents: Iterable[SourceDocument], analysis: Analysis, total: int = 0) -> Steps[Built]:
    """An index of documents, read once. total: how many there are, for the progress; 0 = not known.

    Raises InputError where two documents have one id or all are too long for one index.
    """
    growing = _Growing(analysis)
    for number, document in enumerate(documents, start=1):
        growing.add(document)
        if number % _EVERY == 0:
            stop_if_asked()
            yield Progress(number, total, "reading documents")
    yield Progress(growing.count, total or growing.count, "arranging words")
    return Built(growing.arranged(), growing.fingerprint.hexadecimal())


class _Numbers(dict[str, int]):
    """The number of a word as it stands in texts, -1 = a stop word; numbers as they come."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self._form = analysis.form
        self.words: dict[str, int] = {}

    def __missing__(self, surface: str) -> int:
        if len(self) >= _REMEMBERED:  # names and numbers without end; what is frequent soon comes back
            self.clear()
        word = self._form(surface)
        number = self[surface] = self.words.setdefault(word, len(self.words)) if word else -1
        return number


class _Growing:
    """What has been read so far."""

    def __init__(self, analysis: Analysis) -> None:
        self.fingerprint = Fingerprint(analysis)
        self._numbers = _Numbers(analysis)
        self._pattern = surface_pattern()
        self._ids: dict[str, None] = {}
        self._titles: list[str] = []
        self._words: list[Ids] = []
        self._places: list[NDArray[np.uint32]] = []
        self._starts = [0]

    @property
    def count(self) -> int:
        """How many documents were read."""
        return len(self._titles)

    def add(self, document: SourceDocument) -> None:
        """Read a document."""
        if document.id in self._ids:
            raise InputError(
                f"Two documents are called {document.id!r}; an index needs another name for each. Rename one."
            )
        every = list(map(self._numbers.__getitem__, self._pattern.findall(document.content)))
        start, end = self._starts[-1], self._starts[-1] + len(every) + 1
        if end > _MOST_PLACES:
            raise InputError(
                f"One index holds {_MOST_PLACES:,} words and {document.id!r} goes beyond them; "
                "make several of fewer documents."
            )
        words = np.array(every, dtype=np.int32)
        kept = np.flatnonzero(words >= 0)
        self._words.append(words[kept])
        self._places.append((kept + start).astype(np.uint32))
        self._starts.append(end)
        self._ids[document.id] = None
        self._titles.append(document.title)
        self.fingerprint.add(document)

    def arranged(self) -> IndexArrays:
        """The same by word."""
        terms, lengths = self._take_terms(), np.array([len(one) for one in self._words], dtype=np.int32)
        ends = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        words = np.concatenate([*self._words, np.empty(0, np.int32)])
        places = np.concatenate([*self._places, np.empty(0, np.uint32)])
        self._words, self._places = [], []
        new, packed = _renumbering(terms)
        by_word, documents, places = _by_word(new[words], ends, places, len(terms))
        first = _first_of_runs(by_word, documents)
        ids, titles = Packed.of(self._ids), Packed.of(self._titles)
        return IndexArrays(
            term_letters=packed.letters,
            term_ends=packed.ends,
            posting_starts=np.searchsorted(first, by_word).astype(np.int64),
            posting_documents=documents[first].astype(np.int32),
            posting_frequencies=np.diff(np.append(first, len(documents))).astype(np.int32),
            place_starts=by_word.astype(np.int64),
            places=places,
            document_starts=np.array(self._starts, dtype=np.int64),
            lengths=lengths,
            id_letters=ids.letters,
            id_ends=ids.ends,
            title_letters=titles.letters,
            title_ends=titles.ends,
        )

    def _take_terms(self) -> list[str]:
        terms = list(self._numbers.words)
        self._numbers.clear()
        return terms


def _renumbering(terms: list[str]) -> tuple[Ids, Packed]:
    """The new number of each word where words are numbered in their own order, and the words in it."""
    ordered = in_order(terms)
    place = {term: at for at, term in enumerate(ordered)}
    return np.array([place[term] for term in terms], dtype=np.int32), Packed.of(ordered)


def _by_word(
    words: Ids, ends: NDArray[np.int64], places: NDArray[np.uint32], count: int
) -> tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.uint32]]:
    """Where each word's places begin, then the document and the place of every word, word by word."""
    from scipy.sparse import csr_array

    rows = csr_array((places, words, ends), shape=(len(ends) - 1, count)).tocsc()
    return rows.indptr, rows.indices, rows.data


def _first_of_runs(starts: NDArray[np.integer], documents: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where a word begins to stand in another document."""
    is_first = np.ones(len(documents), dtype=np.bool_)
    is_first[1:] = documents[1:] != documents[:-1]
    is_first[starts[:-1]] = True
    return np.flatnonzero(is_first)
