"""Streaming readers for files of word vectors: word2vec (binary and text), fastText (.vec) and GloVe (text).

Files may be compressed with gzip or bzip2. Words are UTF-8, numbers float32. Only the current word is in
memory.
"""

from __future__ import annotations

import bz2
import gzip
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from core.errors import InputError, MissingResource

Record = tuple[bytes, bytes]
"""A word, and its numbers as float32 in this machine's byte order."""

SUFFIXES = (".bin", ".vec", ".txt", ".gz", ".bz2", ".words")
"""Usual extensions of vector files."""

_CHUNK = 1 << 20
_LONGEST_WORD = 4096
_MOST_DIMENSIONS = 65_536
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r")
_FASTTEXT_MODEL = (793_712_314).to_bytes(4, "little")


@dataclass(frozen=True, slots=True)
class VectorFileLayout:
    """Format of a file. words: number according to its header, None = no header."""

    is_binary: bool
    has_header: bool
    dimension: int
    words: int | None = None


def open_vectors(file: Path) -> BinaryIO:
    """Open a file, decompressed. Raises MissingResource if it cannot be opened."""
    try:
        with file.open("rb") as stream:
            start = stream.read(3)
        if start[:2] == b"\x1f\x8b":
            return cast(BinaryIO, gzip.open(file))
        return cast(BinaryIO, bz2.open(file)) if start == b"BZh" else file.open("rb")
    except OSError as error:
        raise MissingResource(
            f"The word vectors {file} cannot be read ({error.strerror}). Choose another file."
        ) from error


def layout_of(file: Path, start: bytes) -> VectorFileLayout:
    """Detect the format of a file from its first bytes. Raises InputError if it contains no word vectors."""
    if start.startswith(_FASTTEXT_MODEL):
        raise InputError(f"{file} is a complete fastText model. Choose its .vec file of vectors instead.")
    first, _, rest = start.partition(b"\n")
    head = first.split()
    if len(head) == 2 and all(part.isdigit() for part in head):
        words, dimension = map(int, head)
        if not 0 < dimension <= _MOST_DIMENSIONS:
            raise InputError(f"{file}, line 1: invalid dimension {dimension}. Get the file again.")
        return VectorFileLayout(not _is_written_out(rest, dimension), True, dimension, words)
    dimension = len(first.rstrip().split(b" ")) - 1
    if dimension < 1 or _numbers(first, dimension) is None:
        raise InputError(
            f"{file} contains no word vectors: its first line is neither a header nor a word "
            "with its numbers. Choose a word2vec, GloVe or fastText (.vec) file."
        )
    return VectorFileLayout(False, False, dimension)


def read_vectors(file: Path) -> Iterator[Record]:
    """Yield every word of a file with its numbers, in order. Raises InputError with the place of an error."""
    with open_vectors(file) as stream:
        try:
            start = stream.read(_CHUNK)
            layout = layout_of(file, start)
            records = _binary if layout.is_binary else _text
            yield from records(file, stream, start, layout)
        except (EOFError, OSError) as error:
            raise InputError(f"{file} cannot be decompressed ({error}). Get the file again.") from error


def _binary(file: Path, stream: BinaryIO, start: bytes, layout: VectorFileLayout) -> Iterator[Record]:
    size, at, buffer = 4 * layout.dimension, start.index(b"\n") + 1, start
    for number in range(1, (layout.words or 0) + 1):
        blank = buffer.find(b" ", at)
        while blank < 0 or len(buffer) < blank + 1 + size:
            more = stream.read(_CHUNK)
            if not more:
                raise _damaged(file, f"word {number:,} of {layout.words:,}", "the file is truncated")
            buffer, at = buffer[at:] + more, 0
            blank = buffer.find(b" ")
        if blank - at > _LONGEST_WORD:
            raise _damaged(file, f"word {number:,} of {layout.words:,}", "the word does not end")
        yield buffer[at:blank].lstrip(b"\n"), _native(buffer[blank + 1 : blank + 1 + size])
        at = blank + 1 + size
    if (buffer[at:] + stream.read(_LONGEST_WORD)).strip():
        raise _damaged(file, f"after word {layout.words:,}", "there are more words than the header states")


def _text(file: Path, stream: BinaryIO, start: bytes, layout: VectorFileLayout) -> Iterator[Record]:
    count = 0
    for number, line in enumerate(_lines(stream, start), start=1):
        if (number == 1 and layout.has_header) or not line.strip():
            continue
        numbers = _numbers(line, layout.dimension)
        if numbers is None:
            raise _damaged(file, f"line {number:,}", f"not a word with {layout.dimension} numbers")
        count += 1
        yield numbers
    if layout.words is not None and count != layout.words:
        raise _damaged(file, "line 1", f"it states {layout.words:,} words, but the file contains {count:,}")


def _lines(stream: BinaryIO, start: bytes) -> Iterator[bytes]:
    rest = start
    while rest:
        *lines, rest = rest.split(b"\n")
        yield from lines
        more = stream.read(_CHUNK)
        if not more:
            yield rest
            return
        rest += more


def _numbers(line: bytes, dimension: int) -> Record | None:
    """Return a word, which may contain spaces, and its numbers; None if the line is something else."""
    parts: Sequence[bytes] = line.rstrip().rsplit(b" ", dimension)
    if len(parts) != dimension + 1:
        return None
    try:
        return parts[0], array("f", map(float, parts[1:])).tobytes()
    except (ValueError, OverflowError):
        return None


def _is_written_out(records: bytes, dimension: int) -> bool:
    """Return whether decimal numbers follow the first word; binary data may begin the same way."""
    line = records.partition(b"\n")[0]
    word, _, numbers = line.partition(b" ")
    if not numbers or not set(numbers) <= set(b"0123456789+-.eE infa\r"):
        return False
    as_binary = records[: len(word) + 1 + 4 * dimension]
    return _numbers(line, dimension) is not None or _CONTROLS.isdisjoint(as_binary)


def _native(numbers: bytes) -> bytes:
    """Convert word2vec's little-endian numbers to this machine's byte order."""
    return numbers if sys.byteorder == "little" else np.frombuffer(numbers, "<f4").astype("=f4").tobytes()


def _damaged(file: Path, place: str, what: str) -> InputError:
    return InputError(f"{file}, {place}: {what}. Get the file again.")
