"""Errors that the program raises on purpose.

PyramidionError             shown to the user as it is
+-- InputError               the user's file or choice is at fault; names the place and the remedy
|   +-- BadSetting           a metric's setting is unknown or out of its range
|   +-- BadImport            an import has problems; holds all of them
|   +-- StudyTooNew          the study was written by a newer version of the program
|   +-- UnsafeStudy          the study contains triggers, views or tables that this program never creates
+-- EditConflict             somebody else changed what an edit touches; names who and what
+-- StudyDamaged             the study file fails its integrity check; names the last backup
+-- StudyLost                an open study was moved, deleted or replaced; names the rescue copy
+-- MissingResource          a model, index or optional package is missing; explains how to get it
+-- PluginFailed             the code of another package failed; names the package and the error
+-- Interrupted              the user pressed Ctrl+C; completed work is saved

Everything else is a bug. It is caught only in ``gui/shell/error_reporting.py`` and ``cli/main.py``, which
write a crash
report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

MAX_PROBLEMS = 1000
"""Reading stops at this many problems: such a file is in another format, and a longer list does not help."""


class PyramidionError(Exception):
    """Base class; ``str(error)`` is a sentence for a dialog."""


class InputError(PyramidionError):
    """The user's file or choice is at fault."""


class BadSetting(InputError):
    """A metric's setting is unknown or out of its range."""


class BadRequest(InputError):
    """The options of a request do not fit together."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem in a file: where, in which field, what is wrong, and what to do about it.

    option: of the command line that helps, such as ``--encoding windows-1252``; empty = none. The window has
    a control for it.
    other_place: of what it contradicts, which is as wrong as this; empty = none.
    """

    file: str
    place: str  # "line 7", "element scu[3]"
    field: str
    what: str
    remedy: str
    option: str = ""
    other_place: str = ""

    def __str__(self) -> str:
        return f"{self.sentence} On the command line: {self.option}." if self.option else self.sentence

    @property
    def sentence(self) -> str:
        """The problem without the option of the command line."""
        where = ", ".join(part for part in (self.file, self.place, self.field) if part)
        return f"{where}: {self.what} {self.remedy}".strip()


def grouped(problems: Sequence[Problem]) -> list[Problem]:
    """Return one problem per cause, with the number and the first of its places."""
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for one in problems:
        groups.setdefault((one.file, one.field, one.what, one.remedy, one.option), []).append(one)
    found = []
    for same in groups.values():
        places = list(dict.fromkeys(one.place for one in same))
        if len(places) > 1:
            place = f"{len(places):,} places ({_listed(places)})"
            found.append(replace(same[0], place=place, other_place=""))
        else:
            found.append(same[0])
    return found


def grouped_differences(sentences: Sequence[str]) -> list[str]:
    """Return sentences on what differs from the study, one per kind and remedy where there are many."""
    groups: dict[tuple[str, str], list[str]] = {}
    for sentence in sentences:
        head, mark, rest = sentence.partition(_DIFFERS)
        kind = " ".join(head.split()[:3]) if mark else sentence
        groups.setdefault((kind, mark + rest), []).append(head)
    found = []
    for (_, rest), heads in groups.items():
        if len(heads) <= _SHOWN_PLACES or not rest:
            found += [head + rest for head in heads]
        else:
            shown = "; ".join(heads[:_SHOWN_PLACES])
            found.append(f"{len(heads):,} times ({shown}; …): This{rest}")
    return found


def _listed(places: Sequence[str]) -> str:
    """Return the first places; lines and rows as ranges."""
    kinds = {place.rpartition(" ")[0] for place in places}
    numbers = [place.rpartition(" ")[2] for place in places]
    if kinds not in ({"line"}, {"row"}) or not all(number.isdecimal() for number in numbers):
        return "; ".join(places[:_SHOWN_PLACES]) + ("; …" if len(places) > _SHOWN_PLACES else "")
    ranges: list[list[int]] = []
    for number in sorted(map(int, numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = [f"{a}" if a == b else f"{a}–{b}" for a, b in ranges[:_SHOWN_RANGES]]
    return f"{kinds.pop()}s {', '.join(shown)}{', …' if len(ranges) > _SHOWN_RANGES else ''}"


_SHOWN_PLACES, _SHOWN_RANGES = 3, 10
_DIFFERS = " differs from the study's"


class BadImport(InputError):
    """An import has problems; nothing was written."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        super().__init__(f"{self.problems[0]}{more}")


class FileChanged(InputError):
    """A file without a published hash differs from the first download of it on this computer."""


class StudyTooNew(InputError):
    """The study was written by a newer version of the program."""


class UnsafeStudy(InputError):
    """The study contains triggers, views or tables that this program never creates."""


class EditConflict(PyramidionError):
    """Somebody else changed what an edit touches."""


class StudyDamaged(PyramidionError):
    """The study file fails its integrity check."""


class StudyLost(PyramidionError):
    """A file of an open study was moved, deleted or replaced; nothing more is written to it.

    report: what happened, and where the copy with everything saved is.
    remedy: what to do.
    rescued: that copy, None = none could be written.
    may_return: writing continues once the file is back; otherwise the study must be closed and opened again.
    """

    def __init__(
        self, report: str, remedy: str, rescued: Path | None = None, *, may_return: bool = False
    ) -> None:
        super().__init__(f"{report} {remedy}".rstrip())
        self.report, self.rescued, self.may_return = report, rescued, may_return


class MissingResource(PyramidionError):
    """A model, index or optional package is missing."""


class PluginFailed(PyramidionError):
    """The code of a package that adds to the program failed."""


class Interrupted(PyramidionError):
    """The user pressed Ctrl+C; completed work is saved."""
