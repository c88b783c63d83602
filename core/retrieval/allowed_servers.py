"""Search servers that the user has named, in a user file: no other server is contacted.

A study contains the address of the index that it was scored with. Opening somebody else's study must not
contact its server, let alone send credentials.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import atomic_open

SCHEME = "elasticsearch:"
"""Prefix of the address of an index on a server."""


class AllowedServers:
    """The list of servers; read again at each access, since window and command line share the file."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._named: tuple[str, ...] = ()

    def use_folder(self, folder: Path) -> None:
        """Store the list in this folder from now on."""
        self._file = folder / "servers.json"

    def has(self, server: str) -> bool:
        """Return whether a server, or its host, was named. Raises InputError for a damaged file."""
        return any(server == known or server.startswith(f"{known}/") for known in self._all())

    def add(self, server: str) -> None:
        """Add a server's URL; URLs with credentials are ignored."""
        named = self._all()
        if not server or "@" in server or server in named:
            return
        self._named = (*named, server)
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_open(self._file) as file:
            json.dump({"servers": self._named}, file, indent=1)

    def _all(self) -> tuple[str, ...]:
        if self._file is None:
            return self._named
        try:
            return tuple(map(str, json.loads(self._file.read_text(encoding="utf-8"))["servers"]))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{self._file}, which lists the servers that you named, cannot be read ({error}). Remove it."
            ) from error


@cache
def allowed_servers() -> AllowedServers:
    """Return this user's list; the entry point sets its folder."""
    return AllowedServers()


def server_of(index: str) -> str:
    """Return the URL of the server that an index is on, empty = on none."""
    if not index.startswith(SCHEME):
        return ""
    return index.removeprefix(SCHEME).rstrip("/").rpartition("/")[0]
