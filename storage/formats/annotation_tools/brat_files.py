"""Lines of brat's annotation files (.ann): spans, attributes, notes, equivalences.

Offsets count code points of the text file, which the program writes with line feeds. A span does not cross a
line end: brat writes the lines as fragments of a discontinuous span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.domain.study import Span
from storage.formats.memory import ROW
from storage.formats.offsets import moved_offsets, unix
from storage.formats.readers.fields import Problems

_LINE_ENDS = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]+")
_ID = re.compile(r"(?P<prefix>[A-Za-z]+|#[A-Za-z]*)(?P<number>[0-9]+)\S*")
_SPAN = re.compile(r"(?P<type>\S+) (?P<fragments>[0-9]{1,12} [0-9]{1,12}(?:;[0-9]{1,12} [0-9]{1,12})*)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x0b": "\\v", "\x0c": "\\f"}
_UNESCAPED = {escaped: sign for sign, escaped in _ESCAPES.items()}
_UNUSUAL = re.compile("[\\\\\n\r\t\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_ESCAPED = re.compile(r"\\(?:[\\nrtvf]|u[0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class BratSpan:
    """A text-bound annotation, with the number of its line."""

    id: str
    type: str
    fragments: tuple[Span, ...]
    words: str
    line: int


@dataclass(slots=True)
class AnnFile:
    """Content of an annotation file.

    attributes: by the id they belong to, name and value; a flag has the value "".
    notes: by the id they belong to, type and text.
    equivalent: groups of ids. relations: type and the two ids.
    others: number of lines of other kinds, by kind.
    """

    spans: dict[str, BratSpan] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    equivalent: list[tuple[str, ...]] = field(default_factory=list)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)


_KINDS = {"E": "events", "N": "normalizations", "R": "relations"}
_WRITE = "Write it as brat does, such as T1<tab>SCU 0 5<tab>words."


def decode(content: str, problems: Problems) -> AnnFile:
    """Read an annotation file; problems have the file and the line."""
    found, file, ids = AnnFile(), problems.place, set()
    for number, line in enumerate(content.split("\n"), 1):
        problems.place = f"{file}, line {number}"
        line = line.removesuffix("\r")
        if not line.strip():
            continue
        problems.memory.take(ROW)
        name, tab, rest = line.partition("\t")
        if name == "*":
            words = rest.split()
            found.equivalent.append(tuple(words[1:]))
            continue
        if not tab or not _ID.fullmatch(name):
            problems.add("", f"“{line[:40]}” does not begin with an id and a tab.", _WRITE)
            continue
        if name in ids:
            problems.add("", f"The id {name[:40]} occurs twice.", "Give each annotation its own id.")
            continue
        ids.add(name)
        _take(found, name, rest, number, problems)
    problems.place = file
    return found


def _take(found: AnnFile, name: str, rest: str, line: int, problems: Problems) -> None:
    head, _, tail = rest.partition("\t")
    words = head.split()
    if name[0] == "T":
        match = _SPAN.fullmatch(head.strip())
        if match is None:
            problems.add("", f"“{head[:40]}” is not a type with start and end.", _WRITE)
            return
        pairs = [fragment.split() for fragment in match["fragments"].split(";")]
        spans = tuple((int(start), int(end)) for start, end in pairs)
        found.spans[name] = BratSpan(name, match["type"], spans, tail, line)
    elif name[0] in "AM" and len(words) in (2, 3):
        found.attributes.setdefault(words[1], {})[words[0]] = words[2] if len(words) == 3 else ""
    elif name[0] == "#" and len(words) == 2:
        found.notes.setdefault(words[1], []).append((words[0], tail))
    elif name[0] == "R" and len(words) == 3:
        ends = [word.partition(":")[2] for word in words[1:]]
        found.relations.append((words[0], ends[0], ends[1]))
    else:
        kind = _KINDS.get(name[0], "lines of an unknown kind")
        found.others[kind] = found.others.get(kind, 0) + 1


def fragments_of(text: str, parts: Iterable[Span]) -> tuple[Span, ...]:
    """Return what parts cover as sorted fragments without line ends; empty if they cover nothing else."""
    covered: list[list[int]] = []
    for start, end in sorted(parts):
        if covered and start < covered[-1][1]:
            covered[-1][1] = max(covered[-1][1], end)
        else:
            covered.append([start, end])
    found: list[Span] = []
    for start, end in covered:
        at = start
        for gap in _LINE_ENDS.finditer(text, start, end):
            if at < gap.start():
                found.append((at, gap.start()))
            at = gap.end()
        if at < end:
            found.append((at, end))
    return tuple(found)


def joined(text: str, fragments: Sequence[Span]) -> tuple[Span, ...]:
    """Join fragments that only line ends separate."""
    found: list[Span] = []
    for start, end in fragments:
        if found and start > found[-1][1] and _LINE_ENDS.fullmatch(text, found[-1][1], start):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return tuple(found)


def words_of(text: str, fragments: Sequence[Span]) -> str:
    """Return the text of fragments as brat writes it."""
    return " ".join(text[start:end] for start, end in fragments)


def span_line(name: str, kind: str, text: str, fragments: Sequence[Span]) -> str:
    """Return the line of a span."""
    places = ";".join(f"{start} {end}" for start, end in fragments)
    return f"{name}\t{kind} {places}\t{words_of(text, fragments)}"


def escaped(text: str) -> str:
    """Return a note on one line."""
    return _UNUSUAL.sub(lambda m: _ESCAPES.get(m[0], f"\\u{ord(m[0]):04x}"), text)


def unescaped(note: str) -> str:
    """Return the text of an escaped note."""
    return _ESCAPED.sub(lambda m: _UNESCAPED.get(m[0]) or chr(int(m[0][2:], 16)), note)


class LineFeeds:
    """A text with line feeds as line ends, as brat writes it, and its offsets.

    length: of the study's text.
    """

    def __init__(self, text: str) -> None:
        self.text, self.length = unix(text), len(text)
        self._to_file = moved_offsets(text, self.text)
        self._to_study = moved_offsets(self.text, text)

    def to_file(self, at: int) -> int:
        """Return the offset in the file of one in the study's text."""
        return self._to_file[at]

    def spans_in_study(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return spans of the file as spans of the study's text."""
        return tuple((self._to_study[start], self._to_study[end]) for start, end in spans)
