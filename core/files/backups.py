"""Backups of studies as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class BackupKind(StrEnum):
    """Reason for a backup."""

    AUTOMATIC = "auto"
    RESTORE = "before-restore"
    DAMAGED = "damaged"
    MIGRATION = "migration"

    @property
    def description(self) -> str:
        return _TITLES[self]


_TITLES = {
    BackupKind.AUTOMATIC: "Automatic",
    BackupKind.RESTORE: "Before a restore",
    BackupKind.DAMAGED: "Damaged file, replaced by a restore",
    BackupKind.MIGRATION: "Before an upgrade",
}


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file. made: time in UTC. bytes: file size."""

    path: Path
    kind: BackupKind
    made: datetime
    bytes: int


@dataclass(frozen=True, slots=True)
class BackupContent:
    """Content of a backup. annotations: SCUs, matches and ratings. problem: empty = it passed its checks."""

    topics: int = 0
    edits: int = 0
    annotations: int = 0
    problem: str = ""
