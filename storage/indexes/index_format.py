"""On-disk format of an index: a folder of memory-mapped arrays, described by ``index.json``.

``index.json`` contains the size and SHA-256 of every array, to detect damaged or incomplete copies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.json_text import parse_json
from core.models.catalogue.digests import DigestCache
from core.retrieval.analysis import STEMMERS, Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.index_store import StoredIndex

FORMAT = 1
HEADER = "index.json"


@dataclass(frozen=True, slots=True)
class Header:
    """Contents of ``index.json``. files: size and SHA-256 of each array."""

    analysis: Analysis
    fingerprint: str
    documents: int
    tokens: int
    made: str
    sources: tuple[str, ...]
    files: Mapping[str, tuple[int, str]]
    notes: tuple[str, ...] = ()


def write_header(
    folder: Path, analysis: Analysis, fingerprint: str, sources: Sequence[str], notes: Sequence[str] = ()
) -> None:
    """Write ``index.json`` into a folder with the arrays of an index. notes: what was left out."""
    arrays = IndexArrays.load(folder)
    header = {
        "format": FORMAT,
        "analysis": {"stemmer": analysis.stemmer, "drop_stop_words": analysis.drop_stop_words},
        "fingerprint": fingerprint,
        "documents": arrays.documents,
        "tokens": arrays.tokens,
        "made": datetime.now(UTC).date().isoformat(),
        "sources": list(sources),
        **({"notes": list(notes)} if notes else {}),
        "files": {file.name: [file.stat().st_size, _sha256(file)] for file in _arrays(folder)},
    }
    (folder / HEADER).write_text(json.dumps(header, indent=1, ensure_ascii=False), encoding="utf-8")


def read(folder: Path, digests: DigestCache) -> ArrayIndex:
    """Open the index of a folder, mapped. Raises InputError if it is damaged or of a newer version.

    digests: remembers verified files, so that only the first opening reads all of them.
    """
    header = header_of(folder)
    _check_files(folder, header, digests)
    try:
        arrays = IndexArrays.load(folder)
    except (OSError, ValueError) as error:
        raise _damaged(folder, f"its arrays cannot be read ({error})") from error
    return ArrayIndex(folder.name, header.analysis, header.fingerprint, arrays)


def about(folder: Path) -> StoredIndex:
    """Return the list entry of a folder's index without reading arrays."""
    size = sum(file.stat().st_size for file in folder.glob("*") if file.is_file())
    try:
        header = header_of(folder)
        _check_sizes(folder, header)
    except InputError as error:
        return StoredIndex(folder.name, folder, bytes=size, problem=str(error))
    return StoredIndex(
        folder.name,
        folder,
        header.documents,
        header.tokens,
        size,
        str(header.analysis),
        header.made,
        header.sources,
        header.fingerprint,
        notes=header.notes,
    )


def header_of(folder: Path) -> Header:
    """Read the header of an index. Raises InputError."""
    try:
        content = parse_json((folder / HEADER).read_text(encoding="utf-8"))
        if int(content["format"]) > FORMAT:
            raise InputError(
                f"The index {folder.name} was built by a newer version of Pyramidion. Install "
                "that version, or build "
                f"the index again: {_again(folder)}"
            )
        return _header(content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"{HEADER} cannot be read ({error})") from error


def _header(content: Any) -> Header:
    stemmer, drops = content["analysis"]["stemmer"], content["analysis"]["drop_stop_words"]
    if stemmer not in STEMMERS:
        raise ValueError(f"unknown stemmer {stemmer!r}")
    files = {str(name): (int(size), str(digest)) for name, (size, digest) in content["files"].items()}
    return Header(
        Analysis(stemmer, bool(drops)),
        str(content["fingerprint"]),
        int(content["documents"]),
        int(content["tokens"]),
        str(content["made"]),
        tuple(map(str, content["sources"])),
        files,
        tuple(map(str, content.get("notes", ()))),
    )


def _check_files(folder: Path, header: Header, digests: DigestCache) -> None:
    """Raise InputError unless every file is unchanged."""
    _check_sizes(folder, header)
    for name, (_, digest) in header.files.items():
        try:
            actual = digests.of([folder / name])
        except OSError as error:
            raise _damaged(folder, f"{name} cannot be read ({error.strerror})") from error
        if actual != digest:
            raise _damaged(folder, f"{name} has changed")


def _check_sizes(folder: Path, header: Header) -> None:
    for name in (f"{array}.npy" for array in IndexArrays.names()):
        size, _ = header.files.get(name, (-1, ""))
        file = folder / name
        if not file.is_file():
            raise _damaged(folder, f"{name} is missing")
        if file.stat().st_size != size:
            raise _damaged(folder, f"{name} has {file.stat().st_size:,} bytes instead of {max(size, 0):,}")


def _damaged(folder: Path, why: str) -> InputError:
    return InputError(f"The index {folder.name} is damaged: {why}. Build it again: {_again(folder)}")


def _again(folder: Path) -> str:
    return f"pyramidion index build {folder.name} SOURCE --replace"


def _arrays(folder: Path) -> list[Path]:
    return [folder / f"{name}.npy" for name in IndexArrays.names()]


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
