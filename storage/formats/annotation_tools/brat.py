"""brat standoff: a folder of texts (.txt) with annotations (.ann), written and read.

Contributors and matches are spans of the type SCU or Nugget, with the unit as an attribute and its label as
a note; marked spans have a type per category. Spans of other types become marked spans of the scale *brat*.

Offsets count code points of the text file, which the program writes with line feeds. A span does not cross a
line end: brat writes the lines as fragments of a discontinuous span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.pyramid import UnitKind
from core.domain.study import Span
from core.files.file_names import FileNames
from core.files.paths import access_errors, list_files
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools.study_marks import MarkedText, StudyMarks, TextKey, UnitMark
from storage.formats.annotation_tools.tool_folders import (
    MANIFEST,
    FolderReader,
    Manifest,
    Spans,
    TextEntry,
    write_folder,
)
from storage.formats.annotation_tools.tool_import import ToolImport
from storage.formats.format_types import Export, Format, Options
from storage.formats.memory import ROW
from storage.formats.offsets import moved_offsets, unix
from storage.formats.readers.fields import Problems, decoded
from storage.formats.readers.usage import current

ANNOTATOR = SCALE = "brat"
_TYPES = {UnitKind.SCU: "SCU", UnitKind.NUGGET: "Nugget"}
_UNIT_TYPE = re.compile(r"(?P<kind>SCU|Nugget)(?:[:_-](?P<unit>\S+))?")
_UNIT, _PARTIAL, _AUTOMATIC, _PARTS = "Unit", "Partial", "Automatic", "Parts"
_LABEL, _COMMENT = "AnnotatorNotes", "Comment"
_SAME = "SameSCU"
_PART = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_UNFIT = re.compile("[^A-Za-z0-9_-]+")
_SUFFIXES = (".txt", ".ann", MANIFEST)
_LINE_ENDS = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]+")
_ID = re.compile(r"(?P<prefix>[A-Za-z]+|#[A-Za-z]*)(?P<number>[0-9]+)\S*")
_SPAN = re.compile(r"(?P<type>\S+) (?P<fragments>[0-9]{1,12} [0-9]{1,12}(?:;[0-9]{1,12} [0-9]{1,12})*)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\x0b": "\\v", "\x0c": "\\f"}
_UNESCAPED = {escaped: sign for sign, escaped in _ESCAPES.items()}
_UNUSUAL = re.compile("[\\\\\n\r\t\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_ESCAPED = re.compile(r"\\(?:[\\nrtvf]|u[0-9a-f]{4})")
_KINDS = {"E": "events", "N": "normalizations", "R": "relations"}
_WRITE = "Write it as brat does, such as T1<tab>SCU 0 5<tab>words."


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
    """A text with line feeds as line ends, as brat writes it, and its offsets."""

    def __init__(self, text: str) -> None:
        self.text = unix(text)
        self._to_file = moved_offsets(text, self.text)
        self._to_study = moved_offsets(self.text, text)

    def to_file(self, at: int) -> int:
        """Return the offset in the file of one in the study's text."""
        return self._to_file[at]

    def spans_in_study(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return spans of the file as spans of the study's text."""
        return tuple((self._to_study[start], self._to_study[end]) for start, end in spans)


def recognises(path: Path) -> bool:
    """Return whether a folder holds an annotation file next to its text."""
    with access_errors(path):
        return path.is_dir() and any(
            file.suffix == ".ann" and file.with_suffix(".txt").is_file() for file in list_files(path)
        )


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write the study's marked texts into a folder, as `write_folder` does.

    Each text has a ``.txt`` and an ``.ann``; ``annotation.conf`` and ``visual.conf`` configure brat.
    """
    return write_folder(study, folder, (".txt", ".ann"), _BratWriter)


class _BratWriter:
    """Lines of annotation files, and the settings that name their types and values."""

    def __init__(self, marks: StudyMarks, manifest: Manifest) -> None:
        self._manifest = manifest
        self._numbers = {(one.topic, one.owner, one.kind): n for n, one in enumerate(marks.lists, 1)}
        self._units: dict[str, None] = {}
        types = FileNames("-")
        for kind in _TYPES.values():
            types.reserve(kind, "")
        self._types: dict[tuple[str, str], str] = {}
        for scale in marks.scales:
            for _, category in scale.anchors:
                stem = _UNFIT.sub("-", f"{scale.name}-{category}").strip("-") or "span"
                name = self._types[scale.name, category] = types.reserve(stem, "")
                self._manifest.types[name] = scale.name, category

    def files(self, name: str, text: MarkedText) -> dict[str, str]:
        """Return a text and its annotation file, and enter the text into the manifest."""
        content = LineFeeds(text.text.content)
        spans: list[str] = []
        notes: list[str] = []
        without: list[Mapping[str, Any]] = []

        def add(kind: str, parts: Sequence[Span], about: Mapping[str, str], texts: Mapping[str, str]) -> bool:
            inside = tuple((content.to_file(start), content.to_file(end)) for start, end in parts)
            fragments = fragments_of(content.text, inside)
            if not fragments:
                return False
            spans.append(span_line(f"T{len(spans) + 1}", kind, content.text, fragments))
            target = f"T{len(spans)}"
            if content.spans_in_study(joined(content.text, fragments)) != tuple(parts):
                about = {**about, _PARTS: ",".join(f"{start}-{end}" for start, end in parts)}
            for attribute, value in about.items():
                notes.append(f"A{len(notes) + 1}\t{attribute} {target} {value}".rstrip())
            for label, note in texts.items():
                if note:
                    notes.append(f"#{len(notes) + 1}\t{label} {target}\t{escaped(note)}")
            return True

        for mark in text.units:
            unit = f"L{self._numbers[text.key.topic, mark.owner, mark.kind]}.{mark.unit or 0}"
            self._units[unit] = None
            about = {_UNIT: unit}
            if mark.is_partial:
                about[_PARTIAL] = ""
            if not mark.is_confirmed:
                about[_AUTOMATIC] = ""
            texts = {_LABEL: mark.label, _COMMENT: mark.comment}
            if not add(_TYPES[mark.kind], mark.parts, about, texts):
                without.append(_record(unit, mark))
        for rating in text.ratings:
            for start, end, category in rating.spans:
                if not add(self._types[rating.scale, category], [(start, end)], {}, {}):
                    without.append({"scale": rating.scale, "category": category, "parts": [[start, end]]})
        self._manifest.add(name, text, without)
        lines = "".join(f"{line}\n" for line in (*spans, *notes))
        return {f"{name}.txt": content.text, f"{name}.ann": lines}

    def settings(self) -> dict[str, str]:
        """Return brat's configuration, by file name."""
        kinds = [*_TYPES.values(), *self._manifest.types]
        values = f", Value:{'|'.join(self._units)}" if self._units else ""
        overlap = "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>"
        annotation = (
            *("[entities]", *kinds, ""),
            *("[relations]", overlap, f"{_SAME}\tArg1:<ENTITY>, Arg2:<ENTITY>, <REL-TYPE>:symmetric", ""),
            *("[events]", ""),
            *("[attributes]", f"{_UNIT}\tArg:<ENTITY>{values}", f"{_PARTIAL}\tArg:<ENTITY>"),
            f"{_AUTOMATIC}\tArg:<ENTITY>",
        )
        visual = ["[labels]", *(f"{n} | {_label(pair)}" for n, pair in self._manifest.types.items())]
        return {"annotation.conf": "\n".join(annotation) + "\n", "visual.conf": "\n".join(visual) + "\n"}


def _record(unit: str, mark: UnitMark) -> dict[str, Any]:
    parts = [list(span) for span in mark.parts]
    record = {"unit": unit, "kind": mark.kind, "label": mark.label, "parts": parts, "comment": mark.comment}
    return {**record, "confirmed": mark.is_confirmed, "partial": mark.is_partial}


def _label(pair: tuple[str, str]) -> str:
    return escaped(pair[1]).replace("|", "/")


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a folder. Raises BadImport with every problem.

    options: ``annotator`` of files that are in no subfolder named for one.
    """
    reader = _BratReader(ToolImport(path, study, options, ANNOTATOR))
    current().expected += ("*annotation.conf", "*visual.conf", "*tools.conf", "*kb_shortcuts.conf")
    files = reader.collect(path, lambda name: name.endswith(_SUFFIXES))
    names = sorted({name[:-4] for name in files if name.endswith((".txt", ".ann"))})
    for number, name in enumerate(names):
        reader.read(name, files.pop(f"{name}.txt", None), files.pop(f"{name}.ann", None))
        if number % 50 == 0:
            yield Progress(number, len(names), f"reading {name}")
    return reader.tool.finish()


class _BratReader(FolderReader):
    @cached_property
    def units(self) -> dict[str, tuple[str, UnitKind, str]]:
        """Return owner, kind and id of each exported unit by what its attribute is called, such as L1.2."""
        return {
            f"L{number}.{unit or 0}": (one.owner, one.kind, unit)
            for number, one in enumerate(self.manifest.lists, 1)
            for unit in ("", *(each.id for each in one.units))
        }

    def read(self, name: str, text: bytes | None, ann: bytes | None) -> None:
        """Read the annotations of a text."""
        self.problems.place = f"{name}.ann"
        if ann is None:
            self.tool.leave_out("texts without an .ann file", "They have no annotations.")
            return
        if text is None:
            self.problems.add("", f"There is no {name}.txt.", "Add the text to the folder.")
            return
        lines = decoded(ann, self.problems)
        self.problems.place = f"{name}.txt"
        file = decoded(text, self.problems)
        if lines is None or file is None:
            return
        entry = self.manifest.texts.get(name)
        key = entry.key if entry is not None else self.tool.find(file, Path(name).name)
        content = entry.text if entry is not None and unix(entry.text) == file else file
        stored = self.tool.text(key, content, entry.sentences if entry else None) if key is not None else None
        if key is None or stored is None:
            return
        self.tool.text(key, file)  # in which spans are counted
        folder = name.rpartition("/")[0].rpartition("/")[2]
        annotator = entry.annotator if entry is not None else self.tool.annotator(folder)
        self.problems.place = f"{name}.ann"
        found = decode(lines, self.problems)
        self.file(f"{name}.ann", key, annotator, len(found.spans))
        _FileReader(self, found, key, annotator, entry, file, stored).take(f"{name}.ann")


@dataclass(slots=True)
class _FileReader:
    """Reads the annotations of one text. text: as the file has it; stored: as the study has it."""

    reader: _BratReader
    file: AnnFile
    key: TextKey
    annotator: str
    entry: TextEntry | None
    text: str
    stored: str
    same: dict[str, str] = field(default_factory=dict)
    spans: Spans = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)

    def take(self, file_name: str) -> None:
        """Add everything."""
        self._join()
        for span in self.file.spans.values():
            self.reader.tool.problems.place = f"{file_name}, line {span.line}"
            parts = self._parts(span)
            if parts is None:
                continue
            attributes = self.file.attributes.get(span.id, {})
            if _UNIT_TYPE.fullmatch(span.type):
                self._unit_mark(span, parts, attributes)
                continue
            scale, category = self.reader.manifest.types.get(span.type, (SCALE, span.type))
            self.spans.setdefault(scale, []).extend((*part, category) for part in parts)
            notes = (note for _, note in self.file.notes.get(span.id, []))
            self.notes.setdefault(scale, []).extend(notes)
            self._count("attributes of marked spans", len(attributes.keys() - {_PARTS}))
        self.reader.tool.problems.place = file_name
        for record in self.entry.without_span if self.entry is not None else ():
            self._without_span(record)
        self.reader.add_marks(self.key, self.annotator, self.entry, self.spans, self.notes)
        for kind, count in self.file.others.items():
            self._count(kind, count)
        known = self.file.spans.keys()
        lost = sum(len(notes) for target, notes in self.file.notes.items() if target not in known)
        self._count("notes on what is no span", lost)

    def _without_span(self, record: Mapping[str, Any]) -> None:
        """Read a unit or span of the manifest, which brat cannot show."""
        spans = [
            found
            for part in record.get("parts") or ()
            if isinstance(part, list) and len(part) == 2
            if (found := self.reader.tool.span(self.key, *part)) is not None
        ]
        known = self.reader.units.get(str(record.get("unit")))
        if known is not None:
            owner, kind, key = known
            texts = str(record.get("label") or ""), tuple(spans), str(record.get("comment") or "")
            flags = record.get("confirmed") is not False, record.get("partial") is True
            mark = UnitMark(kind, owner, key, *texts, *flags)
            self.reader.tool.mark(self.key, self.annotator, mark)
        elif "scale" in record:
            more = [(*span, str(record.get("category"))) for span in spans]
            self.spans.setdefault(str(record["scale"]), []).extend(more)

    def _parts(self, span: BratSpan) -> tuple[Span, ...] | None:
        """Return the parts of a span in the study's text; None and a problem if they do not fit.

        They are as exported if they still cover the same, else fragments joined over line ends.
        """
        fragments, words = [], span.words
        has_all = len(words) == sum(end - start + 1 for start, end in span.fragments) - 1
        for start, end in span.fragments:
            own = words[: end - start] if has_all else words
            if (found := self.reader.tool.span(self.key, start, end, own)) is None:
                return None
            fragments.append(found)
            words = words[end - start + 1 :] if has_all else words
        stated = self.file.attributes.get(span.id, {}).get(_PARTS, "")
        pairs = [_PART.fullmatch(piece) for piece in stated.split(",")] if stated else []
        parts = [(int(pair[1]), int(pair[2])) for pair in pairs if pair is not None]
        are_inside = all(start < end <= len(self.stored) for start, end in parts)
        if parts and are_inside and fragments_of(self.stored, parts) == tuple(sorted(fragments)):
            return tuple(parts)
        return joined(self.stored, sorted(fragments))

    def _unit_mark(self, span: BratSpan, parts: tuple[Span, ...], attributes: Mapping[str, str]) -> None:
        notes = self.file.notes.get(span.id, [])
        label = next((note for kind, note in notes if kind == _LABEL), "")
        comments = [note for kind, note in notes if kind != _LABEL]
        if self.entry is not None:
            label, comments = unescaped(label), [unescaped(one) for one in comments]
        named = _UNIT_TYPE.fullmatch(span.type)
        assert named is not None
        known = self.reader.units.get(attributes.get(_UNIT, ""))
        if known is not None:
            owner, kind, unit = known
            label = label if unit else ""
        else:
            kind = UnitKind.SCU if named["kind"] == _TYPES[UnitKind.SCU] else UnitKind.NUGGET
            owner, unit = self.annotator, attributes.get(_UNIT) or named["unit"] or ""
            unit = unit or self.same.get(span.id, "") or label or self._words(span)
            label = label or (unit if not attributes.get(_UNIT) else "")
        flags = _AUTOMATIC not in attributes, _PARTIAL in attributes
        mark = UnitMark(kind, owner, unit, label, parts, "\n".join(comments), *flags)
        self.reader.tool.mark(self.key, self.annotator, mark)
        rest = attributes.keys() - {_UNIT, _PARTIAL, _AUTOMATIC, _PARTS}
        self._count("attributes of SCUs and nuggets", len(rest))

    def _words(self, span: BratSpan) -> str:
        """Return the words of a span as the file has them, else those at its place in the file's text."""
        return span.words or words_of(self.text, span.fragments)

    def _join(self) -> None:
        """Give spans that are declared the same a common unit: the label or words of the first one."""
        groups: dict[str, set[str]] = {}
        pairs = [(a, b) for kind, a, b in self.file.relations if kind == _SAME]
        pairs_of = []
        for ids in (*self.file.equivalent, *pairs):
            spans = [one for one in ids if one in self.file.spans]
            pairs_of += [spans] if spans else []
            whole = set(spans).union(*(groups.get(one, set()) for one in spans))
            groups.update(dict.fromkeys(whole, whole))
        for one, group in groups.items():
            first = min(group, key=lambda name: self.file.spans[name].line)
            notes = dict(self.file.notes.get(first, []))
            self.same[one] = notes.get(_LABEL) or self._words(self.file.spans[first])
        marked = (
            all(not _UNIT_TYPE.fullmatch(self.file.spans[one].type) for one in group) for group in pairs_of
        )
        self._count("equivalences of marked spans", sum(marked))
        self._count("relations", sum(kind != _SAME for kind, *_ in self.file.relations))

    def _count(self, what: str, count: int) -> None:
        self.reader.tool.leave_out(what, "They are kept in the files of brat only.", count)


FORMAT = Format(
    "brat",
    "brat (folder)",
    "Texts with SCUs, nuggets or marked spans: NAME.txt and NAME.ann, in a folder per annotator.",
    read,
    recognises,
    asks_annotator=True,
)
EXPORT = Export(
    "annotations",
    "brat",
    "",
    "A folder for brat with the texts that have SCUs, nuggets or marked spans, by annotator.",
    fill=write,
)
