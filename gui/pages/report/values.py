"""What the Report page shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class ChapterState(StrEnum):
    """Whether a chapter will be in the report."""

    THERE = "there"
    LEFT_OUT = "left out"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter of the report. key: of one that can be left out, else empty. holds: what is in it."""

    key: str
    title: str
    holds: str
    state: ChapterState


@dataclass(frozen=True, slots=True)
class ReportDetails:
    """What the report will hold. warning: what is missing for a full one, empty = nothing."""

    about: str
    chapters: tuple[Chapter, ...]
    facts: tuple[tuple[str, str], ...]
    warning: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ExportRow:
    """Something that can be written apart from the report. key: of what is chosen."""

    key: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file or folder that was written. holds: what is in it, in words."""

    path: Path
    holds: str


@dataclass(frozen=True, slots=True)
class ReportItemRow:
    """A figure or table added to the report. command: the command that reproduces it."""

    id: str
    title: str
    command: str
    is_figure: bool
