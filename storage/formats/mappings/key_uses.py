"""Keys of a file that a mapping reads: their first values, and what each one becomes.

The first rows are read by a copy of the mapping whose values note which keys they ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.errors import BadImport
from core.progress import JobSteps
from storage.formats.format_types import Options
from storage.formats.mappings.document_files import DocumentFiles
from storage.formats.mappings.engine import MappedReader
from storage.formats.mappings.mapping import Level, read_mapping
from storage.formats.mappings.sources import rows
from storage.formats.mappings.values import Scope, Value
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems
from storage.formats.readers.tables.table_cells import as_text
from storage.formats.readers.usage import EVERY, Record, SeenKeys, Usage, current, noted_steps

_SAMPLE, _SHOWN, _CHARACTERS = 50, 3, 200
"""Rows that are read; values of a key, and characters of each."""
_HEADS = {
    **{name: name for name in ("topic", "title", "query", "set", "system", "author", "annotator", "group")},
    **dict.fromkeys(("when", "unless"), "choice of rows"),
    "rejected": "rejected",
    "matched_by": "annotator",
    "paper": "citing paper",
}
"""What the values of a level become, by their name."""
_RULES = {
    "document": {"text": "document", "sentences": "document"},
    "reference": {"text": "reference", "sentences": "reference", "name": "author"},
    "summary": {"text": "summary", "sentences": "summary", "name": "system"},
    "citing_paper": {"text": "text of the citing paper", "name": "citing paper"},
    "rating": {"value": "rating", "dimension": "dimension", "note": "note"},
    "score": {"value": "score", "measure": "measure"},
    "preference": {"systems": "system", "": "preference"},
    **{
        name: {"": title}
        for name, title in (
            ("metrics", "scores and ratings"),
            ("mark", "marked span"),
            ("units", "content units"),
            ("matches", "matches"),
            ("citance", "citing sentence"),
            ("scale", "rating scale"),
        )
    },
}
"""What the values of a rule become; without a name, the other ones."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key of a file.

    path: the keys of the objects that it is in, and its own; `EVERY` stands for keys that are data.
    values: the first ones, shortened. is_read: whether the mapping asks for it.
    roles: what it becomes, such as ``topic`` or ``rating:fluency``.
    """

    path: tuple[str, ...]
    values: tuple[str, ...]
    roles: tuple[str, ...]
    is_read: bool


@dataclass(slots=True)
class _Trace(SeenKeys):
    values: dict[str, list[str]] = field(default_factory=dict)
    roles: dict[str, dict[str, None]] = field(default_factory=dict)

    def see(self, record: Record) -> None:
        SeenKeys.see(self, record)
        for key, value in dict.items(record):
            name = record.names.get(key, key)
            if name in self.keys and len(shown := self.values.setdefault(name, [])) < _SHOWN:
                shown.append(" ".join(as_text(value)[:_CHARACTERS].split()))

    def use(self, name: str) -> None:
        SeenKeys.use(self, name)
        if isinstance(usage := current(), _Tracing):
            usage.last = self, name
            usage.note()


@dataclass(slots=True)
class _Tracing(Usage):
    """role: of the value that is read. last: the last key that was asked for."""

    role: str = ""
    last: tuple[_Trace, str] | None = None

    def note(self) -> None:
        """Give the last key the role of the value that is read."""
        if self.role and self.last is not None:
            keys, name = self.last
            keys.roles.setdefault(name, {}).setdefault(self.role)


def key_uses(path: Path, text: str, name: str, options: Options) -> JobSteps[tuple[KeyUse, ...]]:
    """Return the keys of the first rows of a file, or of the files of a folder.

    text: the document of the mapping. name: of the mapping. Raises InputError if the file cannot be read.
    """
    usage = _Tracing(level=_Trace)
    with suppress(_Enough, BadImport):
        yield from noted_steps(_read(path, text, name, options, usage), usage)
    found: dict[tuple[str, ...], KeyUse] = {}
    for level in usage.levels.values():
        assert isinstance(level, _Trace)
        for use in _uses(level):
            found.setdefault(use.path, use)
    return tuple(found.values())


class _Enough(Exception):
    """The sample is complete."""


def _read(path: Path, text: str, name: str, options: Options, usage: _Tracing) -> JobSteps[None]:
    mapping = read_mapping(text, name)
    variables: dict[str, str] = {}
    _changed(mapping.rows, {}, lambda value, role: _noted_variable(value, role, variables))
    mapping = replace(
        mapping, rows=_changed(mapping.rows, variables, lambda v, role: _noting(v, role, usage))
    )
    problems = Problems(path.name)
    reader = MappedReader(mapping, ImportDraft(path.name, problems), options, DocumentFiles())
    many = 0

    def take(row: Any, number: int, **names: Any) -> None:
        nonlocal many
        reader.row(row, number, **names)
        many += 1
        if many == _SAMPLE:
            raise _Enough

    yield from rows(path, mapping, problems, options, take)


def _noted_variable(value: Value, role: str, variables: dict[str, str]) -> Value:
    if role and not value.needs_object:
        variables.setdefault(value.label, role)
    return value


def _noting(value: Value, role: str, usage: _Tracing) -> Value:
    """Return a value that gives its role to the keys that it asks for."""

    def get(scope: Scope) -> Any:
        before, usage.role = usage.role, role
        try:
            if value.label == "@" and not isinstance(scope.item, Mapping):
                usage.note()  # the items are the values of the key that the level asked for
            return value.get(scope)
        finally:
            usage.role = before

    return replace(value, get=get)


def _changed(level: Level, variables: Mapping[str, str], change: Callable[[Value, str], Value]) -> Level:
    """Return a level with other values. variables: what they become. change: of a value and its role."""
    changes: dict[str, Any] = {}
    for each in fields(level):
        name, found = each.name, getattr(level, each.name)
        if isinstance(found, Value):
            changes[name] = change(found, _HEADS.get(name, ""))
        elif name in ("ratings", "scores"):
            changes[name] = {key: change(value, f"{name[:-1]}:{key}") for key, value in found.items()}
        elif name == "let":
            changes[name] = {key: change(value, variables.get(key, "")) for key, value in found.items()}
        elif name == "levels":
            changes[name] = tuple(_changed(inner, variables, change) for inner in found)
        elif name == "document_files":
            changes[name] = tuple(change(value, "document") for value in found)
        elif name in _RULES:
            changes[name] = tuple(_changed_rule(rule, _RULES[name], change) for rule in found)
    return replace(level, **changes)


def _changed_rule(rule: Any, roles: Mapping[str, str], change: Callable[[Value, str], Value]) -> Any:
    values = {each.name: getattr(rule, each.name) for each in fields(rule)}
    named = {"annotator": "annotator", "group": "group", **roles}
    of = values.get("dimension") or values.get("measure")
    if "value" in roles and of is not None and not of.needs_object:  # its name may be in the mapping
        name = of.get(Scope(None, {}, Problems("")))
        named["value"] += f":{name}" if name else ""
    return replace(
        rule,
        **{
            name: change(value, named.get(name, roles.get("", "")))
            for name, value in values.items()
            if isinstance(value, Value)
        },
    )


def _uses(level: _Trace, above: tuple[str, ...] = ()) -> Iterator[KeyUse]:
    for name, is_read in level.keys.items():
        below, roles = level.below.get(name), tuple(level.roles.get(name, ()))
        is_group = isinstance(below, _Trace) and bool(below.keys)
        if (roles or not is_group) and (roles or EVERY not in level.below):
            yield KeyUse((*above, name), tuple(level.values.get(name, ())), roles, is_read)
        if isinstance(below, _Trace):
            yield from _uses(below, (*above, name))
    if isinstance(every := level.below.get(EVERY), _Trace):
        yield from _uses(every, (*above, EVERY))
