"""Files and folders that appear whole or not at all, and never in the place of a study."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from core.errors import InputError
from core.files.guarded_files import guarded_files
from core.files.paths import access_errors, ensure_folder

STANDARD_OUTPUT = Path("-")
"""What -o takes for standard output."""

_DATABASE = b"SQLite format 3\x00"
"""How every study begins."""


@contextmanager
def atomic_open(path: Path) -> Iterator[TextIO]:
    """A text file to write in UTF-8 that takes its name only when it is complete.

    `STANDARD_OUTPUT` is written as it comes. A link stays one, what it points to is replaced; a device or a
    pipe, as ``/dev/stdout``, is written as it is. Raises InputError where there is a folder or a study, or
    where nothing can be written.
    """
    if path == STANDARD_OUTPUT:
        with _standard_output() as file:
            yield file
        return
    check_writable(path)
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="") as device:
                yield device
            return
        target = path.resolve()
        # Of a name that nobody else takes: two programs may write one file at once, and the last one stays.
        part = target.with_name(f".{uuid4().hex}.part")
        try:
            with part.open("w", encoding="utf-8", newline="") as file:
                yield file
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except BrokenPipeError:
        raise  # whoever read the pipe has seen enough
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place.") from error


def atomic_write_bytes(path: Path, content: bytes) -> None:
    """Write a file of bytes, as a picture, on the same conditions as `atomic_open`."""
    with atomic_open(path) as file:
        file.buffer.write(content)


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder to write into, which becomes `folder` when everything in it is complete.

    Where `folder` exists, the files take their places in it then, each whole; other files there stay. If
    anything fails before, `folder` is as it was. Raises InputError where it is a file, where a file would
    replace a study or a folder, or where nothing can be written.
    """
    with access_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. Name a folder.")
    ensure_folder(folder.parent)
    part = (folder if folder.exists() else folder.parent) / f".{uuid4().hex}.part"
    try:
        part.mkdir()
        try:
            yield part
            if folder.exists():
                _merge(part, folder)
            else:
                part.rename(folder)
        finally:
            with suppress(OSError):  # what hindered writing may hinder this too
                shutil.rmtree(part)
    except InputError as error:  # of a file in it
        raise InputError(str(error).replace(str(part), str(folder))) from error
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be written: {error.strerror}. Free some space or choose another one."
        ) from error


def check_folder(folder: Path) -> None:
    """Raise InputError where no folder of that name could be made. Long work asks this first."""
    with access_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. Name a folder.")
        if not folder.parent.is_dir():
            raise InputError(
                f"The folder {folder.parent} does not exist. Make it first or choose another one."
            )


def _merge(part: Path, folder: Path) -> None:
    """Move every file of a folder into its place in another one on the same disk."""
    files = sorted(path for path in part.rglob("*") if path.is_file())
    places = [folder / path.relative_to(part) for path in files]
    for below in sorted(path.relative_to(part) for path in part.rglob("*") if path.is_dir()):
        (folder / below).mkdir(exist_ok=True)
    for place in places:
        check_writable(place)  # of all, before the first is replaced
    for path, place in zip(files, places, strict=True):
        path.replace(place)


def check_writable(path: Path) -> None:
    """Raise InputError where a file could not be written or would replace what must stay.

    Long work asks this first, so that it is not done in vain.
    """
    if path == STANDARD_OUTPUT:
        return
    with access_errors(path):
        if not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: its folder does not exist. Make that first.")
        if path.is_dir():
            raise InputError(f"{path} is a folder. Name a file in it.")
        if path.is_file() and _begins_as_study(path):
            raise InputError(f"{path} is a study, which nothing may overwrite. Choose another name.")


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Standard output in UTF-8, whatever the terminal's encoding. Raises InputError where it is full."""
    try:
        sys.stdout.flush()
        file = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
        try:
            yield file
            file.flush()
        finally:
            file.detach()
    except BrokenPipeError:
        raise  # whoever read the pipe has seen enough
    except OSError as error:
        raise InputError(
            f"The result could not be written to standard output: {error.strerror}. Send it elsewhere."
        ) from error


def _begins_as_study(path: Path) -> bool:
    if guarded_files.is_guarded(path):
        return True  # opening it would drop its locks
    try:
        with path.open("rb") as file:
            return file.read(len(_DATABASE)) == _DATABASE
    except OSError:
        return False  # writing it will say why
