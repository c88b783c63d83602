"""The one thread that writes to a study: edits before anything else, one short transaction each."""

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
"""How long closing waits for another process that writes; after that the log stays, and loses nothing."""


class Priority(IntEnum):
    """What goes first when several writes wait."""

    EDIT = 0
    IMPORT = 1
    SCORES = 2
    LAST = 3


@dataclass(frozen=True, slots=True)
class WriteResult(Generic[T]):
    """What a write answers to whoever asked for it, and what it changed for everybody else."""

    answer: T
    changes: ChangeSet


WriteJob = Callable[[Connection], WriteResult[T]]
"""A write: runs inside a transaction of its own; raising takes it all back."""


@dataclass(order=True, slots=True)
class _Task:
    priority: Priority
    number: int
    work: WriteJob[Any] = field(compare=False)
    future: Future[Any] = field(compare=False)


class Writer:
    """Runs writes one after another on its own thread and connection.

    A Future that is done means that its transaction is on the disk, in the files that whoever opens the study
    reads. `announce` is called after each write that changed something, on the writer's thread; it must not
    raise. path: the study's, None = a database without files.
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
        self._closing = threading.Lock()  # held while a task is queued, so that none comes after the last
        self._is_closed = False
        self._reported = ""  # the last loss of the files that a caller was shown
        self._lost_on_closing: StudyLost | None = None
        self._watch = _Watch(self._connection)
        self._thread = threading.Thread(target=self._run, name="study-writer", daemon=True)
        self._thread.start()

    def submit(self, work: WriteJob[T], priority: Priority) -> Future[T]:
        """Queue a write. Raises InputError once the study is closed."""
        future: Future[T] = Future()
        with self._closing:
            if self._is_closed:
                raise InputError("The study is closed; open it again to change it.")
            self._tasks.put(_Task(priority, next(self._numbers), work, future))
        return future

    def flush(self, timeout: float | None = None) -> None:
        """Wait until everything queued so far is on the disk. Raises TimeoutError."""
        self.submit(lambda _: WriteResult(None, ChangeSet(frozenset())), Priority.LAST).result(timeout)

    @property
    def lacks_locks(self) -> bool:
        """Whether the file system lacks the locks that protect the log from other processes."""
        return self._guard is not None and self._guard.lacks_locks

    def check_files(self) -> None:
        """Raise StudyLost where the study's files are not the ones that were opened.

        Never waits: the writer's thread writes a rescue copy first, and only then there is an error to raise.
        """
        if self.files is None or not self.files.must_look:
            return
        if self.files.lost is not None:
            self._reported = str(self.files.lost)
            raise self.files.lost
        with suppress(InputError):  # the study is closed
            self.submit(_nothing_new, Priority.EDIT)

    def saw_others(self) -> bool:
        """Whether another process has committed since the last call; never waits for a write in progress."""
        if self._gate.acquire(blocking=False):
            try:
                if not self._connection.closed:
                    self._watch.look()
            finally:
                self._gate.release()
        return self._watch.take()

    def close(self, timeout: float) -> bool:
        """Finish what is queued, then end the thread; whether that was done in time (seconds).

        Raises StudyLost, once, where the files were moved, deleted or replaced and no caller knows it yet.
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
                self._do(task)
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
        """Close without moving the log into the file, which may be that of others by now."""
        with ExitStack() as reader:
            if self._guard is not None and not self._guard.can_lock:
                # SQLite moves it only where no connection is left; the last one here cannot write.
                reader.callback(self._guard.reader().close)
            self._connection.close()
            self._engine.dispose()

    def _do(self, task: _Task) -> None:
        try:
            with self._gate:
                written = self._transaction(task.work)
        except (DBAPIError, sqlite3.Error) as error:
            task.future.set_exception(_in_words(error))
        except OSError as error:
            task.future.set_exception(_not_written(error.strerror or str(error)))
        except StudyLost as lost:
            if task.work is not _nothing_new:  # `check_files` raises it next time
                self._reported = str(lost)
            task.future.set_exception(lost)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the Future gets it
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
        """The driver's own connection."""
        return self._connection.connection.driver_connection


class _Watch:
    """What SQLite alone can tell and do, past SQLAlchemy: it neither begins nor ends a transaction.

    It notices commits of other processes: on one connection, PRAGMA data_version moves for those alone.
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
        """Move what is in the write-ahead log into the file, as far as readers allow without waiting.

        Where the file may not be written now, the log stays beside it and loses nothing.
        """
        with suppress(sqlite3.DatabaseError):  # damage too: whoever reads it reports that
            self._pragma("wal_checkpoint(PASSIVE)")

    def _read(self) -> int:
        return self._pragma("data_version")

    def _pragma(self, pragma: str) -> int:
        if self._connection.dialect.name != "sqlite":
            return 0
        cursor = self._connection.connection.cursor()  # the driver's own: it begins no transaction
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


_LOCKED = "The study could not be written: another program keeps it locked. Close it there, then try again."


def _in_words(error: DBAPIError | sqlite3.Error) -> Exception:
    """A sentence for what the surroundings can cause; every other database error is a bug and stays."""
    cause = str(error.orig if isinstance(error, DBAPIError) else error)
    if "locked" in cause or "busy" in cause:
        return PyramidionError(_LOCKED)
    if any(sign in cause for sign in ("disk is full", "disk I/O", "readonly", "unable to open")):
        return _not_written(cause)
    if is_corruption(cause):
        return StudyDamaged(
            f"The study is damaged ({cause}). The change was not kept; `pyramidion validate` says more, and "
            "opening it again what to open instead."
        )
    return error


def _not_written(cause: str) -> PyramidionError:
    return PyramidionError(
        f"The study could not be written ({cause}). Nothing was changed; free some space or check that the "
        "file may be written, then try again."
    )
