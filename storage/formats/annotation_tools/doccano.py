"""doccano: JSONL of sequence labelling and of text classification, written and read.

A line is a text with labels, and with names as further columns, which doccano keeps. Offsets count UTF-16
units, as in doccano's editor, or grapheme clusters if the project does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.pyramid import UnitKind
from core.domain.ratings import ScaleKind
from core.domain.study import Span
from core.errors import InputError
from core.numerals import parse_number
from core.ports import Study
from core.progress import JobSteps
from storage.formats.annotation_tools.marks import (
    MarkedText,
    SpanRating,
    TextKey,
    TextKind,
    Unit,
    UnitList,
    UnitMark,
    marks_of,
)
from storage.formats.annotation_tools.ratings import RatedSummary, rated_summaries
from storage.formats.annotation_tools.tool_import import Answer, ToolImport
from storage.formats.format_types import Export, Format, Options, Record
from storage.formats.offsets import FileOffsets, OffsetUnit, Utf16Offsets
from storage.formats.readers.fields import Row, json_rows, list_field, text_field
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL

ANNOTATOR = SCALE = "doccano"
OFFSETS = "offsets"
"""Option: ``graphemes`` = the project counts grapheme clusters as one character."""
_WHOLE_PROJECT = ("all", "admin")
"""File names that are no annotator."""

_PREFIXES = {UnitKind.SCU: "SCU", UnitKind.NUGGET: "Nugget"}
_UNIT = re.compile(r"(?P<kind>SCU|Nugget):(?P<unit>.*?)(?:#(?P<copy>[0-9]{1,6}))?", re.DOTALL)
_OUTSIDE = "-"
_LABELS = ("label", "labels", "entities", "cats")
_KEEPS = "They are kept in doccano only."
_WRITE = "Write [[start, end, label], …]."


def is_header(names: set[str]) -> bool:
    """Return whether keys are those of a labelled text."""
    return bool({"text", "data"} & names) and bool(set(_LABELS) & names) and "instance_id" not in names


def records(study: Study) -> Iterator[Record]:
    """Yield each annotator's SCUs, nuggets and marked spans of each text, as a labelled sequence."""
    marks = marks_of(study)
    lists = {(one.topic, one.owner, one.kind): one for one in marks.lists}
    for text in marks.texts:
        for owner, kind in dict.fromkeys((*((m.owner, m.kind) for m in text.units), *sorted(text.done))):
            yield _unit_record(text, lists[text.key.topic, owner, kind])
        for rating in text.ratings:
            offsets = Utf16Offsets(text.text.content)
            spans = [[*_units(offsets, (start, end)), category] for start, end, category in rating.spans]
            about = {"scale": rating.scale, "note": rating.note, "flagged": rating.is_flagged}
            yield {**_head(text, spans), **about, "rated": rating.is_rated}


def _head(text: MarkedText, labels: Sequence[Any]) -> dict[str, Any]:
    owner = "author" if text.key.kind is TextKind.REFERENCE else "system"
    names = {"topic": text.key.topic, owner: text.key.name, "annotator": text.annotator}
    content, words = text.text.content, defaultdict[str, list[str]](list)
    offsets = FileOffsets(content, content)
    for start, end, label in labels:
        first, last = (offsets.to_stored(at, OffsetUnit.UTF16) for at in (start, end))
        words[label].append(content[first:last])
    return {"text": content, "label": list(labels), "words": words, **names}


def _units(offsets: Utf16Offsets, span: Span) -> tuple[int, int]:
    return offsets.units(span[0]), offsets.units(span[1])


def _unit_record(text: MarkedText, known: UnitList) -> dict[str, Any]:
    offsets, labels, about = Utf16Offsets(text.text.content), [], {}
    units = {unit.key: unit for unit in known.units}
    seen: Counter[str] = Counter()
    for mark in text.units:
        if (mark.owner, mark.kind) != (known.owner, known.kind):
            continue
        name = f"{_PREFIXES[mark.kind]}:{mark.unit or _OUTSIDE}"
        seen[name] += 1
        label = name if seen[name] == 1 else f"{name}#{seen[name]}"
        labels += [[*_units(offsets, part), label] for part in mark.parts]
        unit = units.get(mark.unit, Unit("", ""))
        about[label] = {
            "label": unit.label,
            "note": unit.comment,
            "importance": unit.importance,
            "comment": mark.comment,
            "confirmed": mark.is_confirmed,
            "partial": mark.is_partial,
        }
    states = {"done": (known.owner, known.kind) in text.done, "list_done": known.is_done}
    return {**_head(text, labels), "owner": known.owner, "kind": known.kind, "units": about, **states}


def rating_records(study: Study) -> Iterator[Record]:
    """Yield each rating as a classified text; marked spans are labelled sequences of `records`."""
    for summary in rated_summaries(study):
        for rating in summary.ratings:
            if rating.scale.kind is not ScaleKind.SPANS:
                value = "" if rating.value is None else rating.scale.meaning(rating.value)
                if rating.value is not None and rating.scale.kind is ScaleKind.NUMBER:
                    value = f"{rating.value:g}"
                is_text = rating.scale.kind is ScaleKind.TEXT
                labels = [rating.note] if is_text else [value]
                about = {"note": "" if is_text else rating.note, "flagged": rating.is_flagged}
                head = _rating_head(summary, labels if rating.value is not None else [])
                names = {"annotator": rating.annotator, "scale": rating.scale.name}
                yield {**head, **names, "kind": rating.scale.kind, **about}


def _rating_head(summary: RatedSummary, labels: Sequence[str]) -> dict[str, Any]:
    names = {"topic": summary.key.topic, "system": summary.key.name}
    return {"text": summary.text.content, "label": list(labels), **names}


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a file of labelled texts. Raises BadImport with every problem.

    options: ``annotator`` of texts that name none, else the name of the file; OFFSETS.
    """
    stem = path.name.partition(".")[0]
    annotator = ANNOTATOR if stem in _WHOLE_PROJECT else stem
    unit = options.get(OFFSETS) or OffsetUnit.UTF16
    if unit not in (OffsetUnit.UTF16, OffsetUnit.GRAPHEMES):
        raise InputError(f"Unknown unit of offsets {unit!r}. Choose utf-16 or graphemes.")
    reader = _Reader(ToolImport(path, study, options, annotator, has_graphemes=True), OffsetUnit(unit))
    yield from json_rows(path, reader.tool.problems, reader.row)
    return reader.tool.finish()


class _Reader:
    def __init__(self, tool: ToolImport, unit: OffsetUnit) -> None:
        self.tool, self._unit = tool, unit

    def row(self, row: Row) -> None:
        """Read one line."""
        problems = self.tool.problems
        text = text_field(row, "text" if "text" in row else "data", problems)
        annotator = text_field(row, "annotator", problems, required=False)
        key = self._key(row, text) if text else None
        if key is None:
            return
        spans, categories = self._labels(row, key)
        notes = self._comments(row)
        who = self.tool.annotator(annotator)
        if isinstance(row.get("units"), Mapping):
            self._unit_marks(row, key, who, spans)
            if notes:
                self.tool.leave_out("comments on SCUs", _KEEPS)
            return
        rest = []
        for span, label in spans:
            if _UNIT.fullmatch(label):
                self._foreign_unit(key, who, span, label)
            else:
                rest.append((*span, label))
        self._rate(row, key, who, (rest, categories, notes), has_units=len(rest) < len(spans))

    def _rate(
        self,
        row: Row,
        key: TextKey,
        annotator: str,
        found: tuple[list[tuple[int, int, str]], list[str], list[str]],
        *,
        has_units: bool,
    ) -> None:
        """Add the rating of a line: marked spans, a category, a number or a text."""
        rest, categories, notes = found
        scale = text_field(row, "scale", self.tool.problems, required=False)
        note = "\n".join(filter(None, (str(row.get("note") or ""), *notes)))
        name, is_flagged = scale or SCALE, row.get("flagged") is True
        kind = str(row.get("kind") or "")
        known = self.tool.known_scale(name)
        if categories:
            if len(categories) > 1:
                self.tool.leave_out("texts with several labels", "A scale has one category per summary.")
                return
            kind = kind or (known.kind if known is not None else ScaleKind.CATEGORIES)
            self.tool.rate(key, annotator, _answer(name, kind, categories[0], note, is_flagged))
        elif rest or row.get("rated") is not None:
            is_rated = row.get("rated") is not False
            self.tool.rate_spans(key, annotator, SpanRating(name, tuple(rest), note, is_flagged, is_rated))
        elif kind in tuple(ScaleKind) and (note or is_flagged):
            about = None, "", (), note, is_flagged
            self.tool.rate(key, annotator, Answer(name, ScaleKind(kind), *about, is_rated=False))
        elif not has_units:
            self.tool.leave_out("texts without a label", "They have no answer.")

    def _key(self, row: Row, text: str) -> TextKey | None:
        """Return the text of a line by its names, or else by its content."""
        topic = row.get("topic")
        names = [(kind, row.get(field)) for field, kind in _OWNERS.items()]
        given = [(kind, name) for kind, name in names if isinstance(name, str) and name]
        if isinstance(topic, str) and topic and len(given) == 1:
            key = TextKey(topic, *given[0])
        else:
            found = self.tool.find(text)
            if found is None:
                return None
            key = found
        return key if self.tool.text(key, text) is not None else None

    def _labels(self, row: Row, key: TextKey) -> tuple[list[tuple[Span, str]], list[str]]:
        """Return labelled spans and labels of the whole text."""
        spans: list[tuple[Span, str]] = []
        categories: list[str] = []
        problems = self.tool.problems
        for name in _LABELS:
            for label in list_field(row, name, problems):
                if isinstance(label, str):
                    categories.append(label)
                    continue
                if isinstance(label, Mapping):
                    label = [label.get(one) for one in ("start_offset", "end_offset", "label")]
                if not isinstance(label, list) or len(label) != 3 or not isinstance(label[2], str):
                    problems.add(name, "A label is not a start, an end and a text.", _WRITE)
                    continue
                span = self._span(row, key, label)
                if span is not None:
                    spans.append((span, label[2]))
        relations = row.get("relations")
        if isinstance(relations, list) and relations:
            self.tool.leave_out("relations", _KEEPS, len(relations))
        return spans, categories

    def _span(self, row: Row, key: TextKey, label: Sequence[Any]) -> Span | None:
        """Return the span of a label; words that were exported show in which unit offsets count."""
        words, (start, end, name) = row.get("words"), label
        known = words.get(name) if isinstance(words, Mapping) else None
        given = [one for one in known if isinstance(one, str)] if isinstance(known, list) else []
        fitting = self.tool.fitting(key, start, end, given, self._unit)
        return self.tool.span(key, start, end, fitting, unit=self._unit)

    def _comments(self, row: Row) -> list[str]:
        found = []
        for name in ("Comments", "comments"):
            for one in list_field(row, name, self.tool.problems):
                text = one.get("text") if isinstance(one, Mapping) else one
                if isinstance(text, str):
                    found.append(text)
        return found

    def _unit_marks(self, row: Row, key: TextKey, annotator: str, spans: Sequence[tuple[Span, str]]) -> None:
        """Add the units of an exported line, each with all its parts."""
        problems, units = self.tool.problems, row["units"]
        owner = text_field(row, "owner", problems, required=False) or annotator
        given = text_field(row, "kind", problems, required=False) or UnitKind.SCU
        if given not in tuple(UnitKind):
            problems.add("kind", f"“{given[:40]}” is unknown.", f"Write {' or '.join(UnitKind)}.")
            return
        kind = UnitKind(given)
        parts: dict[str, list[Span]] = {label: [] for label in units}
        for span, label in spans:
            if _UNIT.fullmatch(label):
                parts.setdefault(label, []).append(span)
            else:
                self.tool.leave_out("labels next to SCUs and nuggets", _KEEPS)
        listed = []
        for label, own in parts.items():
            named, about = _UNIT.fullmatch(label), units.get(label)
            if named is None:
                problems.add("units", f"“{label[:40]}” is not an SCU or nugget.", "Write SCU:ID.")
                continue
            about = about if isinstance(about, Mapping) else {}
            unit = "" if named["unit"] == _OUTSIDE else named["unit"]
            texts = {name: str(about.get(name) or "") for name in ("label", "note", "importance", "comment")}
            if unit:
                listed.append(Unit(unit, texts["label"], texts["note"], texts["importance"]))
            flags = about.get("confirmed") is not False, about.get("partial") is True
            mark = UnitMark(kind, owner, unit, texts["label"], tuple(own), texts["comment"], *flags)
            self.tool.mark(key, annotator, mark, unit=listed[-1] if unit else None)
        self.tool.unit_list(UnitList(key.topic, owner, kind, (), row.get("list_done") is True))
        if row.get("done") is True and key.kind is TextKind.SUMMARY:
            self.tool.done(key, annotator, owner, kind)

    def _foreign_unit(self, key: TextKey, annotator: str, span: Span, label: str) -> None:
        named = _UNIT.fullmatch(label)
        assert named is not None
        kind = UnitKind.SCU if named["kind"] == _PREFIXES[UnitKind.SCU] else UnitKind.NUGGET
        unit = "" if named["unit"] == _OUTSIDE else named["unit"]
        self.tool.mark(key, annotator, UnitMark(kind, annotator, unit, unit, (span,)))


_OWNERS = {"author": TextKind.REFERENCE, "system": TextKind.SUMMARY}


def _answer(scale: str, kind: str, label: str, note: str, is_flagged: bool) -> Answer:
    """Return the answer that a label of the whole text is."""
    if kind == ScaleKind.TEXT:
        return Answer(scale, ScaleKind.TEXT, 1.0, "", (), label, is_flagged)
    if kind == ScaleKind.NUMBER and (number := parse_number(label)) is not None:
        return Answer(scale, ScaleKind.NUMBER, number, "", (), note, is_flagged)
    return Answer(scale, ScaleKind.CATEGORIES, None, label, (), note, is_flagged)


FORMAT = Format(
    "doccano",
    "doccano (JSONL)",
    "Texts with labelled spans or with labels.",
    read,
    by_names(is_header, JSONL),
    JSONL,
    asks_annotator=True,
)
EXPORT = Export(
    "annotations",
    "doccano",
    ".jsonl",
    "SCUs, nuggets and marked spans for doccano (sequence labeling), one text per line.",
    records,
)
RATINGS = Export(
    "ratings",
    "doccano",
    ".jsonl",
    "Ratings for doccano (text classification), one per line.",
    rating_records,
)
