"""Studies that cannot be written: on read-only media, in a read-only folder, or without permission.

SQLite must write next to a study even to read it, unless it is opened as immutable: then it ignores the
write-ahead log. So a study with a log, or of an older version, is read from a private copy.
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

from core.domain.study import Annotator
from core.errors import InputError
from storage.database import study_database
from storage.database.engine import immutable_engine, reading_engine
from storage.database.upgrade import upgrade_study
from storage.database.writer import Priority, WriteJob

T = TypeVar("T")


class ReadOnlyStudy(InputError):
    """A study that is open for reading only cannot be changed."""


def reason_of(path: Path) -> str:
    """Return why a study can only be read, as a sentence with the remedy; empty = it can be written."""
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
        f"{path.name} is open for reading only: {why}. To change it, copy it to a folder that you can write "
        "to and open the copy."
    )


@contextmanager
def private_copy(path: Path) -> Iterator[Path]:
    """A copy of a study with its log in a temporary folder, which is removed at the end."""
    folder = _copied(path)
    try:
        yield folder / path.name
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ReadingOnly:
    """What stands for the writer of a study that cannot be written: it refuses every change.

    engine: reads the study, from a private copy where it has a log next to it or is of an older version.
    Raises what opening a study raises.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.reason = reason
        self._path, self._state = path, _state(path)
        self._folder: Path | None = None
        if _has_log(path) or not _is_present(path):
            self._folder = _copied(path)
            try:
                upgrade_study(self._folder / path.name)
            except BaseException:
                self.close(0.0)
                raise
            self.engine = reading_engine(self._folder / path.name)
        else:
            self.engine = immutable_engine(path)

    def submit(self, work: WriteJob[T], priority: Priority) -> Future[T]:
        """Return a Future that fails with the reason."""
        future: Future[T] = Future()
        future.set_exception(ReadOnlyStudy(self.reason))
        return future

    def flush(self, timeout: float | None = None) -> None:
        """Nothing is ever queued."""

    def check_files(self) -> None:
        """Raise InputError where the study was changed, or its folder taken away: nobody locks it for us."""
        if self._folder is None and _state(self._path) != self._state:
            raise InputError(
                f"{self._path.name} was changed, replaced or removed while it was open for reading only. "
                "Open it again."
            )

    def saw_others(self) -> bool:
        """Nobody else's writes can be seen; `check_files` reports them."""
        return False

    def close(self, timeout: float) -> bool:
        """Remove the private copy."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        return True


def transient_annotator(known: Annotator | None, name: str, group: str) -> Annotator:
    """Return the annotator of that name, or one who has no annotations and is not stored."""
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
            f"{path} cannot be read by a copy in {folder.parent} ({error.strerror}). Free some space there, "
            "or copy it to a folder that you can write to."
        ) from error
    return folder


def _is_present(path: Path) -> bool:
    """Whether a study is of the present version. Raises InputError or StudyDamaged where it is no study."""
    with study_database.map_errors(path), closing(study_database.connect_immutable(path)) as connection:
        return study_database.checked_version(connection, path) == study_database.versions()[-1]


def _has_log(path: Path) -> bool:
    """Whether changes lie in a write-ahead log, or somebody else has the study open."""
    return _log(path).exists()


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _state(path: Path) -> Any:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, _log(path).exists()
