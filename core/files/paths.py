"""Access to files and folders that users name, with errors as sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from core.errors import InputError
from core.progress import JobSteps, Progress, raise_if_cancelled, run_to_completion


def printable_path(path: str | os.PathLike[str]) -> str:
    """Return a path for messages and storage, with unprintable and invalid characters escaped."""
    text = os.fspath(path)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in text)


def escape_control_characters(text: str) -> str:
    """Return a text with control characters and lone surrogates escaped."""
    return _CONTROL.sub(lambda match: _escaped(match[0]), text)


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def _escaped(sign: str) -> str:
    byte = ord(sign) - 0xDC00  # how Python represents a byte of a file name that is not UTF-8
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else sign.encode("unicode_escape").decode("ascii")


@contextmanager
def access_errors(path: Path) -> Iterator[None]:
    """Raise InputError if the file system denies access within the block."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{printable_path(path)} cannot be accessed: {error.strerror}. Check the path and your "
            "permissions for the folders above it."
        ) from error


def path_exists(path: Path) -> bool:
    """Return whether a path exists and is accessible."""
    try:
        return path.exists()
    except OSError:
        return False


_listings: ContextVar[Mapping[Path, Sequence[Path]]] = ContextVar("listings", default=MappingProxyType({}))
_FILES_AT_ONCE = 200


@contextmanager
def known_files(folder: Path, files: Sequence[Path]) -> Iterator[None]:
    """Let `list_files` return these files of a folder within the block, without reading it again."""
    before = _listings.set({folder: files})
    try:
        yield
    finally:
        _listings.reset(before)


def list_files(folder: Path) -> list[Path]:
    """Return every file below a folder, sorted; links to folders are not followed.

    Raises InputError if a folder cannot be read, rather than leaving out its files silently; Cancelled if
    the job of this thread was cancelled.
    """
    known = _listings.get().get(folder)
    return list(known) if known is not None else run_to_completion(list_file_steps(folder))


def list_file_steps(folder: Path) -> JobSteps[list[Path]]:
    """Return what `list_files` returns; yields progress while a large folder is read."""
    found: list[Path] = []
    folders, seen = [os.fspath(folder)], 0
    while folders:
        place = folders.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.is_file():
                        found.append(Path(entry.path))
                    seen += 1
                    if seen % _FILES_AT_ONCE == 0:
                        raise_if_cancelled()
                        note = f"reading the folder {printable_path(folder.name)}, {seen:,} files"
                        yield Progress(0, 0, note)
        except OSError as error:
            raise InputError(
                f"{printable_path(place)} cannot be read: {error.strerror}. Check your permissions for it."
            ) from error
    return sorted(found)


def is_within(file: Path, folder: Path) -> bool:
    """Return whether a file is in a folder or below it, after resolving links.

    folder: resolved.
    Raises InputError if links form a loop.
    """
    try:
        return file.resolve().is_relative_to(folder)
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{printable_path(file)} cannot be accessed: its symbolic links form a loop. Remove it."
        ) from error


def ensure_folder(folder: Path) -> None:
    """Create a folder and its parents where missing. Raises InputError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be created: {error.strerror}. Choose another place."
        ) from error
