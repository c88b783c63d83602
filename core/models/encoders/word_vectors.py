"""Word vectors from a file, looked up on disk so that only requested vectors are in memory.

On first use a file is converted to a folder of memory-mapped arrays: the numbers, the concatenated words,
and sorted word hashes for lookup. If a word occurs twice, the first counts.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from core.errors import InputError, MissingResource
from core.files.allowed_names import NameKind, NotAllowed, allowed_names
from core.json_text import parse_json
from core.models.catalogue.lookup import added_place, find_model
from core.models.catalogue.model_folder import Model
from core.models.encoders.vector_files import SUFFIXES, read_vectors
from core.models.encoders.vector_lookup import VectorLookup
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

_LAYOUT = 1
"""Version of the folder's arrays; folders of other versions are created again."""

_STEP = 10_000


class WordVectors(Protocol):
    """Provides vectors of words."""

    @property
    def dimension(self) -> int: ...

    def of(self, words: Sequence[str]) -> VectorLookup:
        """Return the vectors of words; the spelling must match exactly."""
        ...


@dataclass(frozen=True, slots=True)
class VectorSource:
    """Source of vectors. files: of vectors, or an encoder's weights. model: the encoder, else None."""

    name: str
    files: tuple[Path, ...]
    model: Model | None = None


def find_vectors(name: str) -> VectorSource:
    """Resolve a name: a file of word vectors, an added one, or an encoder's input embeddings.

    Raises MissingResource with the remedy if it is not on this machine.
    """
    file = added_place(name)
    if file is None and allowed_names().has(NameKind.PLACE, name):
        file = Path(name).expanduser()
    if file is not None and file.is_file():
        return VectorSource(file.name, (file.resolve(),))
    if name.endswith(SUFFIXES):
        if file is None:
            raise NotAllowed(NameKind.PLACE, name)
        raise MissingResource(
            f"There are no word vectors in {name}. Name a word2vec (.bin), GloVe (.txt) or "
            "fastText (.vec) file."
        )
    model = find_model(name)
    return VectorSource(model.name, model.weights, model)


def load_word_vectors(name: str, folder: Path | None = None) -> WordVectors:
    """Load the vectors of a file or an encoder. folder: for converted files, None = next to the file."""
    source = find_vectors(name)
    if source.model is not None:
        from core.models.encoders.input_embeddings import InputEmbeddings

        return InputEmbeddings(source.model)
    return MappedVectors(split_file(source.files[0], folder))


class MappedVectors:
    """Word vectors in a folder made by `split_file`. Raises InputError if it is incomplete."""

    def __init__(self, folder: Path) -> None:
        about = parse_json((folder / "about.json").read_text(encoding="utf-8"))
        self.words: int = about["words"]
        self._dimension: int = about["dimension"]
        try:
            self._numbers = np.memmap(folder / "numbers", np.float32, "r", shape=(self.words, self.dimension))
            self._letters = np.memmap(folder / "letters", np.uint8, "r")
            self._ends, self._prints, self._rows = (
                np.load(folder / f"{part}.npy", mmap_mode="r") for part in ("ends", "prints", "rows")
            )
        except (OSError, ValueError) as error:
            raise InputError(
                f"{folder} is damaged ({error}). Delete it; it will be created again."
            ) from error

    @property
    def dimension(self) -> int:
        return self._dimension

    def of(self, words: Sequence[str]) -> VectorLookup:
        rows = np.array([self._row(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.int64)
        is_known = rows >= 0
        vectors = np.zeros((len(words), self.dimension))
        vectors[is_known] = self._numbers[rows[is_known]]
        return VectorLookup(vectors, is_known)

    def _row(self, word: bytes) -> int:
        """Return the row of a word in the file, -1 = not found."""
        hash_value = _hash_word(word)
        at = int(np.searchsorted(self._prints, np.uint64(hash_value)))
        while at < self.words and self._prints[at] == hash_value:
            row = int(self._rows[at])
            start = int(self._ends[row - 1]) if row else 0
            if self._letters[start : int(self._ends[row])].tobytes() == word:
                return row
            at += 1
        return -1


def split_file(file: Path, folder: Path | None = None) -> Path:
    """Return the folder with a file's arrays; create it on first use.

    folder: its parent, None = next to the file, or the temporary folder if that is not writable.
    Raises InputError if the file is damaged or the disk is full.
    """
    parent = folder / "word-vectors" if folder else file.parent
    if folder is None and not os.access(parent, os.W_OK):
        parent = Path(tempfile.gettempdir()) / "pyramidion-word-vectors"
    stat = file.stat()
    identity = f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}|{_LAYOUT}"
    place = parent / f"{file.name}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}.vectors"
    if not (place / "about.json").is_file():
        _make(file, place)
    return place


def _make(file: Path, place: Path) -> None:
    log.info("converting %s to %s", file, place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _made_whole(place) as fresh:
            _write(file, fresh)
    except OSError as error:
        raise InputError(
            f"The word vectors {file} cannot be converted to {place} ({error.strerror or error}). "
            "Free as much disk space as the decompressed file takes."
        ) from error


@contextmanager
def _made_whole(place: Path) -> Iterator[Path]:
    """Create a folder that gets its name when complete.

    Another process may have created the same one first.
    """
    fresh = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=place.parent))
    try:
        yield fresh
        if not place.exists():
            fresh.replace(place)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _write(file: Path, folder: Path) -> None:
    """Write a file's arrays, holding only the hash and the end of each word in memory."""
    prints, ends, end, dimension = array("Q"), array("q"), 0, 0
    with (folder / "numbers").open("wb") as numbers, (folder / "letters").open("wb") as letters:
        for count, (word, vector) in enumerate(read_vectors(file)):
            if count % _STEP == 0:
                raise_if_cancelled()
            dimension = len(vector) // 4
            end += letters.write(word)
            numbers.write(vector)
            prints.append(_hash_word(word))
            ends.append(end)
    if not ends:
        raise InputError(f"{file} contains no words. Choose another file.")
    _check_numbers(file, folder / "numbers", len(ends), dimension)
    hashes = np.array(prints, dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    np.save(folder / "ends.npy", np.array(ends, dtype=np.int64))
    np.save(folder / "prints.npy", hashes[order])
    np.save(folder / "rows.npy", order.astype(np.int32))
    about = {"words": len(ends), "dimension": dimension}
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


def _check_numbers(file: Path, numbers: Path, words: int, dimension: int) -> None:
    """Raise InputError if a vector contains NaN or infinity."""
    with numbers.open("rb") as stream:
        for start in range(0, words, _STEP):
            raise_if_cancelled()
            chunk = np.fromfile(stream, np.float32, _STEP * dimension).reshape(-1, dimension)
            is_whole = np.isfinite(chunk).all(axis=1)
            if is_whole.all():
                continue
            number = start + int(np.argmin(is_whole)) + 1
            raise InputError(
                f"{file}, word {number:,}: its vector contains NaN or infinity. Get the file again."
            )


def _hash_word(word: bytes) -> int:
    """Return a 64-bit hash of a word."""
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
