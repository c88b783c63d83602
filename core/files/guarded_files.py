"""Protection of the files of an open study against being opened by Python code.

On POSIX systems a process that closes any handle to a file loses all its locks on that file, including
SQLite's.
Imports, indexes, models and resources are files that users choose, and a user may choose an open study. So
every `open` of Python code, here and in libraries, is checked against this list by an audit hook.
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
    """Files that only SQLite may open."""

    def __init__(self) -> None:
        self._files: frozenset[Identity] = frozenset()
        self._has_hook = False

    def add(self, files: Iterable[Identity]) -> None:
        """Refuse to open these files from now on."""
        self._files |= frozenset(files)
        if not self._has_hook:
            self._has_hook = True

            def audit(event: str, arguments: tuple[object, ...]) -> None:
                if event == "open" and self._files and isinstance(arguments[0], str | bytes | os.PathLike):
                    self._refuse(arguments[0])

            # Cannot be removed; has no effect without files. Qt's classes raise thousands of events a page: a
            # function takes a third of the time of a bound method for each.
            sys.addaudithook(audit)

    def remove(self, files: Iterable[Identity]) -> None:
        """Allow opening these files again."""
        self._files -= frozenset(files)

    def check(self, path: Path) -> None:
        """Raise InputError if a path leads to one of the files."""
        if self._files:
            self._refuse(path)

    def is_guarded(self, path: Path) -> bool:
        """Return whether a path leads to one of the files."""
        return bool(self._files) and self._has(path)

    def _refuse(self, path: str | bytes | os.PathLike[str]) -> None:
        if self._has(path):
            raise InputError(
                f"{Path(os.fsdecode(path)).name} belongs to a study that is open. Close the study first, or "
                "choose another file. Use an export to get data out of a study."
            )

    def _has(self, path: str | bytes | os.PathLike[str]) -> bool:
        try:
            status = Path(os.fsdecode(path)).stat()
        except (OSError, ValueError):
            return False
        return (status.st_dev, status.st_ino) in self._files


guarded_files = GuardedFiles()
"""The files of every study that is open in this process."""
