"""Writer thread of a study: one short transaction per write, edits first; waiting scores share one."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from itertools import count, groupby
from queue import Empty, PriorityQueue
from typing import Any, Generic, Protocol, Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from core.errors import InputError, StudyLost
from core.ports import ChangeSet

T = TypeVar("T")

MOST_TOGETHER = 256
"""Number of writes of scores in one transaction. An edit waits for one transaction at most."""

GATHERING_S = 0.05, 0.5
"""Least and most seconds after a transaction of scores in which further ones are gathered for the next.

In between: ten times as long as the transaction took, so that storing takes a tenth of the time.
"""


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


class JointJob(Protocol):
    """A write that costs less together with others of its class."""

    @property
    def size(self) -> int:
        """Return the number of writes that it stands for."""
        ...

    def __call__(self, connection: Connection) -> WriteResult[Any]: ...

    @classmethod
    def together(cls, connection: Connection, jobs: Sequence[Self]) -> list[WriteResult[Any]]:
        """Do what each of the jobs does, in their order."""
        ...


@dataclass(slots=True)
class _Task:
    priority: Priority
    work: WriteJob[Any]
    future: Future[Any]
    size: int = 1


class WriteSession(Protocol):
    """The writer's connection to the database of a study, used by one thread at a time."""

    def transaction(self, work: WriteJob[T]) -> WriteResult[T]:
        """Run a write in its own transaction, which is stored when this returns. Raises StudyLost."""
        ...

    def mapped_error(self, error: Exception) -> Exception:
        """Return the PyramidionError of a database error with an external cause, else the error."""
        ...

    @property
    def needs_check(self) -> bool:
        """Return whether the study may be lost. Fast; called on any thread."""
        ...

    def lost(self, waiting: int) -> StudyLost | None:
        """Return the error if the study is lost, None = it is not known yet. Called on any thread.

        waiting: the number of writes that are not stored yet.
        """
        ...

    def look_for_others(self) -> None:
        """Look for commits of other processes; never waits."""
        ...

    def take_others(self) -> bool:
        """Return whether others have committed since the last call. Called on any thread."""
        ...

    def give_up(self) -> None:
        """Stop waiting for a lost connection, as the study is being closed. Called on any thread."""
        ...

    def close(self, reported: str) -> StudyLost | None:
        """Close the connection. Returns what was lost, if that is not the error `reported`."""
        ...


class Writer:
    """Run writes one after another on a separate thread and connection.

    When a Future is done, its transaction is stored on disk.
    announce: called on the writer's thread after each write that changed something, or what can be undone;
        must not raise.
    """

    def __init__(self, session: WriteSession, announce: Callable[[ChangeSet], None]) -> None:
        self.session = session
        self._announce = announce
        self._tasks: PriorityQueue[tuple[Priority, int, _Task]] = PriorityQueue()  # quick to compare
        self._numbers = count()
        self._is_due = threading.Event()  # anything but scores came, or as many scores as go together
        self._next_scores = 0.0  # when scores may be stored together again
        self._waiting = 0  # changed only while the lock below is held
        self._gate = threading.Lock()  # held while the connection is in use
        self._closing = threading.Lock()  # held while a task is queued, so that none follows the last one
        self._is_closed = False
        self._reported = ""  # the last loss of the study that was raised to a caller
        self._lost_on_closing: StudyLost | None = None
        self._thread = threading.Thread(target=self._run, name="study-writer", daemon=True)
        self._thread.start()

    def submit(self, work: WriteJob[T], priority: Priority) -> Future[T]:
        """Queue a write. Raises InputError once the study is closed."""
        future: Future[T] = Future()
        with self._closing:
            if self._is_closed:
                raise InputError("The study is closed. Open it again to change it.")
            size = getattr(work, "size", 1)
            self._waiting += size
            is_due = priority is not Priority.SCORES or self._waiting >= MOST_TOGETHER
            self._tasks.put((priority, next(self._numbers), _Task(priority, work, future, size)))
        if is_due:
            self._is_due.set()
        return future

    def flush(self, timeout: float | None = None) -> None:
        """Wait until all queued writes are stored. Raises TimeoutError."""
        self.submit(lambda _: WriteResult(None, ChangeSet(frozenset())), Priority.LAST).result(timeout)

    def check_files(self) -> None:
        """Raise StudyLost where the study's files are not the ones that were opened, or its server is away.

        Never waits: the error is raised once the writer's thread has written a rescue copy.
        """
        if not self.session.needs_check:
            return
        lost = self.session.lost(self._waiting)
        if lost is not None:
            self._reported = str(lost)
            raise lost
        with suppress(InputError):  # the study is closed
            self.submit(_nothing_new, Priority.EDIT)

    def saw_others(self) -> bool:
        """Return whether another process has committed since the last call; never waits."""
        if self._gate.acquire(blocking=False):
            try:
                self.session.look_for_others()
            finally:
                self._gate.release()
        return self.session.take_others()

    def close(self, timeout: float) -> bool:
        """Finish queued writes and end the thread. Returns whether that was done within `timeout` seconds.

        Raises StudyLost, once, where the study was lost and this was not reported yet.
        """
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                last = _Task(Priority.LAST, _nothing, Future())
                self._tasks.put((Priority.LAST, next(self._numbers), last))
                self._is_due.set()
        self.session.give_up()
        self._thread.join(timeout)
        lost, self._lost_on_closing = self._lost_on_closing, None
        if lost is not None:
            raise lost
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (task := self._next()).work is not _nothing:
            self._execute(task, *(self._more_scores(task.size) if task.priority is Priority.SCORES else ()))
        with self._gate:
            self._lost_on_closing = self.session.close(self._reported)

    def _next(self) -> _Task:
        """Wait for the next write. Scores wait until they are many, or until anything else comes.

        Those that come are not waited for one by one: each would wake this thread.
        """
        self._is_due.clear()
        entry = self._tasks.get()
        pause = self._next_scores - time.monotonic()
        if entry[0] is Priority.SCORES and pause > 0 and self._is_early():
            self._tasks.put(entry)
            self._is_due.wait(pause)
            entry = self._tasks.get()
        return entry[2]

    def _is_early(self) -> bool:
        """Return whether few writes wait, and scores alone: the last one may have come before."""
        with self._tasks.mutex:
            are_scores = all(priority is Priority.SCORES for priority, _, _ in self._tasks.queue)
        return are_scores and self._waiting < MOST_TOGETHER

    def _more_scores(self, taken: int) -> Iterator[_Task]:
        """Take the further writes of scores that wait."""
        while taken < MOST_TOGETHER:
            try:
                entry = self._tasks.get_nowait()
            except Empty:
                return
            if entry[0] is not Priority.SCORES:
                self._tasks.put(entry)
                return
            taken += entry[2].size
            yield entry[2]

    def _execute(self, *tasks: _Task) -> None:
        """Run writes in one transaction; where that fails, each in its own."""
        tasks = tuple(task for task in tasks if self._begins(task))
        if len(tasks) > 1:
            began = time.monotonic()
            try:
                with self._gate:
                    together = self.session.transaction(lambda connection: _all(tasks, connection)).answer
            except BaseException:  # noqa: BLE001 - each raises its own error in what follows
                for task in tasks:
                    self._execute_alone(task)
            else:
                for task, written in zip(tasks, together, strict=True):
                    self._done(task)
                    task.future.set_result(written.answer)
                self._tell([written.changes for written in together])
                least, most = GATHERING_S
                now = time.monotonic()
                self._next_scores = now + min(max(least, 10 * (now - began)), most)
        elif tasks:
            self._execute_alone(tasks[0])

    def _begins(self, task: _Task) -> bool:
        """Return whether a write was not cancelled before it began."""
        is_wanted = task.future.set_running_or_notify_cancel()
        if not is_wanted:
            self._done(task)
        return is_wanted

    def _execute_alone(self, task: _Task) -> None:
        try:
            with self._gate:
                written = self.session.transaction(task.work)
        except (DBAPIError, sqlite3.Error, OSError) as error:
            self._done(task)
            task.future.set_exception(self.session.mapped_error(error))
        except StudyLost as lost:
            if task.work is not _nothing_new:  # `check_files` raises it next time
                self._reported = str(lost)
            self._done(task)
            task.future.set_exception(lost)
        except BaseException as error:  # noqa: BLE001 - passed on through the Future
            self._done(task)
            task.future.set_exception(error)
        else:
            self._hand_over(task, written)

    def _hand_over(self, task: _Task, written: WriteResult[Any]) -> None:
        self._done(task)
        task.future.set_result(written.answer)
        self._tell([written.changes])

    def _tell(self, changes: Sequence[ChangeSet]) -> None:
        """Announce what changed, in one piece where listeners lose nothing by that."""
        plain: list[ChangeSet] = []
        rest: list[ChangeSet] = []
        for one in changes:
            is_plain = one.topics and not (one.is_external or one.undo_labels)
            (plain if is_plain else rest).append(one)
        if plain:
            kinds, topics = (frozenset().union(*sets) for sets in zip(*map(_sets, plain), strict=True))
            rest.insert(0, ChangeSet(kinds, topics))
        for one in rest:
            if one.kinds or one.undo_labels:
                self._announce(one)

    def _done(self, task: _Task) -> None:
        with self._closing:
            self._waiting -= task.size


def _all(tasks: Sequence[_Task], connection: Connection) -> WriteResult[list[WriteResult[Any]]]:
    results: list[WriteResult[Any]] = []
    for kind, same in groupby((task.work for task in tasks), type):
        jobs: list[Any] = list(same)
        together = getattr(kind, JointJob.together.__name__, None)
        results += together(connection, jobs) if together else [job(connection) for job in jobs]
    return WriteResult(results, ChangeSet(frozenset()))


def _sets(changes: ChangeSet) -> tuple[frozenset[Any], frozenset[str]]:
    return changes.kinds, changes.topics


def _nothing_new(connection: Connection) -> WriteResult[None]:
    return WriteResult(None, ChangeSet(frozenset()))


def _nothing(connection: Connection) -> WriteResult[None]:
    return WriteResult(None, ChangeSet(frozenset()))
