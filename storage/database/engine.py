"""SQLAlchemy engines of a study file: one for reading, one for writing.

The engines emit BEGIN themselves. The writer's is IMMEDIATE: a deferred transaction that reads and then
writes fails at once with "database is locked", whatever the timeout. Without an explicit BEGIN the driver
would commit before every DDL statement, and a failed migration would leave a partly changed schema.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from storage.database.file_guard import guarding
from storage.database.hardening import harden

APPLICATION_ID = 0x50595244  # "PYRD"; identifies a study, also for file(1)
BUSY_SECONDS = 20.0
"""Maximum time to wait for a transaction of another process."""

Target = Path | str
"""A study file, or the URL of a SQLite database."""


class StudyDialect(SQLiteDialect_pysqlite):
    """SQLite's dialect. All instances are equal, so that studies share compiled statements."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.study", __name__, StudyDialect.__name__)
_COMPILED: LRUCache[Any, Any] = LRUCache(1000)
"""Compiled statements; compiling one takes several times as long as running it."""


def url_of(target: Target, *, must_exist: bool = False) -> URL:
    """Return the database URL of a file path; a URL is parsed.

    must_exist: SQLite does not create a missing file.
    """
    if isinstance(target, str) and "://" in target:
        return make_url(target)
    if must_exist:
        query = {"mode": "rw", "uri": "true"}
        return URL.create("sqlite+study", database=Path(target).absolute().as_uri(), query=query)
    return URL.create("sqlite+study", database=str(target))


def reading_engine(target: Target) -> Engine:
    """Return an engine whose transactions read a consistent snapshot and cannot write."""
    return _engine(target, url_of(target, must_exist=True), "BEGIN", "PRAGMA query_only=ON")


def immutable_engine(path: Path) -> Engine:
    """Return an engine for a file that cannot change; it creates no files next to it."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    url = URL.create("sqlite+study", database=path.absolute().as_uri(), query=query)
    return _engine(str(url), url, "BEGIN", "PRAGMA query_only=ON")


def writing_engine(target: Target, *, foreign_keys: bool = True) -> Engine:
    """Return an engine whose transactions hold the write lock from the start.

    foreign_keys: off only for migrations, where dropping a parent table would delete its children's rows.
    """
    pragma = f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}"
    return _engine(target, url_of(target), "BEGIN IMMEDIATE", pragma)


def _engine(target: Target, url: URL, begin: str, *pragmas: str) -> Engine:
    arguments: dict[str, Any] = {"isolation_level": None, "timeout": BUSY_SECONDS, "check_same_thread": False}
    if isinstance(target, Path):
        arguments["factory"] = guarding(target, BUSY_SECONDS)
    engine = create_engine(
        url,
        connect_args=arguments,
        execution_options={"compiled_cache": _COMPILED},
        hide_parameters=True,  # an error's message would quote texts of the study
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, record: object) -> None:
        harden(connection)
        # WAL mode is stored in the file; all other settings apply per connection.
        for pragma in ("PRAGMA synchronous=FULL", *pragmas):
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
