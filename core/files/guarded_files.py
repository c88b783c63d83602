"""Keep the program from opening the files of a study that is open.

On POSIX systems a process that closes any handle to a file gives up all its locks on that file, those of
SQLite too. Imports, indexes, models and resources are files that users choose, and a user may choose an open
study. So every `open` of Python code, here and in libraries, asks this list first, through an audit hook.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from core.errors import InputError

Identity = tuple[int, int]
"""Device and inode of a file."""


class GuardedFiles:
    """The files that only SQLite may open."""

    def __init__(self) -> None:
        self._files: frozenset[Identity] = frozenset()
        self._is_asked = False

    def add(self, files: Iterable[Identity]) -> None:
        """Refuse to open these files from now on."""
        self._files |= frozenset(files)
        if not self._is_asked:
            self._is_asked = True
            sys.addaudithook(self._hear)  # cannot be removed; without files it does nothing

    def remove(self, files: Iterable[Identity]) -> None:
        """Allow to open these files again."""
        self._files -= frozenset(files)

    def check(self, path: Path) -> None:
        """Raise InputError where a path leads to one of the files."""
        if self._files:
            self._refuse(path)

    def is_guarded(self, path: Path) -> bool:
        """Whether a path leads to one of the files."""
        return bool(self._files) and self._has(path)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and self._files and isinstance(arguments[0], str | bytes | os.PathLike):
            self._refuse(arguments[0])

    def _refuse(self, path: str | bytes | os.PathLike[str]) -> None:
        if self._has(path):
            raise InputError(
                f"{Path(os.fsdecode(path)).name} belongs to a study that is open. Close the study first, or "
                "choose another file; what is in a study can be exported from it."
            )

    def _has(self, path: str | bytes | os.PathLike[str]) -> bool:
        try:
            found = Path(os.fsdecode(path)).stat()
        except (OSError, ValueError):
            return False
        return (found.st_dev, found.st_ino) in self._files


guarded_files = GuardedFiles()
"""The files of every study that is open in this process."""
