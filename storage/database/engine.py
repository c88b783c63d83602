"""Connections to a study: one engine that reads, one that writes.

SQLAlchemy emits BEGIN itself. The writer's is IMMEDIATE: a deferred BEGIN that reads and then writes fails at
once with "database is locked", whatever the timeout. Without a BEGIN of ours the driver would commit before
every DDL statement, and a failed migration would leave half a table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

from storage.database.file_guard import guarding
from storage.database.hardening import harden

APPLICATION_ID = 0x50595244  # "PYRD", where file(1) and we look for it
BUSY_SECONDS = 20.0
"""How long a transaction waits for another process to end its own; those are short."""

Target = Path | str
"""A study file, or the URL of a server's database."""


def url_of(target: Target, *, must_exist: bool = False) -> URL:
    """The database URL of a file's path or of a text that is one.

    must_exist: SQLite makes no empty file where none is.
    """
    if isinstance(target, str) and "://" in target:
        return make_url(target)
    if must_exist:
        query = {"mode": "rw", "uri": "true"}
        return URL.create("sqlite+pysqlite", database=Path(target).absolute().as_uri(), query=query)
    return URL.create("sqlite+pysqlite", database=str(target))


def reading_engine(target: Target) -> Engine:
    """An engine whose transactions see one state of the study and cannot change it."""
    return _engine(target, url_of(target, must_exist=True), "BEGIN", "PRAGMA query_only=ON")


def immutable_engine(path: Path) -> Engine:
    """An engine for a file that nobody can change meanwhile; it needs nothing next to it."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    url = URL.create("sqlite+pysqlite", database=path.absolute().as_uri(), query=query)
    return _engine(str(url), url, "BEGIN", "PRAGMA query_only=ON")


def writing_engine(target: Target, *, foreign_keys: bool = True) -> Engine:
    """An engine whose transactions hold the one write lock from their start.

    foreign_keys: off for migrations alone, where dropping a parent table would empty its children.
    """
    pragma = f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}"
    return _engine(target, url_of(target), "BEGIN IMMEDIATE", pragma)


def _engine(target: Target, url: URL, begin: str, *pragmas: str) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url)
    arguments: dict[str, Any] = {
        "isolation_level": None,
        "timeout": BUSY_SECONDS,
        "check_same_thread": False,
    }
    if isinstance(target, Path):
        arguments["factory"] = guarding(target, BUSY_SECONDS)
    engine = create_engine(url, connect_args=arguments)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, record: object) -> None:
        harden(connection)
        # WAL is a lasting mark of the file; everything else holds for one connection.
        for pragma in ("PRAGMA synchronous=FULL", *pragmas):
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
