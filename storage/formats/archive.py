"""Files in a folder or a zip archive, read within limits; nothing is extracted to the disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from core.errors import InputError
from core.files.paths import list_files, printable_path
from storage.formats.readers.fields import LONGEST_LINE, Problems, opened
from storage.formats.readers.text_files import is_inside
from storage.formats.readers.usage import current

MOST_MEMBERS = 20_000
MOST_RATIO = 200
"""Maximum ratio of a member's size to its compressed size; texts reach about 20."""

_MOST_NESTED = 2
_SMALL = 2**20
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)


def has_members(path: Path, takes: Callable[[str], bool]) -> bool:
    """Return whether a file is a zip archive with a file whose name is taken."""
    try:
        with opened(path) as file, zipfile.ZipFile(file) as archive:
            return any(map(takes, archive.namelist()))
    except (InputError, *_DAMAGED):
        return False  # the reader reports the error


def read_files(path: Path, takes: Callable[[str], bool], problems: Problems) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of files below a folder, in an archive, or of the file itself.

    takes: whether a file of this name is read. Archives within an archive or folder are read too, two levels
    deep. Raises BadImport if an archive is damaged or not safe.
    """
    if not path.is_dir():
        content = _content(path, problems)
        if content.startswith(b"PK\x03\x04"):
            yield from _members("", content, takes, problems, 0)
        else:
            yield path.name, content
        return
    inside = path.resolve()
    for file in list_files(path):
        name = file.relative_to(path).as_posix()
        is_archive = name.lower().endswith(".zip")
        problems.place = name
        if (takes(name) or is_archive) and is_inside(file, inside, problems):
            content = _content(file, problems)
            if is_archive:
                yield from _members(f"{name}/", content, takes, problems, 1)
            else:
                yield name, content


def _content(path: Path, problems: Problems) -> bytes:
    with opened(path) as source:
        content: bytes = source.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        _refuse(
            problems, printable_path(path.name), f"The file is larger than {LONGEST_LINE >> 20} MB.", _SPLIT
        )
    problems.memory.check(2 * len(content))
    return content


_SPLIT = "Export fewer documents at a time."
_AGAIN = "Export or download it again."


def _members(
    prefix: str, content: bytes, takes: Callable[[str], bool], problems: Problems, depth: int
) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > MOST_MEMBERS:
                _refuse(problems, prefix, f"The archive has more than {MOST_MEMBERS:,} files.", _SPLIT)
            for member in members:
                name = f"{prefix}{member.filename}"
                is_archive = name.lower().endswith(".zip")
                if member.is_dir():
                    continue
                if not (takes(name) or is_archive):
                    current().leave(name)
                    continue
                _check(member, name, problems)
                with archive.open(member) as file:
                    inner = file.read(member.file_size + 1)
                if len(inner) > member.file_size:
                    _refuse(problems, name, "It is larger than the archive states.", _AGAIN)
                if is_archive and depth < _MOST_NESTED:
                    yield from _members(f"{name}/", inner, takes, problems, depth + 1)
                elif is_archive:
                    _refuse(problems, name, "Archives are nested too deeply.", "Unpack it first.")
                else:
                    yield name, inner
    except _DAMAGED as error:
        _refuse(problems, prefix.rstrip("/"), f"The archive is damaged or incomplete ({error}).", _AGAIN)


def _check(member: zipfile.ZipInfo, name: str, problems: Problems) -> None:
    """Refuse a member that is not safe to read."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts:
        _refuse(problems, name, "Its name leads out of the archive.", "Remove it from the archive.")
    if member.flag_bits & 1:
        _refuse(problems, name, "It is encrypted.", "Unpack the archive, and import the folder.")
    size = member.file_size
    if size > LONGEST_LINE or (size > _SMALL and size > MOST_RATIO * max(member.compress_size, 1)):
        _refuse(problems, name, f"It unpacks to {size:,} bytes, more than a text has.", _SPLIT)
    problems.memory.check(2 * size)


def _refuse(problems: Problems, place: str, what: str, remedy: str) -> None:
    problems.place = place
    problems.add("", what, remedy)
    problems.stop_if_any()
