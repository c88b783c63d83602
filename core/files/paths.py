"""Access to files and folders that users name, with errors as sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from core.errors import InputError


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


def list_files(folder: Path) -> list[Path]:
    """Return every file below a folder, sorted; links to folders are not followed.

    Raises InputError if a folder cannot be read, rather than leaving out its files silently.
    """
    match = (
        Path(place, name) for place, _, names in os.walk(folder, onerror=_refuse_folder) for name in names
    )
    with access_errors(folder):
        return sorted(file for file in match if file.is_file())


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


def _refuse_folder(error: OSError) -> NoReturn:
    raise InputError(
        f"{printable_path(str(error.filename))} cannot be read: {error.strerror}. "
        "Check your permissions for it."
    ) from error
