"""The backend of a study on a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text

from core.errors import StudyLost
from core.files.study_address import ServerAddress
from storage.database.read_only import ReadOnlyWriter
from storage.database.server import server_engine
from storage.database.server.notifications import Notifications
from storage.database.server.server_engine import NotConnected, not_connected_message, server_errors
from storage.database.server.server_session import ServerSession

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
