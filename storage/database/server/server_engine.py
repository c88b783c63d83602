"""SQLAlchemy engines of a study on a server, logins and the errors of connections.

The driver is imported when the first server study is opened. Passwords are passed to the driver only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from core.errors import InputError, MissingResource, PyramidionError, StudyDamaged
from core.extras import require
from core.files.study_address import ServerAddress
from core.server_causes import cause_of, said
from storage.database.engine import BUSY_SECONDS
from storage.database.server.passwords import KEYRING, keyring_name, remembered_password, stored_password

if TYPE_CHECKING:
    from psycopg import OperationalError


CONNECT_SECONDS = 5
"""Maximum time to wait for a connection."""
AUTHENTICATION = "none,scram-sha-256,gss,sspi"
"""Ways to log in that send no password: a server that asks for one in clear text or as MD5 gets none."""
_OLDEST_LIBRARY = 160000
"""First version of libpq that can be told the ways to log in."""
OLDEST = 13
"""Oldest supported major version of PostgreSQL."""
_LOST = ("08", "57P")
"""Begin of the error codes of connection failures and of a server that shuts down or starts."""

_SETTINGS = (
    f"SET lock_timeout = '{BUSY_SECONDS:g}s'; SET idle_in_transaction_session_timeout = '120s'; "
    "SET standard_conforming_strings = on; SET client_encoding = 'UTF8'"
)
_KEEPALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A server that went away is noticed after this time in seconds (the last one in milliseconds)."""


class NotConnected(InputError):
    """The server cannot be reached, or the connection to it was lost."""


def reading_engine(address: ServerAddress) -> Engine:
    """Return an engine whose transactions read a consistent snapshot and cannot write."""
    return _engine(
        address,
        pool_pre_ping=True,
        execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
    )


def writing_engine(address: ServerAddress) -> Engine:
    """Return an engine of one connection for writing.

    Its transactions see what others committed before each statement, so a transaction that waits for a lock
    sees what the holder of the lock has written.
    """
    return _engine(address, pool_size=1, max_overflow=0, isolation_level="READ COMMITTED")


def driver_connection(address: ServerAddress) -> Any:
    """Return a connection of the driver in autocommit mode. Raises the driver's OperationalError."""
    engine = _engine(address)
    connection = _login(address, dict(engine.dialect.create_connect_args(engine.url)[1]))
    connection.autocommit = True
    return connection


def _engine(address: ServerAddress, **options: Any) -> Engine:
    require("postgresql")
    engine = create_engine(address.url, hide_parameters=True, **options)

    @event.listens_for(engine, "do_connect")
    def connect(dialect: object, record: object, arguments: object, parameters: dict[str, Any]) -> Any:
        connection = _login(address, parameters)
        connection.execute(_SETTINGS)
        connection.commit()
        return connection

    return engine


def _login(address: ServerAddress, parameters: dict[str, Any]) -> Any:
    """Connect with the password that the user entered, else with that of libpq, else with the keyring's."""
    import psycopg

    if psycopg.pq.version() < _OLDEST_LIBRARY:
        raise MissingResource(
            "The library of PostgreSQL on this computer is too old to keep passwords from a server that asks "
            "for them in clear text. Run: pip install --upgrade 'pyramidion[postgresql]'"
        )
    given = {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "pyramidion",
        **_KEEPALIVE,
        **parameters,
        "require_auth": AUTHENTICATION,
    }
    if entered := remembered_password(address):
        return psycopg.connect(**given, password=entered)
    try:
        return psycopg.connect(**given)
    except psycopg.OperationalError as error:
        password = stored_password(address) if needs_password(error) else None
        if password is None:
            raise
    return psycopg.connect(**given, password=password)


def needs_password(error: OperationalError) -> bool:
    """Return whether a login failed because the server wants a password and none is known."""
    return error.pgconn is not None and error.pgconn.needs_password


@contextmanager
def server_errors(address: ServerAddress) -> Iterator[None]:
    """Map errors of the server and of the connection to PyramidionError; other errors are bugs."""
    import psycopg

    try:
        yield
    except (DBAPIError, psycopg.Error) as error:
        mapped = mapped_error(address, error)
        if mapped is error:
            raise
        raise mapped from None  # without the statement, which the driver's error quotes
    except (UnicodeDecodeError, JSONDecodeError) as error:  # intact rows are valid JSON
        raise StudyDamaged(
            f"{address.name} is damaged: a stored value cannot be read. Ask who administers the database to "
            "restore a dump of it."
        ) from error


def mapped_error(address: ServerAddress, error: Exception) -> Exception:
    """Return the PyramidionError of an error with an external cause, else the error itself."""
    import psycopg

    original = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(original, psycopg.Error):
        return error
    cause = said(original.diag.message_primary or "", cause_of(original))
    match original.sqlstate:
        case "42501":  # insufficient privilege
            return InputError(
                f"Your database user{f' {address.user}' if address.user else ''} is not allowed to do this "
                f"({cause}). Ask the manager of the study, who grants the rights."
            )
        case "55P03":  # lock not available
            return PyramidionError(
                f"The study could not be written: another program has kept it locked for {BUSY_SECONDS:g} "
                "seconds. Nothing was changed. Try again."
            )
        case "53100":  # disk full
            return PyramidionError(
                f"The study could not be written ({cause}). Nothing was changed. Free some space on the disk "
                f"of the server {address.server}."
            )
        case "42P01" | "42703":  # undefined table or column
            return InputError(
                f"The database {address.name} on {address.server} has other tables than a study of this "
                f"version ({cause}). Check the URL."
            )
        case "25006":  # read-only transaction
            return InputError(
                f"The server {address.server} accepts no changes ({cause}). Nothing was changed. Connect to "
                "the primary server."
            )
    if isinstance(original, psycopg.OperationalError) and is_lost(error):
        return not_connected(address, original)
    return error


def is_lost(error: Exception) -> bool:
    """Return whether a connection was lost or could not be made, so that another one may succeed."""
    import psycopg

    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    original = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(original, psycopg.OperationalError):
        return False
    return original.sqlstate is None or original.sqlstate.startswith(_LOST)  # none: a failed login


def not_connected_message(address: ServerAddress) -> str:
    """Return the sentence that a server is away."""
    return f"Not connected to the server {address.server}."


def not_connected(address: ServerAddress, error: OperationalError) -> NotConnected:
    """Return the error of a login or connection that failed."""
    if needs_password(error):
        return NotConnected(
            f"The server {address.server} requires a password. Set PGPASSWORD, add it to ~/.pgpass, or store "
            f"it in the keyring with `keyring set {KEYRING} {keyring_name(address)}`."
        )
    if "requirement" in str(error) and "require" in str(error) and "authentication method" in str(error):
        return NotConnected(
            f"The server {address.server} asks for the password in clear text or as MD5, so it was not sent. "
            "Ask who administers the server to use scram-sha-256."
        )
    told = next((line for line in reversed(str(error).strip().splitlines()) if "FATAL" in line), "")
    cause = said(told.partition("FATAL:")[2], cause_of(error))
    return NotConnected(
        f"The server {address.server} cannot be used: {cause}. Check the URL and the network, or "
        "ask who administers the server."
    )
