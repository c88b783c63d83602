"""Backends: what differs between a study file and a study on a server.

All SQL of `storage.repositories` is the same for both; so are tables and migrations.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine

from core.files.study_address import StudyAddress
from storage.database import study_database
from storage.database.engine import reading_engine, writing_engine
from storage.database.file_session import FileSession
from storage.database.read_only import ReadOnlyWriter
from storage.database.value_checks import type_faults
from storage.database.writer import WriteSession

_log = logging.getLogger(__name__)


class Backend(Protocol):
    """The database of an open study."""

    @property
    def address(self) -> StudyAddress: ...

    @property
    def notices(self) -> Sequence[str]:
        """Messages for the user who opened the study."""
        ...

    @property
    def reading_only(self) -> ReadOnlyWriter | None:
        """The writer that refuses changes, with the reason; None = the study can be changed."""
        ...

    def reading_engine(self) -> Engine:
        """Return an engine whose transactions read a consistent snapshot and cannot write."""
        ...

    def write_session(self) -> WriteSession:
        """Connect the writer."""
        ...

    def reading_errors(self) -> AbstractContextManager[None]:
        """Map errors of reading to InputError or StudyDamaged; other errors are bugs."""
        ...

    def first_damage(self, connection: Connection) -> str:
        """Return the first fault that this kind of database can have below the rows; empty = none."""
        ...


class FileBackend:
    """A study file; implements `Backend`.

    notices: messages to show to the user. reading_only: refuses writes, None = writable.
    """

    def __init__(
        self, path: Path, notices: Sequence[str] = (), reading_only: ReadOnlyWriter | None = None
    ) -> None:
        self.address, self.notices, self.reading_only = path, list(notices), reading_only

    def reading_engine(self) -> Engine:
        return reading_engine(self.address)

    def write_session(self) -> FileSession:
        session = FileSession(writing_engine(self.address), self.address)
        if session.lacks_locks:
            self.notices.append(
                f"The file system of {self.address.resolve().parent} lacks the locks that protect a study "
                "while several programs have it open. Open it in one program at a time, or move it to a "
                "local disk."
            )
            _log.warning(self.notices[-1])
        return session

    def reading_errors(self) -> AbstractContextManager[None]:
        return study_database.reading_errors(self.address)

    def first_damage(self, connection: Connection) -> str:
        page = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if page != "ok":
            return str(page)
        lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if lost is not None:
            return f"row {lost[1]} of {lost[0]} has lost its row of {lost[2]}"
        driver = connection.connection.driver_connection
        if isinstance(driver, sqlite3.Connection):
            return next(type_faults(driver), "").rstrip(".")
        return ""
