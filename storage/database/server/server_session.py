"""The writer's connection to a server: one transaction per write, repeated after a lost connection.

If the connection is lost during COMMIT, nobody knows whether the transaction was stored. So its number is
read before; after reconnecting, the server is asked what became of it. A write is acknowledged only if it was
stored, and repeated only if it was not.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from core.errors import StudyLost
from core.files.study_address import ServerAddress
from core.formatting.numbers import pluralize
from storage.database.server.notifications import CHANNEL, Notifications
from storage.database.server.server_database import LOCK
from storage.database.server.server_engine import is_lost, mapped_error, not_connected_message
from storage.database.writer import WriteJob, WriteResult

T = TypeVar("T")

_PAUSE_SECONDS = 0.5
"""Pause between attempts to connect again."""
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
