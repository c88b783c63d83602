"""Vectors of whole texts computed with other software, identified by the texts' SHA-256.

NPZ: ``sha256``, shape (texts,), hexadecimal, and ``vectors``, shape (texts, dimension). JSONL: one object per
line with the keys ``sha256`` and ``vector``. The hash is of a text's UTF-8 bytes.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.json_text import parse_json
from core.models.encoders.text_encoding import EncodedText, Rows, empty_text, whole_text

SUFFIXES = (".npz", ".jsonl")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def text_hash(text: Text) -> str:
    """Return the hexadecimal SHA-256 of a text's UTF-8 bytes."""
    return hashlib.sha256(text.content.encode("utf-8", "surrogatepass")).hexdigest()


def load_precomputed_vectors(file: Path) -> PrecomputedVectors:
    """Load a file. Raises InputError with the place of an error."""
    read = _npz(file) if file.suffix == ".npz" else _jsonl(file)
    return PrecomputedVectors(file, _checked(file, read))


class PrecomputedVectors:
    """The vectors of a file, in memory."""

    def __init__(self, file: Path, vectors: dict[str, Rows]) -> None:
        self._file = file
        self._vectors = vectors
        self._dimension = len(next(iter(vectors.values())))

    def missing_requirements(self, texts: Sequence[Text]) -> str:
        """Return a message about texts that are missing in the file; empty = none is missing."""
        required = {text_hash(text) for text in texts if text.content.strip()}
        absent = len(required - self._vectors.keys())
        if not absent:
            return ""
        return (
            f"{self._file.name} has no vector for {absent:,} of {len(required):,} texts; "
            "run pyramidion export --what texts --format hashes to list the required texts"
        )

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Return each text as one row. Raises InputError with the number of missing texts."""
        if why := self.missing_requirements(texts):
            raise InputError(f"{why}.")
        return [
            whole_text(text, self._vectors[text_hash(text)])
            if text.content.strip()
            else empty_text(self._dimension)
            for text in texts
        ]


Placed = tuple[str, object, object]
"""Place of a vector in the file, hash of its text, its numbers."""


def _checked(file: Path, read: Iterator[Placed]) -> dict[str, Rows]:
    vectors: dict[str, Rows] = {}
    dimension = 0
    for place, key, numbers in read:
        if not isinstance(key, str) or not _SHA256.fullmatch(key):
            raise _damaged(file, place, "`sha256` is not 64 lowercase hexadecimal digits")
        try:
            vector = np.asarray(numbers, dtype=np.float32)
        except (TypeError, ValueError):
            raise _damaged(file, place, "`vector` is not a list of numbers") from None
        dimension = dimension or vector.size
        if vector.shape != (dimension,) or not dimension or not np.isfinite(vector).all():
            raise _damaged(file, place, f"`vector` does not contain {dimension or 'any'} finite numbers")
        if not np.array_equal(vectors.setdefault(key, vector), vector):
            raise _damaged(file, place, "an earlier row has another vector for this text")
    if not vectors:
        raise InputError(f"{file} contains no vectors. Choose another file.")
    return vectors


def _npz(file: Path) -> Iterator[Placed]:
    try:
        with np.load(file, allow_pickle=False) as arrays:
            keys, vectors = arrays["sha256"], arrays["vectors"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{file} must contain the arrays sha256 (text) and vectors (numbers) ({error}). Write it again."
        ) from error
    if keys.ndim != 1 or vectors.ndim != 2 or len(keys) != len(vectors):
        raise InputError(f"{file}: sha256 and vectors must have one row for each text. Write it again.")
    for number, (key, vector) in enumerate(zip(keys.tolist(), vectors, strict=True), start=1):
        yield f"row {number:,}", key, vector


def _jsonl(file: Path) -> Iterator[Placed]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                row = parse_json(line)
                if not isinstance(row, dict):
                    raise _damaged(file, f"line {number:,}", "not an object with `sha256` and `vector`")
                yield f"line {number:,}", row.get("sha256"), row.get("vector")
    except ValueError as error:
        raise InputError(f"{file} is not valid JSONL ({error}). Write it again.") from error
    except OSError as error:
        raise MissingResource(f"{file} cannot be read ({error.strerror}). Choose another file.") from error


def _damaged(file: Path, place: str, what: str) -> InputError:
    return InputError(f"{file}, {place}: {what}. Write the file again.")
