"""Values shown by the backup dialogs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BackupRow:
    """One backup file.

    made: time in UTC.
    bytes: size of the file.
    problem: why it cannot be restored, empty = it passed its checks.
    """

    path: Path
    kind: str
    made: datetime
    bytes: int
    edits: int
    annotations: int
    problem: str
