"""Read-only studies: on read-only media, in a read-only folder, or without permission.

SQLite must write next to a study even to read it, unless it is opened as immutable; then the write-ahead log
is ignored. So a study with a log or of an older version is read from a private copy.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine

from core.domain.study import Annotator
from core.errors import InputError
from storage.database import study_database
from storage.database.engine import immutable_engine, reading_engine
from storage.database.upgrade import upgrade_study
from storage.database.writer import Priority, WriteJob

T = TypeVar("T")


class ReadOnlyStudy(InputError):
    """A read-only study cannot be changed."""


def reason_of(path: Path) -> str:
    """Return why a study is read-only, with the remedy; empty = it can be written."""
    try:
        if not path.is_file():
            return ""  # opening it reports that
    except OSError:
        return ""
    target = path.resolve()
    if not os.access(target, os.W_OK):
        why = "the file is read-only, or you have no permission to write it"
    elif not os.access(target.parent, os.W_OK):
        why = f"the folder {target.parent} is read-only, or you have no permission to write there"
    else:
        return ""
    return (
        f"{path.name} is open read-only: {why}. To change it, copy it to a writable folder and open the copy."
    )


@contextmanager
def private_copy(path: Path) -> Iterator[Path]:
    """Provide a copy of a study with its log in a temporary folder."""
    folder = _copied(path)
    try:
        yield folder / path.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ReadOnlyWriter:
    """Replacement for the writer of a read-only study; refuses every change. engine: reads the study."""

    def __init__(self, reason: str, engine: Engine) -> None:
        self.reason, self.engine = reason, engine

    def submit(self, work: WriteJob[T], priority: Priority) -> Future[T]:
        """Return a Future that fails with the reason."""
        future: Future[T] = Future()
        future.set_exception(ReadOnlyStudy(self.reason))
        return future

    def flush(self, timeout: float | None = None) -> None:
        """Do nothing, as nothing is ever queued."""

    def check_files(self) -> None:
        """Raise InputError where the study cannot be read any longer as it was opened."""

    def saw_others(self) -> bool:
        """Return whether others have changed the study since the last call."""
        return False

    def close(self, timeout: float) -> bool:
        """Release what reading needs. Returns whether that was done within `timeout` seconds."""
        return True


class ReadOnlyFile(ReadOnlyWriter):
    """A read-only study file; it is read from a private copy if it has a log or an older version.

    Raises what opening a study raises.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self._path, self._state = path, _state(path)
        self._folder: Path | None = None
        if _has_log(path) or not is_current(path):
            self._folder = _copied(path)
            try:
                upgrade_study(self._folder / path.name)
            except BaseException:
                self.close(0.0)
                raise
            engine = reading_engine(self._folder / path.name)
        else:
            engine = immutable_engine(path)
        super().__init__(reason, engine)

    def check_files(self) -> None:
        """Raise InputError where the study was changed or removed, as a read-only study cannot be locked."""
        if self._folder is None and _state(self._path) != self._state:
            raise InputError(
                f"{self._path.name} was changed, replaced or removed while it was open read-only. "
                "Open it again."
            )

    def close(self, timeout: float) -> bool:
        """Remove the private copy."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        return True


def transient_annotator(known: Annotator | None, name: str, group: str) -> Annotator:
    """Return the known annotator, or a new one that is not stored."""
    return known or Annotator("0" * 32, name, group)


def _copied(path: Path) -> Path:
    """Copy a study and its log into a new temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="pyramidion-"))
    try:
        for place in (path, _log(path)):
            if place.exists():
                shutil.copyfile(place, folder / place.name)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(
            f"{path} cannot be copied to {folder.parent} for reading ({error.strerror}). Free some space "
            "there, or copy the study to a writable folder."
        ) from error
    return folder


def is_current(path: Path) -> bool:
    """Return whether a study has the current version. Raises InputError or StudyDamaged."""
    with study_database.map_errors(path), closing(study_database.connect_immutable(path)) as connection:
        return study_database.checked_version(connection, path) == study_database.versions()[-1]


def _has_log(path: Path) -> bool:
    """Return whether there is a write-ahead log, by changes or another program that has the study open."""
    return _log(path).exists()


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _state(path: Path) -> Any:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, _log(path).exists()
