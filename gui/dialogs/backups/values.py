"""Backups of a study as the window lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BackupRow:
    """One backup.

    made: in UTC. bytes: its size. problem: why it cannot be restored, empty = it passed its checks.
    """

    path: Path
    kind: str
    made: datetime
    bytes: int
    edits: int
    annotations: int
    problem: str
