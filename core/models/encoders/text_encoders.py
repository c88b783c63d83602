"""Text encoders other than transformers, named ``kind:place``: ELMo, InferSent, USE, precomputed vectors.

They are located here without loading; imports neither torch nor TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from core.errors import InputError, MissingResource
from core.files.allowed_names import NameKind, NotAllowed, allowed_names
from core.models.catalogue.entries import catalogue_entry
from core.models.catalogue.lookup import added_place
from core.models.encoders import precomputed_vectors, use
from core.models.encoders.text_encoding import TextEncoder
from core.models.encoders.vector_files import SUFFIXES
from core.models.encoders.word_vectors import WordVectors


class EncoderFamily(StrEnum):
    """Family of encoders with the same file format."""

    ELMO = "elmo"
    INFERSENT = "infersent"
    USE = "use"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class EncoderKind:
    """A text encoder.

    model: catalogue key; empty = named after its folder. joining: of the rows, ``avg`` or ``max``.
    has_padding: a row of zeros is included. version: of InferSent.
    """

    name: str
    family: EncoderFamily
    about: str
    model: str = ""
    joining: str = "avg"
    has_padding: bool = False
    version: int = 0


KINDS: Mapping[str, EncoderKind] = {
    kind.name: kind
    for kind in (
        EncoderKind(
            "elmo-max", EncoderFamily.ELMO, "ELMo-m: maximum over all words in each dimension", "elmo", "max"
        ),
        EncoderKind("elmo-avg", EncoderFamily.ELMO, "ELMo-a: mean over all words", "elmo", "avg"),
        EncoderKind(
            "infersent1", EncoderFamily.INFERSENT, "InferSent 1 with GloVe", "infersent1", "max", True, 1
        ),
        EncoderKind(
            "infersent1-masked",
            EncoderFamily.INFERSENT,
            "InferSent 1 without the zero padding of shorter texts",
            "infersent1",
            "max",
            False,
            1,
        ),
        EncoderKind(
            "infersent2", EncoderFamily.INFERSENT, "InferSent 2 with fastText", "infersent2", "max", False, 2
        ),
        EncoderKind("use-2", EncoderFamily.USE, "Universal Sentence Encoder, enc-2", "use-2"),
        EncoderKind("use-3", EncoderFamily.USE, "Universal Sentence Encoder (large), enc-3", "use-3"),
        EncoderKind("use", EncoderFamily.USE, "any other Universal Sentence Encoder"),
        EncoderKind("vectors", EncoderFamily.VECTORS, "precomputed vectors, .npz or .jsonl"),
    )
}


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """An encoder on this machine, not loaded.

    files: model files in order. words: file of the word vectors it requires, None = none.
    """

    kind: EncoderKind
    name: str
    files: tuple[Path, ...]
    words: Path | None = None
    folder: Path = field(default_factory=Path)

    @property
    def shared(self) -> tuple[str, ...]:
        """Key that is equal for kinds with the same rows, as long as the files do not change."""
        files = (*self.files, *([] if self.words is None else [self.words]))
        marks = (f"{file}|{file.stat().st_mtime_ns}" for file in files)
        return (self.kind.family.value, str(self.kind.version), *marks)


def kind_of(name: str) -> tuple[EncoderKind, str] | None:
    """Split a name such as ``elmo-max:FOLDER`` into kind and place; None = it names a transformer."""
    kind, _, place = name.partition(":")
    return (KINDS[kind], place) if kind in KINDS else None


def find_source(name: str) -> EncoderSource:
    """Locate an encoder's files. name: a kind, followed by a place or the name of an added model.

    Raises MissingResource with how to get it if the model or the software to run it is missing.
    """
    kind, place = KINDS[name.partition(":")[0]], name.partition(":")[2]
    added = added_place(place or kind.model or kind.name)
    path = Path(place).expanduser().absolute() if place else None
    is_allowed = path is not None and allowed_names().has(NameKind.PLACE, str(place))
    folder = path if path is not None and is_allowed and path.exists() else added
    if folder is None and place and not is_allowed:
        raise NotAllowed(NameKind.PLACE, place)
    if folder is None:
        where = f"{path} does not exist. " if path else ""
        raise MissingResource(f"{where}{_how_to_get(kind)}")
    source = _FINDERS[kind.family](kind, folder)
    if source.words is not None:
        allowed_names().named(str(source.words))  # found in an allowed folder
    return replace(source, name=place) if folder is added and place and not kind.model else source


def infer_kind(name: str) -> str:
    """Return the names to use for a folder or file that is one of these encoders; empty = it is not."""
    if not allowed_names().has(NameKind.PLACE, name):
        return ""
    place = Path(name).expanduser()
    if place.suffix in precomputed_vectors.SUFFIXES and place.is_file():
        return f"vectors:{name}"
    if (place / "saved_model.pb").is_file():
        return f"use-2:{name}, use-3:{name} or use:{name}"
    if _one(place, "*options.json") and _one(place, "*weights.hdf5"):
        return f"elmo-max:{name} or elmo-avg:{name}"
    names = [f"{kind}:{name}" for kind in ("infersent1", "infersent2") if (place / f"{kind}.pkl").is_file()]
    return " or ".join(names)


def load_source(
    source: EncoderSource, device: str, batch_words: int | None, word_vectors: Callable[[str], WordVectors]
) -> TextEncoder:
    """Load the encoder of a source. Raises InputError if its files are damaged.

    batch_words: words per batch, None = the default.
    """
    if device == "mps":  # does not support recurrent layers over texts of different lengths
        device = "cpu"
    match source.kind.family:
        case EncoderFamily.ELMO:
            from core.models.encoders.elmo_network import load_elmo

            options, weights = source.files
            return load_elmo(options, weights, device, batch_words)
        case EncoderFamily.INFERSENT:
            from core.models.encoders.infersent import load_infersent

            words = word_vectors(str(source.words))
            return load_infersent(source.files[0], source.kind.version, words, device, batch_words)
        case EncoderFamily.USE:
            return use.UniversalSentenceEncoder(source.folder, device)
        case EncoderFamily.VECTORS:
            return precomputed_vectors.load_precomputed_vectors(source.files[0])


def _elmo(kind: EncoderKind, folder: Path) -> EncoderSource:
    options, weights = _one(folder, "*options.json"), _one(folder, "*weights.hdf5")
    if options is None or weights is None:
        raise MissingResource(f"{folder} is not an ELMo folder. {_how_to_get(kind)}")
    return EncoderSource(kind, kind.model, (options, weights), folder=folder)


def _infersent(kind: EncoderKind, place: Path) -> EncoderSource:
    file, (words, key) = f"{kind.model}.pkl", _WORDS[kind.version]
    folder = place if place.is_dir() else place.parent
    weights = _first(folder / file, folder / "encoder" / file)
    if weights is None:
        raise MissingResource(f"{folder} has no {file}. {_how_to_get(kind)}")
    adjacent = _first(*(folder / part / words for part in ("", "GloVe", "fastText")))
    vectors = adjacent or _only_vectors(folder) or _added_file(key, words)
    if vectors is None:
        raise MissingResource(
            f"{folder} has no {words}, the word vectors that {kind.model} requires. Put them next to {file}."
        )
    return EncoderSource(kind, kind.model, (weights,), vectors, folder)


def _use(kind: EncoderKind, folder: Path) -> EncoderSource:
    if not (folder / "saved_model.pb").is_file():
        raise MissingResource(f"{folder} has no saved_model.pb. {_how_to_get(kind)}")
    use.require_tensorflow()
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return EncoderSource(kind, kind.model or folder.name, tuple(files), folder=folder)


def _vectors(kind: EncoderKind, file: Path) -> EncoderSource:
    if file.suffix not in precomputed_vectors.SUFFIXES or not file.is_file():
        raise InputError(f"{file} is not a file of text vectors. Name an .npz or .jsonl file.")
    return EncoderSource(kind, file.stem, (file,), folder=file.parent)


_FINDERS: Mapping[EncoderFamily, Callable[[EncoderKind, Path], EncoderSource]] = {
    EncoderFamily.ELMO: _elmo,
    EncoderFamily.INFERSENT: _infersent,
    EncoderFamily.USE: _use,
    EncoderFamily.VECTORS: _vectors,
}
_WORDS = {1: ("glove.840B.300d.txt", "glove-840b"), 2: ("crawl-300d-2M.vec", "fasttext-crawl")}
"""Word vectors of InferSent's versions: file name and catalogue key."""


def _first(*files: Path) -> Path | None:
    return next((file for file in files if file.is_file()), None)


def _one(folder: Path, pattern: str) -> Path | None:
    """Return the only file of a folder that matches a pattern, or None."""
    files = list(folder.glob(pattern)) if folder.is_dir() else []
    return files[0] if len(files) == 1 else None


def _only_vectors(folder: Path) -> Path | None:
    """Return the only file of word vectors in a folder, or None."""
    files = [file for file in folder.iterdir() if file.name.endswith(SUFFIXES) and file.is_file()]
    return files[0] if len(files) == 1 else None


def _added_file(key: str, name: str) -> Path | None:
    """Return a file added by the user for a catalogue entry, directly or in its folder."""
    place = added_place(key)
    return None if place is None else _first(place, place / name)


def _how_to_get(kind: EncoderKind) -> str:
    entry = catalogue_entry(kind.model)
    missing = f"The model {kind.model!r} is not on this machine. " if entry else ""
    how = f"{missing}{entry.how_to_get} Then set" if entry else "Set"
    what = "FILE" if kind.family is EncoderFamily.VECTORS else "FOLDER"
    return f"{how} its location: encoder={kind.name}:{what}."
