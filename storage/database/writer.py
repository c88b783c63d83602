"""Writer thread of a study: one short transaction per write, edits first."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from pathlib import Path
from queue import PriorityQueue
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from core.errors import InputError, PyramidionError, StudyDamaged, StudyLost
from core.ports import ChangeSet
from storage.database import engine
from storage.database.file_guard import guard_of
from storage.database.open_files import OpenFiles
from storage.database.side_files import set_stamp
from storage.database.study_database import is_corruption

T = TypeVar("T")

_CLOSING_SECONDS = 1.0
"""Maximum time that closing waits for another writing process; after that, the log stays, without loss."""


class Priority(IntEnum):
    """Priority of a waiting write."""

    EDIT = 0
    IMPORT = 1
    SCORES = 2
    LAST = 3


@dataclass(frozen=True, slots=True)
class WriteResult(Generic[T]):
    """Result of a write. answer: for the caller. changes: for listeners."""

    answer: T
    changes: ChangeSet


WriteJob = Callable[[Connection], WriteResult[T]]
"""A write; it runs in its own transaction, which is rolled back if it raises."""


@dataclass(order=True, slots=True)
class _Task:
    priority: Priority
    number: int
    work: WriteJob[Any] = field(compare=False)
    future: Future[Any] = field(compare=False)


class Writer:
    """Run writes one after another on a separate thread and connection.

    When a Future is done, its transaction is stored on disk.
    announce: called on the writer's thread after each write that changed something; must not raise.
    path: of the study, None = a database without files.
    """

    def __init__(
        self, engine: Engine, announce: Callable[[ChangeSet], None], path: Path | None = None
    ) -> None:
        self._engine = engine
        self._announce = announce
        self._connection = engine.connect()
        self._guard = guard_of(self._driver())
        try:
            if self._guard is not None:
                self._driver().execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
                self._guard.hold()
        except BaseException:
            self._connection.close()
            engine.dispose()
            raise
        self.files = OpenFiles(path, self._guard) if path is not None else None
        self._tasks: PriorityQueue[_Task] = PriorityQueue()
        self._numbers = count()
        self._gate = threading.Lock()  # held while the connection is in use
        self._closing = threading.Lock()  # held while a task is queued, so that none follows the last one
        self._is_closed = False
        self._reported = ""  # the last loss of files that was raised to a caller
        self._lost_on_closing: StudyLost | None = None
        self._watch = _Watch(self._connection)
        self._thread = threading.Thread(target=self._run, name="study-writer", daemon=True)
        self._thread.start()

    def submit(self, work: WriteJob[T], priority: Priority) -> Future[T]:
        """Queue a write. Raises InputError once the study is closed."""
        future: Future[T] = Future()
        with self._closing:
            if self._is_closed:
                raise InputError("The study is closed. Open it again to change it.")
            self._tasks.put(_Task(priority, next(self._numbers), work, future))
        return future

    def flush(self, timeout: float | None = None) -> None:
        """Wait until all queued writes are stored. Raises TimeoutError."""
        self.submit(lambda _: WriteResult(None, ChangeSet(frozenset())), Priority.LAST).result(timeout)

    @property
    def lacks_locks(self) -> bool:
        """Return whether the file system lacks the locks that protect the log from other processes."""
        return self._guard is not None and self._guard.lacks_locks

    def check_files(self) -> None:
        """Raise StudyLost where the study's files are not the ones that were opened.

        Never waits: the error is raised once the writer's thread has written a rescue copy.
        """
        if self.files is None or not self.files.needs_check:
            return
        if self.files.lost is not None:
            self._reported = str(self.files.lost)
            raise self.files.lost
        with suppress(InputError):  # the study is closed
            self.submit(_nothing_new, Priority.EDIT)

    def saw_others(self) -> bool:
        """Return whether another process has committed since the last call; never waits."""
        if self._gate.acquire(blocking=False):
            try:
                if not self._connection.closed:
                    self._watch.look()
            finally:
                self._gate.release()
        return self._watch.take()

    def close(self, timeout: float) -> bool:
        """Finish queued writes and end the thread. Returns whether that was done within `timeout` seconds.

        Raises StudyLost, once, where the files were moved, deleted or replaced and this was not reported yet.
        """
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._tasks.put(_Task(Priority.LAST, next(self._numbers), _nothing, Future()))
        self._thread.join(timeout)
        lost, self._lost_on_closing = self._lost_on_closing, None
        if lost is not None:
            raise lost
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            task = self._tasks.get()
            if task.work is _nothing:
                break
            if task.future.set_running_or_notify_cancel():
                self._execute(task)
        with self._gate:
            try:
                with self._writing(_CLOSING_SECONDS):
                    self._look()
                    self._watch.checkpoint()
            except StudyLost as lost:
                if self.files is not None and str(lost) != self._reported:
                    self._lost_on_closing = self.files.on_closing(lost)
                self._abandon()
            except sqlite3.Error:
                self._abandon()
            else:
                self._connection.close()
                self._engine.dispose()

    def _abandon(self) -> None:
        """Close without moving the log into the file, which may be another one by now."""
        with ExitStack() as reader:
            if self._guard is not None and not self._guard.can_lock:
                # SQLite moves the log when the last connection closes; this last one cannot write.
                reader.callback(self._guard.reader().close)
            self._connection.close()
            self._engine.dispose()

    def _execute(self, task: _Task) -> None:
        try:
            with self._gate:
                written = self._transaction(task.work)
        except (DBAPIError, sqlite3.Error) as error:
            task.future.set_exception(_mapped_error(error))
        except OSError as error:
            task.future.set_exception(_not_written(error.strerror or str(error)))
        except StudyLost as lost:
            if task.work is not _nothing_new:  # `check_files` raises it next time
                self._reported = str(lost)
            task.future.set_exception(lost)
        except BaseException as error:  # noqa: BLE001 - passed on through the Future
            task.future.set_exception(error)
        else:
            task.future.set_result(written.answer)
            if written.changes.kinds:
                self._announce(written.changes)

    def _transaction(self, work: WriteJob[T]) -> WriteResult[T]:
        with self._writing(engine.BUSY_SECONDS):
            self._look()
            with self._connection.begin():
                self._watch.look()
                driver = self._driver()
                changes = getattr(driver, "total_changes", 0)
                written = work(self._connection)
                if self._guard is not None and driver.total_changes != changes:
                    set_stamp(driver)
            self._look()
        return written

    def _writing(self, seconds: float) -> AbstractContextManager[None]:
        return nullcontext() if self._guard is None else self._guard.writing(seconds)

    def _look(self) -> None:
        if self.files is not None:
            self.files.look(self._driver())

    def _driver(self) -> Any:
        """Return the driver's connection."""
        return self._connection.connection.driver_connection


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
        if self._connection.dialect.name != "sqlite":
            return 0
        cursor = self._connection.connection.cursor()  # the driver's cursor begins no transaction
        try:
            cursor.execute(f"PRAGMA {pragma}")
            answer, *_ = cursor.fetchone() or (0,)
            return int(answer)
        finally:
            cursor.close()


def _nothing_new(connection: Connection) -> WriteResult[None]:
    return WriteResult(None, ChangeSet(frozenset()))


def _nothing(connection: Connection) -> WriteResult[None]:
    return WriteResult(None, ChangeSet(frozenset()))


_LOCKED = "The study could not be written: another program keeps it locked. Close it there and try again."


def _mapped_error(error: DBAPIError | sqlite3.Error) -> Exception:
    """Map errors with external causes to PyramidionError; other database errors are bugs and unchanged."""
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


def _not_written(cause: str) -> PyramidionError:
    return PyramidionError(
        f"The study could not be written ({cause}). Nothing was changed. Free some disk space or check "
        "the permissions of the file, then try again."
    )
