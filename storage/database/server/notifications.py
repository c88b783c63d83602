"""Commits of others, by LISTEN and NOTIFY on a connection and thread of their own."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from core.files.study_address import ServerAddress
from core.json_text import parse_json
from storage.database.server.server_engine import driver_connection

CHANNEL = "pyramidion"
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
