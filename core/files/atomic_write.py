"""Atomic writing of files and folders that never overwrites a study."""

from __future__ import annotations

import io
import logging
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from core.errors import InputError
from core.files.guarded_files import guarded_files
from core.files.paths import access_errors, ensure_folder, is_within

log = logging.getLogger(__name__)

STANDARD_OUTPUT = Path("-")
"""Value of -o for standard output."""

_DATABASE = b"SQLite format 3\x00"
"""First bytes of every study."""


@contextmanager
def atomic_open(path: Path) -> Iterator[TextIO]:
    """Open a text file for writing in UTF-8 that gets its name only when it is complete.

    `STANDARD_OUTPUT` is written directly. A link stays a link and its target is replaced; a device or a pipe,
    such as ``/dev/stdout``, is written directly.
    Raises InputError if the path is a folder or a study, or cannot be written.
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
        # A unique name: two programs may write one file at once, and the last one wins.
        part = target.with_name(f".{uuid4().hex}.part")
        try:
            with part.open("w", encoding="utf-8", newline="") as file:
                yield file
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except BrokenPipeError:
        raise  # the reader closed the pipe
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Choose another place.") from error


def atomic_write_bytes(path: Path, content: bytes) -> None:
    """Write a binary file under the conditions of `atomic_open`."""
    with atomic_open(path) as file:
        file.buffer.write(content)


def write_cached(path: Path, content: bytes) -> None:
    """Write a file of the cache folder; one that can't be written is logged, as it is computed again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write_bytes(path, content)
    except (OSError, InputError) as error:
        log.warning("could not store %s: %s", path, error)


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """Open a temporary folder that becomes `folder` when everything in it is complete.

    If `folder` exists, the files move into it one by one, each atomically; other files there stay. If
    anything fails before, `folder` is unchanged.
    Raises InputError if it is a file, if a file would replace a study or a folder, if a folder in it is a
    link that leads elsewhere, or if it cannot be written.
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
            with suppress(OSError):  # what prevented writing may prevent this too
                shutil.rmtree(part)
    except InputError as error:  # of a file in it
        raise InputError(str(error).replace(str(part), str(folder))) from error
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be written: {error.strerror}. Free some space or choose another one."
        ) from error


def check_folder(folder: Path) -> None:
    """Raise InputError if a folder could not be created. Call this before long work."""
    with access_errors(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. Name a folder.")
        if not folder.parent.is_dir():
            raise InputError(f"The folder {folder.parent} does not exist. Create it or choose another one.")


def _merge(part: Path, folder: Path) -> None:
    """Move every file of a folder to its place in another folder on the same disk."""
    files = sorted(path for path in part.rglob("*") if path.is_file())
    places = [folder / path.relative_to(part) for path in files]
    folders = [folder / below for below in sorted(p.relative_to(part) for p in part.rglob("*") if p.is_dir())]
    inside = folder.resolve()
    for place in folders:
        if not is_within(place, inside):
            raise InputError(
                f"{place} is a link to another folder, where files could be replaced. Remove the link, or "
                "choose another folder."
            )
    for place in folders:
        place.mkdir(exist_ok=True)
    for place in places:
        check_writable(place)  # all of them before the first is replaced
    for path, place in zip(files, places, strict=True):
        path.replace(place)


def check_writable(path: Path) -> None:
    """Raise InputError if a file could not be written or would replace a study or a folder.

    Call this before long work.
    """
    if path == STANDARD_OUTPUT:
        return
    with access_errors(path):
        if not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: its folder does not exist. Create it first.")
        if path.is_dir():
            raise InputError(f"{path} is a folder. Name a file in it.")
        if path.is_file() and _begins_as_study(path):
            raise InputError(f"{path} is a study, which may not be overwritten. Choose another name.")


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Open standard output in UTF-8, whatever the terminal's encoding. Raises InputError if it is full."""
    try:
        sys.stdout.flush()
        file = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
        try:
            yield file
            file.flush()
        finally:
            file.detach()
    except BrokenPipeError:
        raise  # the reader closed the pipe
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
        return False  # writing it will report the reason
