"""What the page of several studies shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One study file. about: what it holds, empty = not read yet. problem: why it takes no part."""

    path: Path
    about: str = ""
    problem: str = ""
    is_own: bool = False
