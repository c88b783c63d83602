"""Reading of rows as a mapping says, into an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.import_batch import ImportContent
from core.formatting.numbers import pluralize
from storage.formats.mappings.contents import TIMES, Contents
from storage.formats.mappings.document_files import DocumentFiles
from storage.formats.mappings.mapping import ImportMapping, Level
from storage.formats.mappings.values import BAD, EMPTY, Scope, Stop, Value, expression, name_in, needed
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.tables.table_cells import as_text
from storage.formats.readers.usage import Record

_MOST_ITEMS, _ITEMS_OF_ROW = 2_000_000, 1_000
"""Items of all levels that an import may have, and how many more for each row."""
_NAMES = ("system", "author", "paper", "annotator", "matched_by", "group")
_OPTIONAL = ("annotator", "matched_by", "group")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is asked about a level for each of its items.

    key: a value that makes the items objects, None = none does. uses_keys: the items have keys.
    names: the names that it sets, by what they name.
    """

    key: Value | None
    uses_keys: bool
    names: Sequence[tuple[str, Value]]

    @classmethod
    def of(cls, level: Level) -> _Plan:
        values = list(level.values())
        return cls(
            next((value for value in values if value.needs_object), None),
            any(value.label == "key" for value in values),
            [(name, value) for name in _NAMES if (value := getattr(level, name)) is not None],
        )


class MappedReader:
    """Reads the rows of an import.

    names: variables of the file, such as ``stem``.
    """

    def __init__(
        self, mapping: ImportMapping, draft: ImportDraft, options: Mapping[str, str], files: DocumentFiles
    ) -> None:
        self._mapping, self._draft, self._problems = mapping, draft, draft.problems
        self._contents = Contents(mapping, draft, files)
        self._annotator = options.get("annotator", "").strip() or mapping.annotator
        self._rejected: Counter[str] = Counter()
        self._unique: dict[int, dict[str, str]] = {}
        self._items_left = _MOST_ITEMS
        self._plans: dict[int, _Plan] = {}

    def row(self, row: Any, number: int, **names: Any) -> None:
        """Read one row. number: from 1. names: further variables, of its file."""
        self._items_left += _ITEMS_OF_ROW
        first = {"row": number, "n": number, "i": number - 1, "annotator": self._annotator}
        self._level(self._mapping.rows, Scope(row, first | names, self._problems))

    def content(self) -> ImportContent:
        """Return everything that was read. Raises BadImport with every problem."""
        left_out = (
            (f"Left out by {name}: {pluralize(count, 'rejected row')}.", "")
            for name, count in self._rejected.items()
        )
        return self._contents.finish(left_out)

    def _level(self, level: Level, scope: Scope) -> None:
        """Read the items of a level, or the item of the level above."""
        for item in self._items_of(level, scope):
            self._items_left -= 1
            if self._items_left < 0:
                what = "The mapping reads the same items again and again."
                self._problems.add("", what, "Correct the paths of its levels, or split the file.")
                self._problems.stop_if_any()
            try:
                self._item(level, item)
            except Stop:
                continue

    def _plan(self, level: Level) -> _Plan:
        if id(level) not in self._plans:
            self._plans[id(level)] = _Plan.of(level)
        return self._plans[id(level)]

    def _items_of(self, level: Level, scope: Scope) -> Iterator[Scope]:
        if level.columns:
            yield from _by_columns(level.columns, scope)
            return
        if level.each is None:
            yield scope.inner(scope.item, scope.place)
            return
        if level.each.needs_object and not isinstance(scope.item, Mapping | list | None):
            scope.fault("@", "Not an object.", f'Write {{"{level.each.label}": …}}.')
            return
        label, found = level.each.label, level.each(scope)
        if found is BAD:
            return
        if isinstance(found, list) and self._plan(level).uses_keys:
            scope.fault(label, "Not an object.", "Write an object, as {…}.")
            return
        if level.as_many_as:
            other = scope.item.get(level.as_many_as) if isinstance(scope.item, Mapping) else None
            if isinstance(found, list) and isinstance(other, list) and len(found) != len(other):
                what = f"{len(found)} elements, but `{level.as_many_as}` has {len(other)}."
                scope.fault(label, what, "Write one for each.")
                return
        if found in EMPTY or found == [None]:
            if level.is_required:
                scope.fault(label, "The field is missing or empty.", f"Add `{label}`.")
            return
        start = scope.place if label == "@" else f"{scope.place}{label}"
        if isinstance(found, Mapping):
            for i, (key, value) in enumerate(found.items()):
                place = f"{start}.{key[:60]}." if start and not start.endswith(".") else f"{start}{key[:60]}."
                yield scope.inner(value, place, key=key, i=i, n=i + 1)
        elif isinstance(found, list):
            for i, value in enumerate(found):
                yield scope.inner(value, f"{start.removesuffix('.')}[{i}].", i=i, n=i + 1)
        else:
            scope.fault(
                label, f"{as_text(found)[:40]!r} is no list and no object.", "Write a list, as [...]."
            )

    def _item(self, level: Level, scope: Scope) -> None:
        plan = self._plan(level)
        if plan.key is not None and not isinstance(scope.item, Mapping):
            scope.fault("@", "Not an object.", f'Write {{"{plan.key.label}": …}}.')
            return
        for name, value in level.let.items():
            if (found := value(scope)) is BAD:
                return
            scope.names[name] = found
        if not self._is_read(level, scope) or not self._is_complete(level, scope):
            return
        self._contents.add_scales(level)
        if level.topic is not None:
            scope.names["topic"] = name_in(level.topic, scope, "topic")
            self._draft.topic(scope.names["topic"])
        if level.title is not None or level.query is not None or level.set is not None:
            self._contents.about(level, scope)
        for name, value in plan.names:
            found = name_in(value, scope, name, is_optional=name in _OPTIONAL)
            scope.names[name] = found or scope.names.get(name, "")
        if level.needs_summary and not self._has_summary(scope):
            what = "There are annotations of a system, but not its summary."
            scope.fault("@", what, "Add the summary, or remove the annotations.")
            return
        if level.note:
            self._note(level.note, scope)
        if level.wrong:
            texts = [as_text(one(scope)) for one in level.wrong]
            scope.fault("@", *(*texts, "Choose another file.")[:2])
            return
        self._contents.add(level, scope)
        for inner in level.levels:
            self._level(inner, scope)

    def _note(self, note: Sequence[Value], scope: Scope) -> None:
        names = scope.names | {"times": TIMES}
        texts = [one(Scope(scope.item, names, scope.problems, scope.place)) for one in note]
        what, remedy = (*(as_text(text) for text in texts if text is not BAD), "", "")[:2]
        if TIMES in what:
            self._contents.counted[what, remedy] += 1
        else:
            self._problems.note(what, remedy)

    def _has_summary(self, scope: Scope) -> bool:
        topic, system = needed("topic", scope), needed("system", scope)
        return system in self._draft.topic(topic).summaries

    def _is_complete(self, level: Level, scope: Scope) -> bool:
        """Return whether an item has what the level requires, once; otherwise add a problem."""
        missing = [value for value in level.requires if value(scope) in (None, "")]
        for value in missing:
            scope.fault(value.label, "The field is missing or empty.", "Fill in a value.")
        if missing or level.unique is None:
            return not missing
        key = level.unique(scope)
        if key in EMPTY:
            return True
        places = self._unique.setdefault(id(level), {})
        first = places.setdefault(as_text(key), self._problems.place)
        if first == self._problems.place:
            return True
        shown = as_text(key[0] if isinstance(key, list) and key else key)[:60]
        self._problems.add(
            scope.at(level.unique.label), f"{shown} is in two rows.", "Remove one of them.", other_place=first
        )
        return False

    def _is_read(self, level: Level, scope: Scope) -> bool:
        if level.when is not None and not _is_true(level.when(scope)):
            return False
        if level.unless is not None and _is_true(level.unless(scope)):
            return False
        if level.rejected is not None and _is_true(level.rejected(scope)):
            self._rejected[level.rejected.label] += 1
            return False
        return True


def _is_true(value: Any) -> bool:
    return value is not BAD and value not in EMPTY and value is not False


def _by_columns(pattern: str, scope: Scope) -> Iterator[Scope]:
    """Yield an item for each key that a pattern matches, or for the keys of the same group ``item``."""
    search = expression(f"^(?:{pattern})$")
    groups: dict[str, tuple[dict[str, Any], dict[str, str], dict[str, str]]] = {}
    row: dict[str, Any] = scope.item if isinstance(scope.item, dict) else {}
    for key in list(dict.keys(row)):
        if (found := search(key)) is None:
            continue
        named = {name: value or "" for name, value in found.groupdict().items()}
        own = named.pop("item", None)
        inner, names, keys = groups.setdefault(key if own is None else own, ({}, named, {}))
        names["item"] = own or key
        name = "".join(found.captures("field")) if "field" in named else key
        inner[name], keys[name] = dict.get(row, key), key
    for i, (name, (inner, names, keys)) in enumerate(groups.items()):
        is_single = "field" not in names
        item: Any = row.get(name) if is_single else inner
        if isinstance(row, Record) and not is_single:
            item = row.selected(keys)
        place = f"{scope.place}{name}." if is_single else scope.place
        yield scope.inner(item, place, **names, i=i, n=i + 1)
