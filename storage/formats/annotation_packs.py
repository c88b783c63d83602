"""Annotation packs as files; a whole study is read as the pack that it would export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from core.domain.annotation_pack import MOST_BYTES, SUFFIX, AnnotationPack, parse_pack
from core.errors import InputError
from core.files.paths import printable_path
from core.files.study_address import StudyAddress, resolved
from core.formatting.numbers import format_bytes
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.format_types import Export, Record
from storage.study_file import backup, open_study

_SQLITE = b"SQLite format 3\0"


def read_packs(study: StudyAddress, paths: Sequence[Path]) -> JobSteps[list[tuple[str, AnnotationPack]]]:
    """Return the packs of files with the names of the files. study: the one to merge into.

    Raises InputError if a file is no pack and no study, is damaged or too large, or is that study itself.
    """
    packs = []
    for place, path in enumerate(paths):
        name = printable_path(path.name)
        yield Progress(place, len(paths), f"reading {name}")
        packs.append((name, _read(study, path, name)))
    return packs


def _read(study: StudyAddress, path: Path, name: str) -> AnnotationPack:
    try:
        if path.resolve() == resolved(study):
            raise InputError(f"{name} is the study itself. Name the packs or studies of other annotators.")
        if not path.is_file():
            raise InputError(f"{name} is not a file. Name an annotation pack or a study.")
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
            if start == _SQLITE:
                return _pack_of_study(path)
            content = start + file.read(MOST_BYTES)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}.") from error
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{name} is larger than {format_bytes(MOST_BYTES)}. Export the annotators to a pack each."
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not an annotation pack: it is not UTF-8 text.") from error
    return parse_pack(text, name)


def _pack_of_study(path: Path) -> AnnotationPack:
    """Return the pack of a study by way of a copy, so that a study of an older version stays as it is."""
    with TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        backup(path, copy)
        with open_study(copy) as study:
            return study.annotation_pack()


def annotation_lines(study: Study, annotators: Sequence[str] | None = None) -> Iterator[Record]:
    """Yield the annotation pack of some annotators, None = of all, which is one line."""
    yield {"line": study.annotation_pack(annotators).to_text().rstrip("\n")}


EXPORT = Export(
    "annotations",
    "pack",
    SUFFIX,
    "All annotations, to merge them into another copy of the study.",
    annotation_lines,
    is_plain=True,
)
