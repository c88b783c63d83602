"""Index as plain arrays, in memory or memory-mapped."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.retrieval.packed_strings import PackedStrings


@dataclass(frozen=True, slots=True, eq=False)
class IndexArrays:
    """Occurrences of words in documents.

    Words are numbered in sorted order, documents in input order. A *place* is a word's position in the whole
    index, counting stop words and one gap after each document, so that no phrase matches across documents.

    term_letters, term_ends, id_letters, id_ends, title_letters, title_ends: strings, see `PackedStrings`.
    posting_starts: shape (words + 1,), start of each word's postings.
    posting_documents, posting_frequencies: shape (postings,), document numbers, ascending, and frequencies.
    place_starts: shape (words + 1,), start of each word's places.
    places: shape (tokens,), each word's places, ascending.
    document_starts: shape (documents + 1,), the place of each document's first word.
    lengths: shape (documents,), number of words.
    """

    term_letters: NDArray[np.uint8]
    term_ends: NDArray[np.int64]
    posting_starts: NDArray[np.int64]
    posting_documents: NDArray[np.int32]
    posting_frequencies: NDArray[np.int32]
    place_starts: NDArray[np.int64]
    places: NDArray[np.uint32]
    document_starts: NDArray[np.int64]
    lengths: NDArray[np.int32]
    id_letters: NDArray[np.uint8]
    id_ends: NDArray[np.int64]
    title_letters: NDArray[np.uint8]
    title_ends: NDArray[np.int64]

    @classmethod
    def load(cls, folder: Path) -> IndexArrays:
        """Map the arrays of a folder; nothing is read yet. Raises OSError or ValueError as numpy does."""
        return cls(**{name: _mapped(folder / f"{name}.npy") for name in cls.names()})

    def save(self, folder: Path) -> None:
        """Write each array to NAME.npy in an existing folder."""
        for name, array in self.named().items():
            np.save(folder / f"{name}.npy", array)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the arrays, which are their file names too."""
        return tuple(f.name for f in fields(cls))

    def named(self) -> Mapping[str, NDArray[Any]]:
        """Return every array by name."""
        return {name: getattr(self, name) for name in self.names()}

    @property
    def terms(self) -> PackedStrings:
        """Distinct words, sorted."""
        return PackedStrings(self.term_letters, self.term_ends)

    @property
    def ids(self) -> PackedStrings:
        """Ids of the documents."""
        return PackedStrings(self.id_letters, self.id_ends)

    @property
    def titles(self) -> PackedStrings:
        """Titles of the documents."""
        return PackedStrings(self.title_letters, self.title_ends)

    @property
    def documents(self) -> int:
        """Number of documents."""
        return len(self.lengths)

    @property
    def tokens(self) -> int:
        """Number of words of all documents."""
        return len(self.places)

    def number(self, word: str) -> int:
        """Return a word's number, ABSENT if no document has it."""
        return self.terms.find(word)

    def postings(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the documents that contain a word, ascending, and its frequency in each."""
        start, end = self.posting_starts[number], self.posting_starts[number + 1]
        return self.posting_documents[start:end], self.posting_frequencies[start:end]

    def places_of(self, number: int) -> NDArray[np.uint32]:
        """Return a word's places, ascending."""
        return self.places[self.place_starts[number] : self.place_starts[number + 1]]

    def without(self, documents: Collection[int]) -> IndexArrays:
        """Return the arrays as if some documents had never been indexed."""
        kept = np.ones(self.documents, dtype=np.bool_)
        kept[list(documents)] = False
        numbers = np.cumsum(kept, dtype=np.int64) - 1
        widths = np.diff(self.document_starts)
        starts = run_starts(widths[kept])
        is_posting = kept[self.posting_documents]
        owners = np.repeat(self.posting_documents, self.posting_frequencies)
        is_place = kept[owners]
        moves = (starts[np.maximum(numbers, 0)] - self.document_starts[:-1])[owners[is_place]]
        counts = _sums(is_posting, self.posting_starts)
        has_term = counts > 0
        terms = self.terms.only(has_term)
        ids, titles = self.ids.only(kept), self.titles.only(kept)
        return IndexArrays(
            term_letters=terms.letters,
            term_ends=terms.ends,
            posting_starts=run_starts(counts[has_term]),
            posting_documents=numbers[self.posting_documents[is_posting]].astype(np.int32),
            posting_frequencies=self.posting_frequencies[is_posting],
            place_starts=run_starts(_sums(is_place, self.place_starts)[has_term]),
            places=(self.places[is_place] + moves).astype(np.uint32),
            document_starts=starts,
            lengths=self.lengths[kept],
            id_letters=ids.letters,
            id_ends=ids.ends,
            title_letters=titles.letters,
            title_ends=titles.ends,
        )

    def document_frequencies(self) -> NDArray[np.int64]:
        """Return the number of documents that contain each word, shape (words,)."""
        return np.diff(self.posting_starts)


def run_starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where consecutive runs of these lengths begin, and the end of the last."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _sums(chosen: NDArray[np.bool_], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of chosen entries in each run."""
    return np.diff(run_starts(chosen.astype(np.int64))[starts])


def _mapped(file: Path) -> NDArray[Any]:
    """Map the array of a file into memory; an empty array is read, since it cannot be mapped."""
    try:
        return np.load(file, mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]  # of numpy's stub
    except ValueError as error:
        if "empty" not in str(error):
            raise
        return np.load(file, allow_pickle=False)  # type: ignore[no-any-return]  # of numpy's stub
