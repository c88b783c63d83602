"""Studies on a server: create, recognize and upgrade them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, inspect, text

from core.errors import InputError, StudyDamaged, StudyTooNew
from core.files.study_address import ServerAddress
from storage.database.migrate import run_migrations
from storage.database.schema import Base
from storage.database.schema_check import VERSION_TABLE
from storage.database.server.server_engine import OLDEST, server_errors, writing_engine
from storage.database.study_database import MIGRATIONS, versions

_LOCK = 0x50595244  # "PYRD"
LOCK = text(f"SELECT pg_advisory_xact_lock({_LOCK})")
"""Makes write transactions of one study wait for each other, as SQLite does.

The lock is the database's own and ends with the transaction or the connection.
"""

_OWNS_TABLES = text(
    "SELECT bool_and(pg_has_role(tableowner, 'USAGE')) FROM pg_tables WHERE schemaname = current_schema"
)


def create(address: ServerAddress) -> None:
    """Create the tables of an empty study of the current version.

    Raises InputError where the database does not exist, is not empty, or refuses the user.
    """
    with _writing(address) as connection:
        tables = inspect(connection).get_table_names()
        if "alembic_version" in tables:
            raise InputError(
                f"The database {address.name} on {address.server} contains a study already. Open it, or "
                "create another database for a new one."
            )
        if tables:
            raise InputError(
                f"The database {address.name} on {address.server} is not empty: it has a table "
                f"{tables[0]}. Create a database of its own for the study, for example with `createdb`."
            )
        Base.metadata.create_all(connection)
        # Like Alembic does; importing Alembic takes long.
        connection.exec_driver_sql(VERSION_TABLE)
        connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": versions()[-1]})


def version_of(connection: Connection, address: ServerAddress) -> str:
    """Return the version of a study's tables. Raises InputError where the database contains no study."""
    if not inspect(connection).has_table("alembic_version"):
        raise InputError(
            f"The database {address.name} on {address.server} contains no study. Check the URL, or create "
            f"one: `pyramidion new {address}`, or *Study › Study on a server…* in the window."
        )
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def upgrade(address: ServerAddress, *, may_change: bool = True) -> None:
    """Upgrade a study to the current version, in one transaction; do nothing where it is current.

    may_change: False = raise InputError where it is older.
    Raises InputError where the database contains no study, or the user may not change its tables.
    Raises StudyTooNew where a newer version of the program wrote the study.
    Raises StudyDamaged where the migration failed; the study is then unchanged.
    """
    known = versions()
    with _engine(address) as engine:
        with engine.connect() as connection:
            version = version_of(connection, address)
        if version not in known:
            raise StudyTooNew(
                f"{address.name} was written by a newer version of Pyramidion (tables {version}, this one "
                f"knows up to {known[-1]}). Install the newer version to open it."
            )
        if version == known[-1]:
            return
        if not may_change:
            raise InputError(
                f"{address.name} was written by an older version of Pyramidion. Open it once so that it can "
                "be changed, which upgrades its tables."
            )
        with engine.begin() as connection:
            connection.execute(LOCK)
            if version_of(connection, address) != known[-1]:  # nobody else has upgraded it meanwhile
                _migrate(connection, address)


def _migrate(connection: Connection, address: ServerAddress) -> None:
    if not connection.scalar(_OWNS_TABLES):
        raise InputError(
            f"{address.name} was written by an older version of Pyramidion. Its manager, who owns the "
            "tables, must open it once to upgrade it."
        )
    try:
        run_migrations(connection, MIGRATIONS)
    except StudyDamaged as error:
        raise StudyDamaged(
            f"{address.name} could not be upgraded to the current version: {error} The study was not changed."
        ) from error


def check_server(connection: Connection, address: ServerAddress) -> None:
    """Raise InputError where the server is too old or the database cannot store every text."""
    number = int(connection.scalar(text("SHOW server_version_num")) or 0)
    if number < OLDEST * 10_000:
        raise InputError(
            f"The server {address.server} runs PostgreSQL {number // 10_000}. A study needs version {OLDEST} "
            "or later."
        )
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise InputError(
            f"The database {address.name} stores texts in {encoding}. Create it with `createdb --encoding "
            f"UTF8 --template template0 {address.name}`."
        )


@contextmanager
def _writing(address: ServerAddress) -> Iterator[Connection]:
    with _engine(address) as engine, engine.begin() as connection:
        connection.execute(LOCK)
        yield connection


@contextmanager
def _engine(address: ServerAddress) -> Iterator[Engine]:
    """Provide an engine whose server and database are suitable."""
    engine = writing_engine(address)
    try:
        with server_errors(address):
            with engine.connect() as connection:
                check_server(connection, address)
            yield engine
    finally:
        engine.dispose()
