"""Record of the columns, keys and files that an import uses, to name the others.

Objects of JSON, rows of tables and attributes of XML are read as `Record`s, which note what is asked for;
opened files are noted by `fields.opened`. So no reader has to list what it ignores. A value that is empty
everywhere holds nothing, and is neither used nor lost.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase as fnmatch
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from core.domain.import_batch import ImportContent
from core.errors import InputError, Problem
from core.files.paths import list_files, printable_path
from core.names import first_names
from core.ports import Study
from core.progress import JobSteps
from storage.formats.format_types import Format, Options

T = TypeVar("T")

EVERY = "*"
"""Key of the objects of a mapping by data, such as by system, whose keys are all read."""

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_MOST_NAMES = 10_000
"""Names per level that are noted; a file with more has data as keys."""
_LISTED_CHARACTERS, _LONGEST_NAME = 1500, 60


@dataclass(slots=True)
class SeenKeys:
    """The objects at one path. keys: whether a key with a value was read. below: their objects by key."""

    keys: dict[str, bool] = field(default_factory=dict)
    below: dict[str, SeenKeys] = field(default_factory=dict)

    def see(self, record: Record) -> None:
        for key, value in dict.items(record):
            if value not in _EMPTY and len(self.keys) < _MOST_NAMES:
                self.keys.setdefault(record.names.get(key, key), False)

    def use(self, name: str) -> None:
        if name in self.keys:
            self.keys[name] = True

    def child(self, name: str) -> SeenKeys:
        if name not in self.below and len(self.below) < _MOST_NAMES:
            self.below[name] = type(self)()
        return self.below.get(name) or type(self)()

    def unused(self, prefix: str = "") -> Iterator[str]:
        """Yield the paths of keys that were not read."""
        for name, is_used in self.keys.items():
            if not is_used:
                yield f"{prefix}{name}"
            elif name in self.below:
                yield from self.below[name].unused(f"{prefix}{name}.")
        if EVERY in self.below:
            yield from self.below[EVERY].unused(f"{prefix}{EVERY}.")


class Record(dict[str, Any]):
    """An object of a file that notes which keys are read: one by one, or all by iteration.

    names: what the file calls keys that have other names here.
    """

    _level: SeenKeys | None = None
    names: Mapping[str, str] = {}

    def _read(self, key: Any, value: Any, at: str = "") -> Any:
        if self._level is not None and value not in _EMPTY:
            name = self.names.get(key, key)
            self._level.use(name)
            if isinstance(value, (dict, list)):
                _adopt(value, self._level, at or name)
        return value

    def __getitem__(self, key: Any) -> Any:
        return self._read(key, super().__getitem__(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return self._read(key, super().get(key, default))

    def pop(self, key: Any, *default: Any) -> Any:
        return self._read(key, super().pop(key, *default))

    def __iter__(self) -> Iterator[str]:  # so that copies go through __getitem__
        return super().__iter__()

    def values(self) -> Any:
        return [self._read(key, value, EVERY) for key, value in dict.items(self)]

    def items(self) -> Any:
        return [(key, self._read(key, value, EVERY)) for key, value in dict.items(self)]

    def with_values(self, more: Mapping[str, Any]) -> Record:
        """Return the record with other values; asking for one of its own keys still counts."""
        found = Record(self.without_notes() | dict(more))
        found._level, found.names = self._level, self.names
        return found

    def selected(self, names: Mapping[str, str]) -> Record:
        """Return the values of some keys under other names; a missing one is None.

        names: key of the file by the new one.
        """
        found = Record({key: dict.get(self, name) for key, name in names.items()})
        found._level, found.names = self._level, names
        return found

    def without_notes(self) -> dict[str, Any]:
        """Return a plain copy; looking at it does not count as use."""
        return dict(dict.items(self))


def _adopt(value: Any, level: SeenKeys, name: str) -> None:
    """Give the objects in a value the level of their path."""
    pending, below = [value], None
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            pending += one
        elif isinstance(one, Record) and one._level is None:
            below = below or level.child(name)
            one._level = below
            below.see(one)


@dataclass(slots=True)
class Usage:
    """What one import has read.

    levels: the outermost objects by file.
    left: names of files that were passed over, in archives or after a look.
    expected: patterns of files and keys that a format has and that hold nothing to import.
    level: what notes the keys of the objects at one path.
    """

    levels: dict[str, SeenKeys] = field(default_factory=dict)
    opened: set[Path] = field(default_factory=set)
    left: dict[str, None] = field(default_factory=dict)
    expected: list[str] = field(default_factory=list)
    level: type[SeenKeys] = SeenKeys

    def record(self, content: Mapping[str, Any], file: str = "") -> Record:
        """Return a row or an outermost object as a record."""
        found = content if isinstance(content, Record) else Record(content)
        found._level = self.levels.setdefault(file, self.level())
        found._level.see(found)
        return found

    def leave(self, file: str) -> None:
        """Name a file that is not used, although it was opened or is in an archive."""
        self.left[file] = None

    def unused(self, path: Path | None) -> Iterator[tuple[str, list[str]]]:
        """Yield files with the names of keys that were not read, then an empty name with files that were not.

        path: of the import, None = unread files are not known.
        """
        for file, level in self.levels.items():
            if names := [one for one in level.unused() if not self._is_expected(one)]:
                yield file, names
        passed = set(self.left)
        if path is not None and path.is_dir():
            files = (file for file in list_files(path) if file not in self.opened)
            passed |= {file.relative_to(path).as_posix() for file in files}
        if rest := [one for one in sorted(passed) if not self._is_expected(one)]:
            yield "", rest

    def _is_expected(self, name: str) -> bool:
        return any(fnmatch(name, known) for known in self.expected)


def tracked(value: Any) -> Any:
    """Return a value with its objects as records."""
    if isinstance(value, Mapping):
        return Record({str(key): tracked(inner) for key, inner in value.items()})
    return [tracked(inner) for inner in value] if isinstance(value, list) else value


_CURRENT: ContextVar[Usage | None] = ContextVar("usage", default=None)


def current() -> Usage:
    """Return the record of the import that is running, else one that nobody reads."""
    return _CURRENT.get() or Usage()


def noted_steps(steps: JobSteps[T], usage: Usage) -> JobSteps[T]:
    """Run the steps of an import with `usage` as the current record."""
    assert isinstance(steps, Generator)
    try:
        while True:
            before = _CURRENT.set(usage)
            try:
                progress = next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                _CURRENT.reset(before)
            yield progress
    finally:
        steps.close()


def read_noted(
    kind: Format, path: Path, options: Options, study: Study | None = None
) -> JobSteps[ImportContent]:
    """Read a file or folder, and name the columns, keys and files in it that were not used.

    Raises InputError where the memory does not suffice.
    """
    seen = Usage()
    try:
        incoming = yield from noted_steps(kind.read(path, options, study), seen)
    except MemoryError as error:
        raise InputError(
            f"{printable_path(path)} could not be read: not enough memory. Close other programs, or split "
            "the file."
        ) from error
    notices = []
    opened = None if kind.package else path  # packages may open files in their own way
    for file, names in seen.unused(opened):
        what = f"Not used: {listed(names)}." if file else f"Files that were not used: {listed(names)}."
        notices.append(Problem(file or incoming.source, "", "", what, ""))
    return replace(incoming, notices=(*incoming.notices, *notices))


def listed(names: Iterable[str]) -> str:
    """Return names for a message, long ones shortened."""
    short = [name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…" for name in names]
    lengths = accumulate(len(name) + 2 for name in short)
    shown = sum(length <= _LISTED_CHARACTERS for length in lengths)
    return printable_path(first_names(short, shown))
