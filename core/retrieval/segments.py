"""Segments of a large index on disk, and their merge into the index that one build would have made."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.progress import JobSteps, Progress, raise_if_cancelled
from core.retrieval.analysis import Analysis
from core.retrieval.builder import ContentDigest, IndexBuilder
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import PackedStrings, sorted_order
from core.retrieval.protocols import SourceDocument

MAX_PLACES = 2**32 - 1
"""Maximum number of words of an index, since places have 32 bits."""

_BLOCK = 2**21
"""Places merged at once, unless one word has more."""

_DIGESTS, _VERSIONS = "digests.npy", "versions.npy"
_BY_DOCUMENT = ("document_starts", "lengths", "id_letters", "id_ends", "title_letters", "title_ends")

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Consecutive documents of an index.

    digests: shape (documents, 32), of their contents. versions: shape (documents,), see `SourceDocument`.
    """

    arrays: IndexArrays
    digests: NDArray[np.uint8]
    versions: NDArray[np.int32]

    @classmethod
    def of(cls, documents: Sequence[SourceDocument], analysis: Analysis) -> Segment:
        """Index documents."""
        builder = IndexBuilder(analysis)
        for document in documents:
            builder.add(document)
        digests = np.frombuffer(b"".join(builder.digests), dtype=np.uint8).reshape(-1, 32)
        versions = np.array([document.version for document in documents], dtype=np.int32)
        return cls(builder.arrays(), digests, versions)

    @classmethod
    def load(cls, folder: Path) -> Segment:
        """Map a segment. Raises OSError or ValueError as numpy does."""
        return cls(
            IndexArrays.load(folder),
            np.load(folder / _DIGESTS, allow_pickle=False),
            np.load(folder / _VERSIONS, allow_pickle=False),
        )

    def save(self, folder: Path) -> None:
        """Write the segment into an existing folder; it is on disk when this returns."""
        self.arrays.save(folder)
        np.save(folder / _DIGESTS, self.digests)
        np.save(folder / _VERSIONS, self.versions)
        for file in folder.iterdir():
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())

    def without(self, rows: Collection[int]) -> Segment:
        """Return the segment as if some of its documents had never been read."""
        kept = np.ones(len(self.versions), dtype=np.bool_)
        kept[list(rows)] = False
        return Segment(self.arrays.without(rows), self.digests[kept], self.versions[kept])


def merge(segments: Sequence[Path], folder: Path, analysis: Analysis) -> JobSteps[str]:
    """Write the arrays of an index into a folder and return its fingerprint.

    segments: folders of its segments, in order. Files are equal, byte for byte, to those of an index that is
    built at once. Memory is bounded: words are merged in blocks, in their sorted order.
    Raises InputError if the documents are too long for one index.
    """
    parts = [IndexArrays.load(segment) for segment in segments]
    total = sum(len(part.posting_documents) for part in parts)
    yield Progress(0, total, "merging words")
    if sum(int(part.document_starts[-1]) for part in parts) > MAX_PLACES:
        raise InputError(
            f"An index can have {MAX_PLACES:,} words, and the documents exceed that. Build several indexes "
            "of fewer documents."
        )
    maps, terms = _maps(parts)
    np.save(folder / "term_letters.npy", terms.letters)
    np.save(folder / "term_ends.npy", terms.ends)
    yield from _merged_occurrences(parts, maps, len(terms), total, folder)
    for name, array in _by_document(parts):
        np.save(folder / f"{name}.npy", array)
        raise_if_cancelled()
    fingerprint = ContentDigest(analysis)
    for segment, part in zip(segments, parts, strict=True):
        raise_if_cancelled()
        digests = np.load(segment / _DIGESTS, allow_pickle=False)
        for at, digest in enumerate(digests):
            fingerprint.add_digest(part.ids[at], digest.tobytes())
        yield Progress(total, total, "computing the fingerprint")
    return fingerprint.hexadecimal()


def _maps(parts: Sequence[IndexArrays]) -> tuple[list[Numbers], PackedStrings]:
    """Return the number in the whole index of each word of each segment, and all words, sorted."""
    words = [[part.terms[at] for at in range(len(part.terms))] for part in parts]
    ordered = sorted_order(set().union(*words))
    number = {word: at for at, word in enumerate(ordered)}
    maps = [np.fromiter(map(number.__getitem__, some), np.int64, len(some)) for some in words]
    return maps, PackedStrings.of(ordered)


def _merged_occurrences(
    parts: Sequence[IndexArrays], maps: Sequence[Numbers], words: int, total: int, folder: Path
) -> JobSteps[None]:
    """Write postings and places, a block of words at a time."""
    posting_starts = _total_starts([part.posting_starts for part in parts], maps, words)
    place_starts = _total_starts([part.place_starts for part in parts], maps, words)
    np.save(folder / "posting_starts.npy", posting_starts)
    np.save(folder / "place_starts.npy", place_starts)
    documents = _offsets([part.documents for part in parts])
    places = _offsets([int(part.document_starts[-1]) for part in parts])
    with (
        _created(folder / "posting_documents.npy", np.int32, int(posting_starts[-1])) as document_file,
        _created(folder / "posting_frequencies.npy", np.int32, int(posting_starts[-1])) as frequency_file,
        _created(folder / "places.npy", np.uint32, int(place_starts[-1])) as place_file,
    ):
        for first, last in _blocks(place_starts):
            raise_if_cancelled()
            postings, block = _Block(posting_starts, first, last), _Block(place_starts, first, last)
            of_documents, of_frequencies = postings.empty(np.int32), postings.empty(np.int32)
            of_places = block.empty(np.uint32)
            for at, (part, numbers) in enumerate(zip(parts, maps, strict=True)):
                low, high = np.searchsorted(numbers, [first, last])
                if low == high:
                    continue
                some = numbers[low:high] - first
                source, targets = postings.targets(part.posting_starts[low : high + 1], some)
                of_documents[targets] = part.posting_documents[source] + np.int32(documents[at])
                of_frequencies[targets] = part.posting_frequencies[source]
                source, targets = block.targets(part.place_starts[low : high + 1], some)
                of_places[targets] = part.places[source] + np.uint32(places[at])
            document_file.write(of_documents.data)
            frequency_file.write(of_frequencies.data)
            place_file.write(of_places.data)
            yield Progress(float(posting_starts[last]), total, "merging words")


class _Block:
    """Occurrences of consecutive words, filled segment by segment. next_: shape (words,), what is free."""

    def __init__(self, starts: Numbers, first: int, last: int) -> None:
        self.next_ = starts[first:last] - starts[first]
        self._size = int(starts[last] - starts[first])

    def empty(self, kind: type[np.generic]) -> NDArray[Any]:
        """Return an array for the occurrences."""
        return np.empty(self._size, dtype=kind)

    def targets(self, starts: Numbers, words: Numbers) -> tuple[slice, Numbers]:
        """Return the entries of words in a segment and their places in the block, which are then taken.

        starts: shape (words + 1,), of the entries of each word in the segment.
        """
        low, high = int(starts[0]), int(starts[-1])
        counts = np.diff(starts)
        shifts = self.next_[words] - (starts[:-1] - low)
        self.next_[words] += counts
        return slice(low, high), np.repeat(shifts, counts) + np.arange(high - low)


def _blocks(starts: Numbers) -> Iterator[tuple[int, int]]:
    """Yield ranges of words with at most `_BLOCK` places together, or of a single word."""
    first, words = 0, len(starts) - 1
    while first < words:
        last = int(np.searchsorted(starts, starts[first] + _BLOCK, side="right")) - 1
        last = min(max(last, first + 1), words)
        yield first, last
        first = last


def _total_starts(starts: Sequence[Numbers], maps: Sequence[Numbers], words: int) -> Numbers:
    """Return where the occurrences of each word begin in the whole index, shape (words + 1,)."""
    whole = np.zeros(words + 1, dtype=np.int64)
    for one, numbers in zip(starts, maps, strict=True):
        whole[numbers + 1] += np.diff(one)
    return np.cumsum(whole, out=whole)


def _offsets(sizes: Sequence[int]) -> list[int]:
    """Return the sum of the sizes before each one."""
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()]


def _by_document(parts: Sequence[IndexArrays]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays that are in the order of documents."""
    for name in _BY_DOCUMENT:
        arrays = [part.named()[name] for part in parts]
        if name in ("document_starts", "id_ends", "title_ends"):
            offsets = _offsets([int(array[-1]) for array in arrays])
            arrays = [array[:-1] + offset for array, offset in zip(arrays, offsets, strict=False)]
            arrays.append(np.array(offsets[-1:], dtype=np.int64))
        yield name, np.concatenate(arrays)


def _created(path: Path, kind: type[np.generic], length: int) -> IO[bytes]:
    """Create the file of an array as `numpy.save` does, up to its content."""
    file = path.open("wb")
    header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(file, header)
    return file
