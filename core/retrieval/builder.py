"""Index construction from a stream of documents; only their words are indexed in memory."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.progress import JobSteps, Progress, raise_if_cancelled
from core.retrieval.analysis import Analysis, surface_pattern
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import PackedStrings, sorted_order
from core.retrieval.protocols import DeletedDocument, SourceDocument

_MAX_POSITIONS = 2**32 - 1
_CACHE_SIZE = 2_000_000
_PROGRESS_INTERVAL = 100
"""Documents between two progress reports."""

_VERSIONS = 2**31
"""Versions of documents are below this number."""

_BLOCK_SIZE = 2**20
"""Words renumbered at once."""

Ids = NDArray[np.int32]
T = TypeVar("T", bound=np.generic)
Numbers = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class BuildResult:
    """A finished index and the fingerprint of its documents.

    superseded: number of documents left out for a later version of the same id. deleted: of those deleted.
    """

    arrays: IndexArrays
    fingerprint: str
    superseded: int = 0
    deleted: int = 0


class ContentDigest:
    """SHA-256 over an analysis and the documents in order."""

    def __init__(self, analysis: Analysis) -> None:
        self._digest = hashlib.sha256(str(analysis).encode())

    def add(self, document: SourceDocument) -> None:
        """Add the next document; its title is ignored, since no score depends on it."""
        self.add_digest(document.id, digest_of(document.content))

    def add_digest(self, name: str, content: bytes) -> None:
        """Add the next document by its id and the digest of its content."""
        self._digest.update(digest_of(name))
        self._digest.update(content)

    def hexadecimal(self) -> str:
        """Return the digest of the documents so far."""
        return self._digest.hexdigest()


def digest_of(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class Admissions:
    """Documents by id: which of several versions is indexed, and which are deleted again.

    Rows are the numbers of the documents in order, including those dropped later.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.dropped: set[int] = set()
        self.superseded = 0
        self.deleted = 0
        self._by_id: dict[str, int] = {}  # row and version in one number, which takes less memory

    def admit(self, name: str, version: int) -> bool:
        """Return whether a document takes the next row, instead of an earlier one of its id.

        Raises InputError if its id occurred before and either has no version.
        """
        if (known := self._by_id.get(name)) is not None:
            row, older = divmod(known, _VERSIONS)
            if not version or not older:
                raise InputError(
                    f"Two documents have the id {name!r}; ids must be unique in an index. Rename one."
                )
            self.superseded += 1
            if version < older:
                return False
            self.dropped.add(row)
        self._by_id[name] = self.rows * _VERSIONS + version
        self.rows += 1
        return True

    def delete(self, name: str) -> None:
        """Drop the document of an id, if it has a version."""
        row, version = divmod(self._by_id.get(name, 0), _VERSIONS)
        if version:
            del self._by_id[name]
            self.dropped.add(row)
            self.deleted += 1


def build_index(
    documents: Iterable[SourceDocument | DeletedDocument], analysis: Analysis, total: int = 0
) -> JobSteps[BuildResult]:
    """Build an index of documents, which are read once. total: their number, for the progress; 0 = unknown.

    Raises InputError if two documents have the same id or the documents are too long for one index.
    """
    builder = IndexBuilder(analysis)
    for number, document in enumerate(documents, start=1):
        if isinstance(document, DeletedDocument):
            builder.admissions.delete(document.id)
        elif builder.admissions.admit(document.id, document.version):
            builder.add(document)
        if number % _PROGRESS_INTERVAL == 0:
            raise_if_cancelled()
            yield Progress(number, total, "reading documents")
    yield Progress(builder.count, total or builder.count, "sorting words")
    return builder.result()


class _Numbers(dict[str, int]):
    """Numbers of words by surface form, -1 = a stop word, in order of appearance."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self._form = analysis.form
        self.words: dict[str, int] = {}

    def __missing__(self, surface: str) -> int:
        if len(self) >= _CACHE_SIZE:  # rare names and numbers would fill memory; frequent words return soon
            self.clear()
        word = self._form(surface)
        number = self[surface] = self.words.setdefault(word, len(self.words)) if word else -1
        return number


class IndexBuilder:
    """Words and documents read so far."""

    def __init__(self, analysis: Analysis) -> None:
        self.admissions = Admissions()
        self._analysis = analysis
        self.digests: list[bytes] = []
        """Digest of each document's content."""

        self._numbers = _Numbers(analysis)
        self._pattern = surface_pattern()
        self._ids: list[str] = []
        self._titles: list[str] = []
        self._words, self._places = (
            array("i"),
            array("I"),
        )  # one growing block each; many small ones would fragment memory
        self._lengths: list[int] = []
        self._starts = [0]

    @property
    def count(self) -> int:
        """Number of documents read."""
        return len(self._titles)

    def add(self, document: SourceDocument) -> None:
        """Read a document."""
        every = list(map(self._numbers.__getitem__, self._pattern.findall(document.content)))
        start, end = self._starts[-1], self._starts[-1] + len(every) + 1
        if end > _MAX_POSITIONS:
            raise InputError(
                f"An index can have {_MAX_POSITIONS:,} words, and {document.id!r} exceeds that. "
                "Build several indexes of fewer documents."
            )
        words = np.array(every, dtype=np.int32)
        indexed = np.flatnonzero(words >= 0)
        self._words.frombytes(words[indexed].tobytes())
        self._places.frombytes((indexed + start).astype(np.uint32).tobytes())
        self._lengths.append(len(indexed))
        self._starts.append(end)
        self._ids.append(document.id)
        self._titles.append(document.title)
        self.digests.append(digest_of(document.content))

    def result(self) -> BuildResult:
        """Return the index without the documents that were dropped."""
        dropped = self.admissions.dropped
        fingerprint = ContentDigest(self._analysis)
        for row, (name, content) in enumerate(zip(self._ids, self.digests, strict=True)):
            if row not in dropped:
                fingerprint.add_digest(name, content)
        arrays = self.arrays()
        return BuildResult(
            arrays.without(dropped) if dropped else arrays,
            fingerprint.hexadecimal(),
            self.admissions.superseded,
            self.admissions.deleted,
        )

    def arrays(self) -> IndexArrays:
        """Return the arrays of all documents, sorted by word."""
        packed, by_word, documents, places = self._by_word()
        is_first = _begins_run(by_word, documents)
        posting_starts, frequencies = _runs(is_first, by_word)
        ids, titles = PackedStrings.of(self._ids), PackedStrings.of(self._titles)
        return IndexArrays(
            term_letters=packed.letters,
            term_ends=packed.ends,
            posting_starts=posting_starts,
            posting_documents=documents[is_first].astype(np.int32, copy=False),
            posting_frequencies=frequencies,
            place_starts=by_word.astype(np.int64),
            places=places,
            document_starts=np.array(self._starts, dtype=np.int64),
            lengths=np.array(self._lengths, dtype=np.int32),
            id_letters=ids.letters,
            id_ends=ids.ends,
            title_letters=titles.letters,
            title_ends=titles.ends,
        )

    def _by_word(self) -> tuple[PackedStrings, Numbers, Numbers, NDArray[np.uint32]]:
        """Return the sorted words, the start of each word's positions, and all occurrences.

        An occurrence is a document and a position. Input is released on the way, so that words are not in
        memory twice.
        """
        from scipy.sparse import csr_array

        terms = list(self._numbers.words)
        self._numbers.clear()
        new, packed = _renumbering(terms)
        words, places = np.frombuffer(self._words, dtype=np.int32), np.frombuffer(self._places, np.uint32)
        for start in range(0, len(words), _BLOCK_SIZE):
            some = words[start : start + _BLOCK_SIZE]
            some[:] = new[some]
        ends = np.concatenate([[0], np.cumsum(self._lengths, dtype=np.int64)])
        if ends[-1] < 2**31:
            ends = ends.astype(np.int32)  # the dtype of the words, which would be copied otherwise
        rows = csr_array((places, words, ends), shape=(len(self._lengths), len(terms)))
        columns = rows.tocsc()
        del rows, words, places
        self._words, self._places = array("i"), array("I")
        return packed, columns.indptr, columns.indices, columns.data


def _joined(parts: list[NDArray[T]], kind: type[T]) -> NDArray[T]:
    """Concatenate all parts; the list is emptied, since both may not fit into memory."""
    whole = np.concatenate([*parts, np.empty(0, kind)])
    parts.clear()
    return whole


def _renumbering(terms: list[str]) -> tuple[Ids, PackedStrings]:
    """Return the new number of each word in sorted order, and the sorted words."""
    ordered = sorted_order(terms)
    place = {term: at for at, term in enumerate(ordered)}
    return np.array([place[term] for term in terms], dtype=np.int32), PackedStrings.of(ordered)


def _begins_run(starts: Numbers, documents: Numbers) -> NDArray[np.bool_]:
    """Return whether each occurrence of a word is its first one in a document."""
    is_first = np.ones(len(documents), dtype=np.bool_)
    np.not_equal(documents[1:], documents[:-1], out=is_first[1:])
    is_first[starts[:-1]] = True
    return is_first


def _runs(is_first: NDArray[np.bool_], starts: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where each word's runs begin, and the length of each run."""
    first = np.flatnonzero(is_first)
    lengths = np.empty(len(first), dtype=np.int32)
    np.subtract(first[1:], first[:-1], out=lengths[:-1], casting="unsafe")
    lengths[-1:] = len(is_first) - first[-1:]
    return np.searchsorted(first, starts).astype(np.int64), lengths
