"""Transactions of an open study: reads on the caller's thread, writes on the writer's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection

from core.errors import InputError, StudyLost
from core.ports import ChangeSet
from storage.database.backend import Backend
from storage.database.read_only import ReadOnlyWriter
from storage.database.writer import Priority, Writer, WriteResult

T = TypeVar("T")


class Transactions:
    """Snapshots for reading, and a queue of writes."""

    def __init__(self, backend: Backend, announce: Callable[[ChangeSet], None]) -> None:
        """announce: called on the writer's thread after each write that changed something; must not raise."""
        self._backend, self._is_closed = backend, False
        self.reading_only = backend.reading_only
        self.writer: Writer | ReadOnlyWriter
        if self.reading_only is not None:
            self._reader, self.writer = self.reading_only.engine, self.reading_only
        else:
            self._reader = backend.reading_engine()
            self.writer = Writer(backend.write_session(), announce)
        self._pool = self._reader.pool

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a consistent snapshot of the study. Raises InputError once the study is closed."""
        if self._is_closed:
            raise InputError(f"{self._backend.address.name} is closed. Open it again to read it.")
        if self.reading_only is not None:
            self.reading_only.check_files()
        try:
            with self._backend.reading_errors(), self._reader.connect() as connection:
                yield connection
        except (InputError, StudyLost):
            self.writer.check_files()  # a lost file allows no new connection, while open ones still read it
            raise
        finally:
            if self._is_closed:  # meanwhile: this connection must not keep the file open
                self._pool.dispose()

    def submit(
        self, work: Callable[[Connection], WriteResult[T]], priority: Priority = Priority.EDIT
    ) -> Future[T]:
        """Queue a write. Raises InputError once the study is closed."""
        return self.writer.submit(work, priority)

    def write(self, work: Callable[[Connection], WriteResult[T]]) -> T:
        """Write and wait until it is stored. Raises StudyLost at once while the study is lost."""
        self.writer.check_files()
        return self.submit(work).result()

    def close(self, timeout: float) -> bool:
        """Finish queued writes. Returns whether that was done within `timeout` seconds.

        A read on another thread goes on and releases the file at its end. Raises StudyLost as `Writer.close`.
        """
        self._is_closed = True
        self._reader.dispose()
        return self.writer.close(timeout)
