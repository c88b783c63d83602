"""Values that the Report page displays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class SectionState(StrEnum):
    """Whether a section will be in the report. EMPTY: the study lacks the data for it."""

    INCLUDED = "included"
    EXCLUDED = "excluded"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One section of the report. key: empty for one that cannot be left out."""

    key: str
    title: str
    contents: str
    state: SectionState


@dataclass(frozen=True, slots=True)
class ReportDetails:
    """Contents of the report to be written.

    about: number of measures and judgements.
    facts: (label, value) pairs.
    warning: what is missing for a full report, empty = nothing.
    remedy: label of the button that helps.
    """

    about: str
    sections: tuple[ReportSection, ...]
    facts: tuple[tuple[str, str], ...]
    warning: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ExportRow:
    """An export that can be written separately from the report.

    key: contents and format, with a dot between them. suffix: of the file, empty = a folder.
    kinds: formats of the file, as title and suffix; empty = that of the key only.
    """

    key: str
    title: str
    about: str
    suffix: str = ""
    kinds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file or folder that was written. contents: counts, size and folder."""

    path: Path
    contents: str


@dataclass(frozen=True, slots=True)
class ReportItemRow:
    """A figure or table added to the report. command: the command that reproduces it."""

    id: str
    title: str
    command: str
    is_figure: bool
