"""Values of a mapping: what is taken from an item of a file, and how it is changed.

A value is written as

- a key of the item, or a path in it in JMESPath: ``id``, ``annotations[0].coherence``; ``@`` = the item;
- a variable: ``$row`` (number of the row), ``$i`` and ``$n`` (number of the item from 0 and from 1), ``$key``
  (key of the item in an object), ``$file``, ``$stem`` and ``$folder`` (of the file), ``$topic``, ``$system``
  and other names that were set further out, and those of ``let``;
- a text with values in braces after ``=``: ``=rater-{$n}``, ``=topic-{$row:03}``;
- a list of values: the first that is not empty;
- ``{key = "…"}`` for a key that looks like something else, and ``{constant = "…"}`` for a text as it is;
- a table of a value and changes: ``{value = "answer", do = [{map = {yes = 1, no = 0}}]}``.

Nothing in a value can open a file, run code, or take more time than the size of the item allows.
"""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import PurePosixPath
from statistics import mean
from typing import Any
from urllib.parse import unquote

from core.errors import InputError
from core.numerals import parse_number
from storage.formats.readers.fields import Problems, list_field, name_field, text_field
from storage.formats.readers.tables.column_roles import answers
from storage.formats.readers.tables.table_cells import as_text

EMPTY: tuple[Any, ...] = (None, "", [], {})
KINDS = {"value", "key", "constant"}
"""Keys of a table that gives a value: one of these, and optionally ``do``."""
_LONGEST = 2**20
"""Characters of a text that is put together, and values of a list."""
_LONGEST_LABEL, _LONGEST_EXPRESSION, _MOST_REPEATED = 1000, 2000, 1000
"""Characters of what replaces or joins texts and of an expression, and how often that repeats a part."""
_MOST_JOINED, _MOST_PARTS = 2**26, 2**20
_SECONDS = 1.0
"""Time limit of a regular expression, which may come from a stranger."""


class Unfit(Exception):
    """A value cannot be read. what, remedy: as of `core.errors.Problem`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what, self.remedy = what, remedy


SEEN: ContextVar[dict[str, dict[str, Any]]] = ContextVar("seen")
"""What changes of the mapping that is compiled have in common, by their argument."""

BAD = object()
"""Result of a value that cannot be read; the problem was added."""


@dataclass(slots=True)
class Scope:
    """An item that is read. place: its path in the row, empty or with a dot at its end."""

    item: Any
    names: dict[str, Any]
    problems: Problems
    place: str = ""

    def inner(self, item: Any, place: str, /, **names: Any) -> Scope:
        """Return the scope of an item in this one; names that are set in it are unknown here."""
        return Scope(item, self.names | names, self.problems, place)

    def at(self, label: str) -> str:
        """Return the path of a value for a message."""
        return (self.place + label).removesuffix(".@").removesuffix(".") if label != "@" else self.place[:-1]

    def fault(self, label: str, what: str, remedy: str) -> None:
        """Add a problem with a value of the item."""
        self.problems.add(self.at(label), what, remedy)


Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a mapping. label: its path, for messages. needs_object: it is a key of the item."""

    label: str
    get: Callable[[Scope], Any]
    changes: tuple[Change, ...] = ()
    needs_object: bool = False

    def __call__(self, scope: Scope) -> Any:
        """Return the value of an item; `BAD` with a problem if it cannot be read."""
        try:
            value = self.get(scope)
            for change in self.changes:
                size = _size(value)
                value = change(value)
                if (grown := _size(value)) > _LONGEST and grown > 2 * size:
                    raise Unfit("The value that the mapping makes is too long.", "Correct the mapping.")
        except Unfit as error:
            scope.fault(self.label, error.what, error.remedy)
            return BAD
        return value


class Stop(Exception):
    """The item has no valid name; it and what is in it cannot be read."""


def value_of(value: Value | None, scope: Scope) -> Any:
    """Return an optional value of an item; None if there is none, or with a problem if it cannot be read."""
    found = value(scope) if value is not None else None
    return None if found is BAD else found


def text_in(value: Value | None, scope: Scope) -> str:
    """Return a value as a text, empty if it is missing."""
    found = value_of(value, scope)
    return "" if found in EMPTY else as_text(found)


def plain_in(value: Value | None, scope: Scope) -> str:
    """Return a value that must be a text, empty if it is missing."""
    label = value.label if value is not None else ""
    return text_field({label: value_of(value, scope)}, label, scope.problems, required=False)


def list_in(value: Value | None, scope: Scope) -> Sequence[Any]:
    """Return a value that must be a list, empty if it is missing."""
    label = value.label if value is not None else ""
    return list_field({label: value_of(value, scope)}, label, scope.problems)


def name_in(value: Value | None, scope: Scope, role: str, *, is_optional: bool = False) -> str:
    """Return a name, empty if it is missing. Raises Stop if it is not valid.

    role: what it names. is_optional: it may be missing in a file; without a value it always is.
    """
    if value is None:
        return ""
    found = value(scope)
    if found is BAD:
        raise Stop
    if is_optional and found in EMPTY:
        return ""
    cell = as_text(found) if isinstance(found, int | float) and not isinstance(found, bool) else found
    label = scope.at(value.label) if value.needs_object or value.label == "@" else role
    name = name_field({label: cell}, label, scope.problems)
    if not name:
        raise Stop
    return name


def needed(name: str, scope: Scope) -> str:
    """Return a name that was set by a level. Raises Stop if none was."""
    found = scope.names.get(name)
    if not found:
        scope.fault("@", f"The {name} is missing.", f"Choose what names the {name}.")
        raise Stop
    return str(found)


def _size(value: Any) -> int:
    """Return the characters of a text, or of the texts in a list and their number."""
    if isinstance(value, list):
        return sum(len(one) if isinstance(one, str | list) else 1 for one in value) + len(value)
    return len(value) if isinstance(value, str) else 0


def compiled(written: Any) -> Value:
    """Return a value as it is written in a mapping. Raises ValueError with what is wrong with it."""
    if isinstance(written, str):
        return _of_text(written)
    if isinstance(written, bool | int | float):
        return Value(str(written), lambda scope: written)
    if isinstance(written, list) and written:
        return _first_of([compiled(one) for one in written])
    if isinstance(written, Mapping) and len(names := set(written) - {"do"}) == 1 and names <= KINDS:
        inner, steps = _of_kind(name := names.pop(), written[name]), written.get("do", [])
        changes = [_change(step) for step in (steps if isinstance(steps, list) else [steps])]
        return Value(inner.label, inner.get, (*inner.changes, *changes), inner.needs_object)
    raise ValueError(f'{as_text(written)[:60]} is no value. Write a path, or {{value = "path", do = […]}}.')


def _of_kind(kind: str, written: Any) -> Value:
    if kind == "value":
        return compiled(written)
    if not isinstance(written, str):
        raise ValueError(f"{kind} is no text")
    if kind == "constant":
        return Value(written, lambda scope: written)
    return Value(written, lambda scope: scope.item.get(written), needs_object=True)


def _of_text(written: str) -> Value:
    if written.startswith("="):
        return _template(written[1:])
    if written.startswith("$"):
        name = written[1:]
        return Value(name, lambda scope: scope.names.get(name))
    if written == "@":
        return Value("@", lambda scope: scope.item)
    return Value(written, _getter(written), needs_object=True)


def _getter(path: str) -> Callable[[Scope], Any]:
    search = _path(path)

    def get(scope: Scope) -> Any:
        item = scope.item
        if isinstance(item, Mapping) and path in item:
            return item.get(path)
        return search(item) if search is not None and isinstance(item, Mapping | list) else None

    return get


@cache
def _path(written: str) -> Callable[[Any], Any] | None:
    """Return what finds the values of a JMESPath, None = it is only the name of a column."""
    import jmespath
    from jmespath.exceptions import JMESPathError, ParseError

    try:
        found = jmespath.compile(written)
    except (ParseError, RecursionError):
        return None  # such as “Answer 1 (%)”
    nodes = list(_nodes(found.parsed))
    if len(nodes) > _MOST_NODES or sum(node["type"].startswith("multi_select") for node in nodes) > 1:
        raise ValueError(f"{written[:60]} is too long for a path. Use several levels.")
    if unknown := {node["value"] for node in nodes if node["type"] == "function_expression"} - _FUNCTIONS:
        raise ValueError(f"{written[:60]} uses {', '.join(map(str, unknown))}. Use {', '.join(_FUNCTIONS)}.")
    if len(nodes) == 1 and nodes[0]["type"] == "field" and nodes[0]["value"] == written:
        return None

    def search(item: Any) -> Any:
        try:
            return found.search(item, options=_path_options())
        except JMESPathError as error:
            raise Unfit(
                f"The path {written[:60]} does not fit: {str(error)[:120]}.", "Correct it."
            ) from error

    return search


@cache
def _path_options() -> Any:
    """Return options of paths whose functions take records of files as objects."""
    from jmespath import Options
    from jmespath.functions import Functions

    class RecordFunctions(Functions):  # type: ignore[misc]  # jmespath has no types
        def _type_check_single(self, current: Any, *rest: Any) -> Any:
            return super()._type_check_single({} if isinstance(current, Mapping) else current, *rest)

    return Options(custom_functions=RecordFunctions())


_MOST_NODES = 40
_FUNCTIONS = {"length", "keys", "values", "contains", "starts_with", "ends_with", "sort", "reverse",
              "not_null", "max", "min", "sum", "avg", "to_string", "to_number", "type"}  # fmt: skip


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node.get("children", ()):
        if isinstance(child, Mapping):
            yield from _nodes(child)


def _template(written: str) -> Value:
    """Return a text with values in braces."""
    parts: list[str | tuple[Value, str]] = []
    rest = written
    while "{" in rest:
        before, _, rest = rest.partition("{")
        inner, closed, rest = rest.partition("}")
        if not closed:
            raise ValueError(f"={written[:60]} has a brace that is not closed.")
        name, _, width = inner.partition(":")
        if width and not width.isdecimal():
            raise ValueError(f"{inner[:40]}: write a number of digits after the colon, such as 03.")
        parts += [before, (_of_text(name), width)]
    parts.append(rest)
    fixed = "".join(part for part in parts if isinstance(part, str))
    values = [part[0] for part in parts if isinstance(part, tuple)]
    label = next((one.label for one in values if one.needs_object), fixed)

    def get(scope: Scope) -> Any:
        texts = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
                continue
            value = part[0].get(scope)
            if value in EMPTY:
                return None
            texts.append(as_text(value).zfill(int(part[1] or 0)) if len(part[1]) < 3 else as_text(value))
        length = sum(map(len, texts))
        if length > _LONGEST:
            raise Unfit("The text that the mapping makes is too long.", "Correct the mapping.")
        if length > _LONGEST >> 4:
            scope.problems.memory.take(length)  # usual ones are names
        return "".join(texts)

    return Value(label, get, needs_object=any(one.needs_object for one in values))


def _first_of(values: Sequence[Value]) -> Value:
    def get(scope: Scope) -> Any:
        value: Any = None
        for one in values:
            value = one.get(scope)
            for change in one.changes:
                value = change(value)
            if value not in EMPTY and value != [None]:
                return value
        return value

    return Value(values[0].label, get, needs_object=all(one.needs_object for one in values))


# Changes


def _change(step: Any) -> Change:
    """Return one change of a list ``do``: a name, or a table of a name and its argument."""
    name, argument = step, None
    if isinstance(step, Mapping) and len(step) == 1:
        name, argument = next(iter(step.items()))
    if not isinstance(name, str) or name not in _CHANGES:
        raise ValueError(f"{as_text(step)[:60]} is no change. Write one of {', '.join(_CHANGES)}.")
    return _CHANGES[name](argument)


_CHANGES: dict[str, Callable[[Any], Change]] = {}


def _named(make: Callable[[Any], Change]) -> Callable[[Any], Change]:
    _CHANGES[make.__name__.strip("_")] = make
    return make


def _each(change: Callable[[str], Any]) -> Change:
    """Return a change of a text, or of each text in a list; other values stay."""

    def apply(value: Any) -> Any:
        if isinstance(value, list):
            return [apply(one) for one in value]
        return change(value) if isinstance(value, str) else value

    return apply


def _text_of(argument: Any, name: str) -> str:
    if not isinstance(argument, str) or not argument:
        raise ValueError(f'{name} needs a text, such as {{{name} = "-"}}.')
    return argument


@_named
def _strip(argument: Any) -> Change:
    """Remove white space around texts, or the given characters."""
    return _each(lambda text: text.strip(argument))


@_named
def _lower(argument: Any) -> Change:
    return _each(str.lower)


@_named
def _spaces(argument: Any) -> Change:
    """Make every run of white space one space."""
    return _each(lambda text: " ".join(text.split()))


@_named
def _split(argument: Any) -> Change:
    """Split a text into a list, at a text, or at white space with ``true``."""
    mark = None if argument is True else _text_of(argument, "split")

    def change(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        parts = value.split(mark, _MOST_PARTS) if value.strip() else []
        if len(parts) > _MOST_PARTS:
            raise Unfit("There are too many parts.", "Split the file, or correct the mapping.")
        return parts

    return change


@_named
def _filled(argument: Any) -> Change:
    """Remove empty elements from a list."""
    return lambda value: (
        [one for one in value if one not in EMPTY and as_text(one).strip()]
        if isinstance(value, list)
        else value
    )


@_named
def _join(argument: Any) -> Change:
    """Join the texts of a list."""
    mark = argument if isinstance(argument, str) else " "
    if len(mark) > _LONGEST_LABEL:
        raise ValueError(f"join needs a text of at most {_LONGEST_LABEL} characters")

    def change(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if _size(value) + len(mark) * len(value) > _MOST_JOINED:
            raise Unfit("The joined text is too long.", "Split the file, or correct the mapping.")
        return mark.join(as_text(one) for one in value)

    return change


@_named
def _prefix(argument: Any) -> Change:
    """Remove a text from the beginning, if it is there."""
    return _each(lambda text: text.removeprefix(_text_of(argument, "prefix")))


@_named
def _suffix(argument: Any) -> Change:
    """Remove a text from the end, if it is there."""
    return _each(lambda text: text.removesuffix(_text_of(argument, "suffix")))


@_named
def _before(argument: Any) -> Change:
    """Keep what is before the last occurrence of a text: the first part of a compound key."""
    mark = _text_of(argument, "before")
    return _each(lambda text: text.rpartition(mark)[0] or text)


@_named
def _after(argument: Any) -> Change:
    """Keep what is after the last occurrence of a text: the last part of a compound key."""
    mark = _text_of(argument, "after")
    return _each(lambda text: text.rpartition(mark)[2])


@_named
def _part(argument: Any) -> Change:
    """Keep what a regular expression finds, or its first group; nothing if it finds nothing."""
    search = expression(_text_of(argument, "part"))

    def find(text: str) -> str | None:
        found = search(text)
        return None if found is None else next(iter(found.groups()), None) or found[0]

    return _each(find)


@_named
def _name(argument: Any) -> Change:
    """Keep the last part of a path of a file."""
    return _each(lambda text: PurePosixPath(text.replace("\\", "/")).name)


@_named
def _html(argument: Any) -> Change:
    """Free a text from HTML; paragraphs become lines. ``{html = "marked"}``: only a text with paragraphs."""
    return _each(lambda text: plain_text(text) if argument is None or re.search(_TAG, text) else text)


@_named
def _unquote(argument: Any) -> Change:
    """Decode ``%20`` and the like, as in a URL."""
    return _each(unquote)


@_named
def _literal(argument: Any) -> Change:
    """Read a list or object that is written as a text, in JSON or as Python writes it."""
    return _each(read_literal)


@_named
def _map(argument: Any) -> Change:
    """Replace words by others; ``"*"`` stands for any other word, ``"*" = "*"`` keeps it."""
    if not isinstance(argument, Mapping) or not argument:
        raise ValueError("map needs a table, such as {map = {yes = 1, no = 0}}.")
    labels = dict(argument)
    if any(isinstance(one, list | dict) or len(as_text(one)) > _LONGEST_LABEL for one in labels.values()):
        raise ValueError(f"map needs texts of at most {_LONGEST_LABEL} characters, or numbers")
    rest = labels.pop("*", None)

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(one) for one in value]
        if value in EMPTY:
            return value
        text = as_text(value)
        if text in labels:
            return labels[text]
        if text.strip().casefold() in (folded := {str(key).casefold(): one for key, one in labels.items()}):
            return folded[text.strip().casefold()]
        if rest is not None:
            return value if rest == "*" else rest
        raise Unfit(f"{text[:60]!r} is unknown.", f"Write one of: {', '.join(map(str, labels))}.")

    return change


@_named
def _yes_no(argument: Any) -> Change:
    """Make 1 of yes, true and the like, and 0 of no."""
    return _map(dict(answers()))


@_named
def _is(argument: Any) -> Change:
    """Tell whether the value is a text, or one of several, whatever its case."""
    words = {as_text(one).casefold() for one in (argument if isinstance(argument, list) else [argument])}
    return lambda value: as_text(value).strip().casefold() in words


@_named
def _not(argument: Any) -> Change:
    return lambda value: value in EMPTY or value is False


@_named
def _number(argument: Any) -> Change:
    """Make a number of the first one in a text, such as ``4`` of ``Rating: 4``."""
    search = expression(r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)")

    def find(text: str) -> Any:
        found = search(text)
        return text if found is None else parse_number(found[0])

    return _each(find)


@_named
def _times(argument: Any) -> Change:
    return _arithmetic(argument, "times", lambda number, other: number * other)


@_named
def _plus(argument: Any) -> Change:
    return _arithmetic(argument, "plus", lambda number, other: number + other)


def _arithmetic(argument: Any, name: str, change: Callable[[float, float], float]) -> Change:
    other = parse_number(argument)
    if other is None:
        raise ValueError(f"{name} needs a number, such as {{{name} = 10}}.")

    def apply(value: Any) -> Any:
        number = parse_number(value)
        return value if number is None else change(number, other)

    return apply


@_named
def _mean(argument: Any) -> Change:
    """Return the mean of a list of numbers; nothing for an empty one."""
    return lambda value: mean(numbers) if (numbers := _all_numbers(value)) else None


@_named
def _majority(argument: Any) -> Change:
    """Return 1 if more than half of a list of zeros and ones is one, else 0."""
    return lambda value: float(mean(numbers) > 0.5) if (numbers := _all_numbers(value)) else None


def _all_numbers(value: Any) -> list[float]:
    values = value if isinstance(value, list) else [value]
    return [number for one in values if (number := parse_number(one)) is not None]


@_named
def _at(argument: Any) -> Change:
    """Return one element of a list, from 0; negative numbers count from its end."""
    if not isinstance(argument, int):
        raise ValueError("at needs a whole number, such as {at = 0}.")
    size = argument + 1 if argument >= 0 else -argument
    return lambda value: value[argument] if isinstance(value, list) and len(value) >= size else None


@_named
def _length(argument: Any) -> Change:
    return lambda value: len(value) if isinstance(value, list | str | Mapping) else 0


@_named
def _flatten(argument: Any) -> Change:
    """Make one list of a list of lists."""
    return lambda value: (
        [inner for one in value for inner in (one if isinstance(one, list) else [one])]
        if isinstance(value, list)
        else value
    )


@_named
def _dedent(argument: Any) -> Change:
    """Remove white space around each line, and empty lines."""
    return _each(lambda text: "\n".join(filter(None, map(str.strip, text.splitlines()))))


@_named
def _count(argument: Any) -> Change:
    """Number the occurrences of a value from 1: the third rater of a summary without names."""
    seen: dict[str, int] = {}

    def number(value: Any) -> int:
        key = json.dumps(value, default=str)
        seen[key] = seen.get(key, 0) + 1
        return seen[key]

    return number


@_named
def _versions(argument: Any) -> Change:
    """Tell different texts of one name apart: of a list, the last value is a text, the one before it a name.

    The second text of a name with the same values before it is called ``name-2``. ``{versions = "any"}``:
    changes with one argument share what they have seen.
    """
    seen: dict[str, dict[str, int]] = SEEN.get({}).setdefault(str(argument), {}) if argument else {}

    def name(value: Any) -> Any:
        if not isinstance(value, list) or len(value) < 2 or value[-2] in EMPTY:
            return None
        known = seen.setdefault(json.dumps(value[:-1], default=str), {})
        number = known.setdefault(as_text(value[-1]), len(known) + 1)
        return as_text(value[-2]) + (f"-{number}" if number > 1 else "")

    return name


@_named
def _chosen(argument: Any) -> Change:
    """Return the key of an object whose value is true, such as that of a radio button."""
    return lambda value: (
        next((key for key, one in value.items() if one is True), None)
        if isinstance(value, Mapping)
        else value
    )


@_named
def _distinct(argument: Any) -> Change:
    """Number the different values from 1, in their order: equal documents are one topic."""
    seen: dict[str, int] = {}

    def number(value: Any) -> Any:
        return None if value in EMPTY else seen.setdefault(json.dumps(value, default=str), len(seen) + 1)

    return number


@_named
def _sentences(argument: Any) -> Change:
    """Make a list of the sentences that marks such as ``<t>`` and ``</t>`` enclose, where a text has any."""
    if not (isinstance(argument, list) and len(argument) == 2 and all(isinstance(m, str) for m in argument)):
        raise ValueError('sentences needs two marks, such as {sentences = ["<t>", "</t>"]}.')
    start, end = argument

    def change(text: str) -> Any:
        inner = text.strip()
        if not (inner.startswith(start) and inner.endswith(end)):
            return text
        parts = inner.removeprefix(start).removesuffix(end).split(end)
        if not all(part.strip().startswith(start) for part in parts[1:]):
            return text
        sentences = [parts[0], *(part.strip().removeprefix(start) for part in parts[1:])]
        has_marks = any(start in one or end in one for one in sentences)
        return text if has_marks else [one.strip() for one in sentences]

    return _each(change)


@dataclass(frozen=True, slots=True)
class _Expression:
    pattern: Any = field(compare=False)

    def __call__(self, text: str) -> Any:
        import regex

        try:
            return self.pattern.search(text[:_LONGEST], timeout=_SECONDS)
        except (TimeoutError, regex.error) as error:  # once is enough: there may be many texts
            what = f"The expression {self.pattern.pattern[:60]!r} of the mapping takes too long."
            raise InputError(f"{what} Make it simpler.") from error


@cache
def expression(written: str) -> _Expression:
    """Return a regular expression with a limit of time. Raises ValueError if it is none."""
    import regex

    counts = [int(one) for one in re.findall(r"[{,](\d{1,9})", written)]
    if len(written) > _LONGEST_EXPRESSION or prod(one for one in counts if one) > _MOST_REPEATED:
        raise ValueError(f"{written[:60]!r} is too long, or repeats too much")
    try:
        return _Expression(regex.compile(written))
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{written[:60]!r} is no regular expression: {error}.") from error


def read_literal(text: str) -> Any:
    """Return the list or object that a text spells out in JSON or Python; other texts stay."""
    if not text.lstrip().startswith(("[", "{", "(")):
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return list(value) if isinstance(value, tuple | set) else value
    return text


_TAG = r"(?i)</?(?:p|br|div)\s*/?>"


def plain_text(text: str) -> str:
    """Return a text without HTML, with a line per paragraph."""
    lines = (" ".join(html.unescape(part).split()) for part in re.split(_TAG, text))
    return "\n".join(filter(None, lines))
