"""The backend of a study on a server.

The writer's connection to a server: one transaction per write, repeated after a lost connection.

If the connection is lost during COMMIT, nobody knows whether the transaction was stored. So its number is
read before; after reconnecting, the server is asked what became of it. A write is acknowledged only if it was
stored, and repeated only if it was not.

Commits of others, by LISTEN and NOTIFY on a connection and thread of their own.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from core.errors import StudyLost
from core.files.study_address import ServerAddress
from core.formatting.numbers import pluralize
from core.json_text import parse_json
from storage.database.read_only import ReadOnlyWriter
from storage.database.server import server_engine
from storage.database.server.server_database import LOCK
from storage.database.server.server_engine import (
    NotConnected,
    driver_connection,
    is_lost,
    mapped_error,
    not_connected_message,
    server_errors,
)
from storage.database.writer import WriteJob, WriteResult

T = TypeVar("T")

_PAUSE_SECONDS = 0.5
"""Pause between attempts to connect again."""
CHANNEL = "pyramidion"
_NUMBER = text("SELECT pg_current_xact_id_if_assigned()::text")
_NUMBER_AND_NOTE = text(f"SELECT pg_current_xact_id_if_assigned()::text, pg_notify('{CHANNEL}', :note)")
_OUTCOME = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")


class _Interrupted(Exception):
    """The connection was lost in a transaction. number: of the transaction that may be stored, else empty."""

    def __init__(self, cause: DBAPIError, number: str = "", written: WriteResult[Any] | None = None) -> None:
        super().__init__(str(cause))
        self.number, self.written = number, written


class ServerSession:
    """Writes to a study on a server; implements `WriteSession`.

    patience: seconds that a write waits for a lost connection before it fails.
    """

    def __init__(self, address: ServerAddress, engine: Engine, patience: float) -> None:
        self._address, self._engine, self._patience = address, engine, patience
        self._name = uuid4().hex  # tells own notifications from those of others
        self._notifications = Notifications(address, self._name)
        self._is_connected = True
        self._is_closing = threading.Event()
        self._unsaved = 0
        with engine.connect():  # reports now what prevents a connection
            pass

    @property
    def needs_check(self) -> bool:
        return not (self._is_connected and self._notifications.is_connected)

    def lost(self, waiting: int) -> StudyLost | None:
        if not self.needs_check:
            return None
        edits = f"{pluralize(waiting, 'edit')} {'is' if waiting == 1 else 'are'} waiting."
        return StudyLost(
            f"{not_connected_message(self._address)} {edits if waiting else ''}".rstrip(),
            "Edits are saved once the connection is back; leave the study open until then.",
            may_return=True,
        )

    def look_for_others(self) -> None:
        self._notifications.start()

    def take_others(self) -> bool:
        return self._notifications.take()

    def give_up(self) -> None:
        self._is_closing.set()

    def transaction(self, work: WriteJob[T]) -> WriteResult[T]:
        since = time.monotonic()
        while True:
            try:
                written = self._attempt(work)
            except _Interrupted as interrupted:
                stored = self._outcome(interrupted, since)
                if stored is not None:
                    return stored
            else:
                return written

    def _attempt(self, work: WriteJob[T]) -> WriteResult[T]:
        """Run a write once. Raises _Interrupted."""
        number, written = "", None
        try:
            with self._engine.begin() as connection:
                connection.execute(LOCK)
                written = work(connection)
                number = self._number(connection, written)
        except DBAPIError as error:
            if is_lost(error):
                raise _Interrupted(error, number, written) from error
            raise
        return written

    def _number(self, connection: Connection, written: WriteResult[Any]) -> str:
        """Return the number of the transaction, and announce what it changes once it is committed."""
        changes = written.changes
        if not changes.kinds:
            return connection.scalar(_NUMBER) or ""
        note = json.dumps({"from": self._name, "kinds": sorted(changes.kinds)})
        return connection.execute(_NUMBER_AND_NOTE, {"note": note}).one()[0] or ""

    def _outcome(self, interrupted: _Interrupted, since: float) -> WriteResult[Any] | None:
        """Connect again, at least once. Returns the result of the transaction if it was stored, else None.

        Raises StudyLost once the patience is exhausted or the study is being closed.
        """
        while True:
            try:
                with self._engine.connect() as connection:
                    self._is_connected = True
                    if not interrupted.number:
                        return None
                    outcome = connection.scalar(_OUTCOME, {"number": interrupted.number})
            except DBAPIError as error:
                if not is_lost(error):
                    raise
                self._is_connected = False
            else:
                if outcome == "committed":
                    return interrupted.written
                if outcome != "in progress":
                    return None
            if self._is_closing.is_set() or time.monotonic() - since > self._patience:
                self._unsaved += 1
                raise self._not_saved(bool(interrupted.number))
            self._is_closing.wait(_PAUSE_SECONDS)

    def _not_saved(self, may_be_stored: bool) -> StudyLost:
        rest = (
            "The last edit may be stored or not: look at it again."
            if may_be_stored
            else "The last edit was not saved."
        )
        return StudyLost(
            f"The connection to the server {self._address.server} was lost. {rest}",
            "Check the network and open the study again.",
            may_return=True,
        )

    def mapped_error(self, error: Exception) -> Exception:
        return mapped_error(self._address, error)

    def close(self, reported: str) -> StudyLost | None:
        self._notifications.stop()
        self._engine.dispose()
        if not self._unsaved:
            return None
        return StudyLost(
            f"{pluralize(self._unsaved, 'edit')} of {self._address.name} could not be saved: the connection "
            f"to the server {self._address.server} was lost.",
            "Everything before is stored.",
        )


_WAIT_SECONDS = 0.25
"""Maximum time until the thread sees that it must end."""
_PAUSE_SECONDS = 0.5
"""Pause between attempts to connect again."""


class Notifications:
    """Listens for the commits of others. name: of this session, whose own commits are not reported."""

    def __init__(self, address: ServerAddress, name: str) -> None:
        self._address, self._name = address, name
        self._is_stopped = threading.Event()
        self._others = threading.Event()
        self._thread: threading.Thread | None = None
        self.is_connected = True

    def start(self) -> None:
        """Begin to listen; do nothing if that was done already. What was committed before is reported too."""
        if self._thread is None and not self._is_stopped.is_set():
            self._thread = threading.Thread(target=self._run, name="study-notifications", daemon=True)
            self._thread.start()

    def take(self) -> bool:
        """Return whether others have committed since the last call."""
        if not self._others.is_set():
            return False
        self._others.clear()
        return True

    def stop(self) -> None:
        """End the thread and its connection."""
        self._is_stopped.set()
        if self._thread is not None:
            self._thread.join(5.0)

    def _run(self) -> None:
        import psycopg

        while not self._is_stopped.is_set():
            try:
                connection = driver_connection(self._address)
            except psycopg.OperationalError:
                self.is_connected = False
                self._is_stopped.wait(_PAUSE_SECONDS)
                continue
            with suppress(psycopg.OperationalError), connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._others.set()  # others may have committed before or while it was not connected
                self.is_connected = True
                self._listen(connection)

    def _listen(self, connection: Any) -> None:
        while not self._is_stopped.is_set():
            for notification in connection.notifies(timeout=_WAIT_SECONDS):
                if _sender(notification.payload) != self._name:
                    self._others.set()


def _sender(payload: str) -> str:
    try:
        return str(parse_json(payload)["from"])
    except (KeyError, TypeError, ValueError):
        return ""


_MAY_EDIT = text("SELECT has_table_privilege('edits', 'INSERT') AND NOT pg_is_in_recovery()")


class ServerBackend:
    """A study on a server; implements `Backend`.

    patience: seconds that a write waits for a lost connection before it fails.
    reading_only: why the study is opened read-only, empty = it is only where its user may not change it.
    """

    def __init__(self, address: ServerAddress, patience: float, reading_only: str = "") -> None:
        self.address, self._patience = address, patience
        self.notices: Sequence[str] = []
        self.reading_only: ReadOnlyWriter | None = None
        self._session: ServerSession | None = None
        engine = self.reading_engine()
        try:
            with self.reading_errors(), engine.connect() as connection:
                may_edit = connection.scalar(_MAY_EDIT)
        finally:
            engine.dispose()
        if reading_only:
            self.reading_only = ReadOnlyServer(address, reading_only, self.reading_engine())
        elif not may_edit:
            reason = (
                f"{address.name} is open read-only: the database user {address.user or 'of this program'} "
                "may not change it. To change it, ask the manager of the study, who grants the rights."
            )
            self.notices = [reason]
            self.reading_only = ReadOnlyServer(address, reason, self.reading_engine())

    def reading_engine(self) -> Engine:
        return server_engine.reading_engine(self.address)

    def write_session(self) -> ServerSession:
        with server_errors(self.address):
            engine = server_engine.writing_engine(self.address)
            self._session = ServerSession(self.address, engine, self._patience)
        return self._session

    @contextmanager
    def reading_errors(self) -> Iterator[None]:
        """Map errors of reading. Raises StudyLost, at once while the server is known to be away."""
        if self._session is not None and self._session.needs_check:
            raise StudyLost(not_connected_message(self.address), "", may_return=True)
        try:
            with server_errors(self.address):
                yield
        except NotConnected as error:
            raise StudyLost(str(error), "", may_return=True) from error

    def first_damage(self, connection: Connection) -> str:
        """Return an empty text: the server checks pages, keys and types itself."""
        return ""


class ReadOnlyServer(ReadOnlyWriter):
    """A study on a server that its user may only read; changes by others are seen."""

    def __init__(self, address: ServerAddress, reason: str, engine: Engine) -> None:
        super().__init__(reason, engine)
        self._address, self._notifications = address, Notifications(address, "")

    def check_files(self) -> None:
        """Raise StudyLost while the server cannot be reached."""
        if not self._notifications.is_connected:
            raise StudyLost(not_connected_message(self._address), "", may_return=True)

    def saw_others(self) -> bool:
        self._notifications.start()
        return self._notifications.take()

    def close(self, timeout: float) -> bool:
        self._notifications.stop()
        return True
