"""Looking at files and folders that the user names: what forbids it is told in a sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from core.errors import InputError


@contextmanager
def looking_at(path: Path) -> Iterator[None]:
    """Raise InputError where what is asked of a path cannot be answered, as of one in a locked folder."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path} cannot be looked at: {error.strerror}. Check the name, and your rights to the folders "
            "above it."
        ) from error


def is_there(path: Path) -> bool:
    """Whether something is there that may be looked at."""
    try:
        return path.exists()
    except OSError:
        return False


def files_below(folder: Path) -> list[Path]:
    """Every file below a folder, sorted; links to folders are not followed.

    Raises InputError where a folder may not be read: what lies in it would be left out in silence.
    """
    found = (
        Path(place, name) for place, _, names in os.walk(folder, onerror=_refuse_folder) for name in names
    )
    with looking_at(folder):
        return sorted(file for file in found if file.is_file())


def make_folder(folder: Path) -> None:
    """Make a folder with those above it, where they are not there. Raises InputError where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be made: {error.strerror}. Choose another place."
        ) from error


def _refuse_folder(error: OSError) -> NoReturn:
    raise InputError(
        f"{error.filename} cannot be read: {error.strerror}. Check your rights to it."
    ) from error
