"""Looking at files and folders that the user names: what forbids it is told in a sentence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from core.errors import InputError


def printable_path(path: str | os.PathLike[str]) -> str:
    """A path fit for messages and for storing: what is no character of UTF-8 or not printable is escaped."""
    text = os.fspath(path)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in text)


def escape_control_characters(text: str) -> str:
    """A sentence without control characters and halves of surrogate pairs; they are escaped."""
    return _CONTROL.sub(lambda found: _escaped(found[0]), text)


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def _escaped(sign: str) -> str:
    byte = ord(sign) - 0xDC00  # how Python represents a byte of a file's name that is not UTF-8
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else sign.encode("unicode_escape").decode("ascii")


@contextmanager
def access_errors(path: Path) -> Iterator[None]:
    """Raise InputError where what is asked of a path cannot be answered, as of one in a locked folder."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{printable_path(path)} cannot be accessed: {error.strerror}. Check the path and your "
            "permissions for the folders above it."
        ) from error


def path_exists(path: Path) -> bool:
    """Whether something is there that may be looked at."""
    try:
        return path.exists()
    except OSError:
        return False


def list_files(folder: Path) -> list[Path]:
    """Every file below a folder, sorted; links to folders are not followed.

    Raises InputError where a folder may not be read: what lies in it would be left out in silence.
    """
    found = (
        Path(place, name) for place, _, names in os.walk(folder, onerror=_refuse_folder) for name in names
    )
    with access_errors(folder):
        return sorted(file for file in found if file.is_file())


def is_within(file: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below it, links followed.

    folder: resolved. Raises InputError where links lead in a circle.
    """
    try:
        return file.resolve().is_relative_to(folder)
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{printable_path(file)} cannot be accessed: its symbolic links form a loop. Remove it."
        ) from error


def ensure_folder(folder: Path) -> None:
    """Make a folder with those above it, where they are not there. Raises InputError where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be made: {error.strerror}. Choose another place."
        ) from error


def _refuse_folder(error: OSError) -> NoReturn:
    raise InputError(
        f"{printable_path(str(error.filename))} cannot be read: {error.strerror}. Check your rights to it."
    ) from error
