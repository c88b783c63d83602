"""Servers that somebody here has named, in a file of the user's: no other is asked for an index.

A study holds the address of the index that it was scored with. Whoever opens another's study has not asked
for its server to be contacted, still less with credentials of their own.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.files.atomic_write import atomic_open

SCHEME = "elasticsearch:"
"""How the address of an index on a server begins."""


class AllowedServers:
    """The servers; read anew at each question, since window and command line share the file."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._named: tuple[str, ...] = ()

    def use_folder(self, folder: Path) -> None:
        """Remember in this folder from now on."""
        self._file = folder / "servers.json"

    def has(self, server: str) -> bool:
        """Whether a server, or the host that it is at, was named. Raises InputError for a damaged file."""
        return any(server == known or server.startswith(f"{known}/") for known in self._all())

    def add(self, server: str) -> None:
        """Remember a server's URL; one with credentials in it is none that could be asked."""
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
    """Those of this user; whoever begins the process says where they are remembered."""
    return AllowedServers()


def server_of(index: str) -> str:
    """The URL of the server that an index is on, empty = it is on none."""
    if not index.startswith(SCHEME):
        return ""
    return index.removeprefix(SCHEME).rstrip("/").rpartition("/")[0]
