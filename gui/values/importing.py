"""What an import asks and tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FormatLine:
    """A format that can be read. is_folder: it takes a folder. has_columns: its columns can be mapped."""

    name: str
    title: str
    about: str
    is_folder: bool = False
    has_columns: bool = False


@dataclass(frozen=True, slots=True)
class CountLine:
    """How many of one kind of thing an import would add, and how many the study has already."""

    what: str
    added: int
    equal: int


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would do: counts, what differs and stays as it is, or the problems that forbid it."""

    counts: tuple[CountLine, ...] = ()
    different: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def can_import(self) -> bool:
        return not self.problems and any(line.added for line in self.counts)
