"""The writer's connection to a study file: locks, checks of the files, the write-ahead log."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from core.errors import PyramidionError, StudyDamaged, StudyLost
from storage.database import engine
from storage.database.file_guard import guard_of
from storage.database.open_files import OpenFiles
from storage.database.side_files import set_stamp
from storage.database.study_database import is_corruption
from storage.database.writer import WriteJob, WriteResult

T = TypeVar("T")

_CLOSING_SECONDS = 1.0
"""Maximum time that closing waits for another writing process; after that, the log stays, without loss."""


class FileSession:
    """Writes to a study file; implements `WriteSession`.

    path: of the study, None = a database whose files are not checked.
    """

    def __init__(self, engine: Engine, path: Path | None = None) -> None:
        self._engine = engine
        self.connection = engine.connect()
        self._guard = guard_of(self._driver())
        try:
            if self._guard is not None:
                self._driver().execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
                self._guard.hold()
        except BaseException:
            self.connection.close()
            engine.dispose()
            raise
        self._files = OpenFiles(path, self._guard) if path is not None else None
        self._watch = _Watch(self.connection)

    @property
    def lacks_locks(self) -> bool:
        """Return whether the file system lacks the locks that protect the log from other processes."""
        return self._guard is not None and self._guard.lacks_locks

    @property
    def needs_check(self) -> bool:
        return self._files is not None and self._files.needs_check

    def lost(self, waiting: int) -> StudyLost | None:
        return self._files.lost if self._files is not None else None

    def look_for_others(self) -> None:
        if not self.connection.closed:
            self._watch.look()

    def take_others(self) -> bool:
        return self._watch.take()

    def give_up(self) -> None:
        """Do nothing, as writing to a file waits for a limited time only."""

    def transaction(self, work: WriteJob[T]) -> WriteResult[T]:
        with self._writing(engine.BUSY_SECONDS):
            self._look()
            with self.connection.begin():
                self._watch.look()
                driver = self._driver()
                changes = getattr(driver, "total_changes", 0)
                written = work(self.connection)
                if self._guard is not None and driver.total_changes != changes:
                    set_stamp(driver)
            self._look()
        return written

    def close(self, reported: str) -> StudyLost | None:
        try:
            with self._writing(_CLOSING_SECONDS):
                self._look()
                self._watch.checkpoint()
        except StudyLost as lost:
            self._abandon()
            if self._files is not None and str(lost) != reported:
                return self._files.on_closing(lost)
        except sqlite3.Error:
            self._abandon()
        else:
            self.connection.close()
            self._engine.dispose()
        return None

    def _abandon(self) -> None:
        """Close without moving the log into the file, which may be another one by now."""
        with ExitStack() as reader:
            if self._guard is not None and not self._guard.can_lock:
                # SQLite moves the log when the last connection closes; this last one cannot write.
                reader.callback(self._guard.reader().close)
            self.connection.close()
            self._engine.dispose()

    def mapped_error(self, error: Exception) -> Exception:
        if isinstance(error, OSError):
            return _not_written(error.strerror or str(error))
        cause = str(error.orig if isinstance(error, DBAPIError) else error)
        if "locked" in cause or "busy" in cause:
            return PyramidionError(_LOCKED)
        if any(sign in cause for sign in ("disk is full", "disk I/O", "readonly", "unable to open")):
            return _not_written(cause)
        if is_corruption(cause):
            return StudyDamaged(
                f"The study is damaged ({cause}). The change was not saved. `pyramidion validate` "
                "lists the damage; `pyramidion restore` restores a backup."
            )
        return error

    def _writing(self, seconds: float) -> AbstractContextManager[None]:
        return nullcontext() if self._guard is None else self._guard.writing(seconds)

    def _look(self) -> None:
        if self._files is not None:
            self._files.look(self._driver())

    def _driver(self) -> Any:
        """Return the driver's connection."""
        return self.connection.connection.driver_connection


class _Watch:
    """Detection of commits by other processes, and checkpoints, outside of SQLAlchemy's transactions.

    On one connection, PRAGMA data_version changes only by commits of other connections.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._version = self._read()
        self._others = False

    def look(self) -> None:
        version = self._read()
        if version != self._version:
            self._version, self._others = version, True

    def take(self) -> bool:
        others, self._others = self._others, False
        return others

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, as far as possible without waiting for readers.

        If the file cannot be written, the log stays, without loss.
        """
        with suppress(sqlite3.DatabaseError):  # also damage, which is reported on reading
            self._pragma("wal_checkpoint(PASSIVE)")

    def _read(self) -> int:
        return self._pragma("data_version")

    def _pragma(self, pragma: str) -> int:
        cursor = self._connection.connection.cursor()  # the driver's cursor begins no transaction
        try:
            cursor.execute(f"PRAGMA {pragma}")
            answer, *_ = cursor.fetchone() or (0,)
            return int(answer)
        finally:
            cursor.close()


_LOCKED = "The study could not be written: another program keeps it locked. Close it there and try again."


def _not_written(cause: str) -> PyramidionError:
    return PyramidionError(
        f"The study could not be written ({cause}). Nothing was changed. Free some disk space or check "
        "the permissions of the file, then try again."
    )
