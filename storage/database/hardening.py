"""Connection settings for study files that somebody else may have prepared."""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

HARDENING = ("PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0")
"""The settings that SQLite recommends for untrusted files; applied to every connection to a study."""


def harden(connection: Any) -> None:
    """Apply the settings for untrusted files to a driver's connection."""
    if sys.version_info >= (3, 12) and isinstance(connection, sqlite3.Connection):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for pragma in HARDENING:
        connection.execute(pragma)
