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

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

MAX_PROBLEMS = 1000
"""Reading stops at this many problems: such a file is in another format, and a longer list does not help."""

MAX_LINES = 30
"""Largest number of lines in which problems are shown, whatever the file."""


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


def grouped(problems: Sequence[Problem], most: int = MAX_LINES) -> list[Problem]:
    """Return one problem per cause, with the number and the first of its places, at most `most`.

    Problems have one cause if they differ in their places only; where this gives too many, also if they
    differ in files, names and numbers; then if they have one remedy. What is still too much is counted.
    """
    groups: list[list[Problem]] = []
    for cause in (_same, _alike, _same_remedy):
        by_cause: dict[tuple[str, ...], list[Problem]] = {}
        for one in problems:
            by_cause.setdefault(cause(one), []).append(one)
        groups = list(by_cause.values())
        if len(groups) <= most:
            break
    found = [_joined(same) for same in groups[: most if len(groups) <= most else most - 1]]
    if rest := sum(map(len, groups[len(found) :])):
        what = f"{rest:,} more problems of {len(groups) - len(found):,} other causes."
        found.append(Problem("", "", "", what, "Fix these first."))
    return found


def _same(one: Problem) -> tuple[str, ...]:
    return one.file, one.field, one.what, one.remedy, one.option


def _alike(one: Problem) -> tuple[str, ...]:
    return _VARYING.sub("…", one.field), _VARYING.sub("…", one.what), one.remedy, one.option


def _same_remedy(one: Problem) -> tuple[str, ...]:
    return one.remedy, one.option


def _joined(same: Sequence[Problem]) -> Problem:
    """Return problems of one cause as one, with their places; if they differ, the first is the example."""
    first = same[0]
    places = list(dict.fromkeys(one.place for one in same))
    files = list(dict.fromkeys(one.file for one in same))
    many = len({(one.file, one.place, one.field, one.what) for one in same})
    if many == 1:
        return first
    if len({(one.field, one.what) for one in same}) > 1:
        first = replace(first, field="", what=f"For example, {first.field or 'this'}: {first.what}")
    if len(files) > 1:
        first = replace(first, file=f"{len(files):,} files ({_listed(files)})")
    if len(places) > 1:
        first = replace(first, place=f"{many:,} places ({_listed(places)})")
    elif len(files) == 1:
        first = replace(first, place=f"{many:,} times in {first.place or 'the file'}")
    return replace(first, other_place="")


def grouped_differences(sentences: Sequence[str], most: int = MAX_LINES) -> list[str]:
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
    if len(found) > most:
        found[most - 1 :] = [f"{len(found) - most + 1:,} more differences."]
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
_VARYING = re.compile(r"'[^']*'|“[^”]*”|\"[^\"]*\"|(?<=for )[^:]*(?=:)|[\w.,/-]*\d[\w.,/-]*")
"""Names in quotes, names after “for”, and whatever has a digit."""
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
