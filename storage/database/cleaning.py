"""Copy the data of a study that contains foreign database objects into a new study."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from uuid import uuid4

from core.errors import InputError
from storage.database import read_only, study_database
from storage.database.engine import APPLICATION_ID, writing_engine
from storage.database.migrate import run_migrations
from storage.database.schema_check import copyable_version

_ROWS_AT_ONCE = 1000
_OWN = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def copy_data(study: Path, target: Path) -> int:
    """Copy every row of Pyramidion's tables into a new study of the same version. Returns the number of rows.

    Nothing else is read, and the source file is not changed.
    Raises InputError where the target exists.
    Raises UnsafeStudy where one of the tables differs from Pyramidion's.
    """
    if target.exists():
        raise InputError(f"{target} exists already. Choose another name.")
    study_database.check_is_file(study)
    new = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        with (
            study_database.map_errors(study),
            read_only.private_copy(study) as copy,
            closing(study_database.connect(copy)) as source,
        ):
            version = copyable_version(source, study, study_database.MIGRATIONS)
            _create(new, version)
            count = _copy_rows(source, new)
        study_database.put_in_place(new, target)
    finally:
        for left in (new, *(new.with_name(new.name + suffix) for suffix in ("-wal", "-shm"))):
            with suppress(OSError):
                left.unlink(missing_ok=True)
    return count


def _create(path: Path, version: str) -> None:
    """Create an empty study of a version."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    engine = writing_engine(str(path), foreign_keys=False)
    try:
        with engine.begin() as connection:
            run_migrations(connection, study_database.MIGRATIONS, version)
    finally:
        engine.dispose()


def _copy_rows(source: sqlite3.Connection, path: Path) -> int:
    count = 0
    with closing(sqlite3.connect(path)) as target, target:
        for (table,) in target.execute(_OWN).fetchall():
            if table == "alembic_version":
                continue
            columns = [f'"{row[1]}"' for row in target.execute(f'PRAGMA table_info("{table}")')]
            rows = source.execute(f'SELECT {", ".join(columns)} FROM main."{table}"')
            insert = f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({", ".join("?" * len(columns))})'
            while batch := rows.fetchmany(_ROWS_AT_ONCE):
                target.executemany(insert, batch)
                count += len(batch)
    return count
