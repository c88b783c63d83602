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
from core.names import resolve_name
from core.ports import Study
from core.progress import JobSteps
from storage.formats.annotation_tools.study_marks import (
    Answer,
    MarkedText,
    TextKey,
    TextKind,
    Unit,
    UnitList,
    UnitMark,
    marks_of,
    rated_summaries,
)
from storage.formats.annotation_tools.tool_import import ToolImport, answer_of, named_key
from storage.formats.format_types import Export, Format, Options
from storage.formats.offsets import OffsetUnit, Utf16Offsets
from storage.formats.readers.fields import Row, list_field, text_field
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.tables.table_cells import row_steps
from storage.formats.readers.usage import Record

ANNOTATOR = SCALE = "doccano"
OFFSETS = "offsets"
"""Option: ``graphemes`` = the project counts grapheme clusters as one character."""
_WHOLE_PROJECT = ("all", "admin")
"""File names that are no annotator."""

_PREFIXES = {UnitKind.SCU: "SCU", UnitKind.NUGGET: "Nugget"}
_UNIT = re.compile(r"(?P<kind>SCU|Nugget):(?P<unit>.*?)(?:#(?P<copy>[0-9]{1,6}))?", re.DOTALL)
_OUTSIDE = "-"
_LABELS = ("label", "labels", "entities", "cats")
_COMMENTS, _JOINT = ("Comments", "comments"), "#"
"""Names of lists of comments, and what joins several labels in a cell of CSV."""
_KEEPS = "They are kept in doccano only."
_WRITE = "Write [[start, end, label], …]."


def is_header(names: set[str]) -> bool:
    """Return whether keys are those of a labelled text."""
    return bool({"text", "data"} & names) and bool(set(_LABELS) & names) and "instance_id" not in names


def _is_table(names: set[str]) -> bool:
    """Return whether the columns of a table are those of classified texts and no others."""
    own = {"id", "text", "data", "label", *_COMMENTS}
    return names <= own and "label" in names and bool({"text", "data"} & names)


def records(study: Study) -> Iterator[Row]:
    """Yield each annotator's SCUs, nuggets and marked spans of each text, as a labelled sequence."""
    marks = marks_of(study)
    lists = {(one.topic, one.owner, one.kind): one for one in marks.lists}
    for text in marks.texts:
        for owner, kind in dict.fromkeys((*((m.owner, m.kind) for m in text.units), *sorted(text.done))):
            yield _unit_record(text, lists[text.key.topic, owner, kind])
        for rating in text.ratings:
            about = {"scale": rating.scale, "note": rating.note, "flagged": rating.is_flagged}
            yield {**_sequence(text, rating.spans), **about, "rated": rating.is_rated}


def _sequence(text: MarkedText, spans: Sequence[tuple[int, int, str]]) -> dict[str, Any]:
    """Return a text with labelled spans, which doccano counts in UTF-16 units, and their words by label."""
    names = {**text.key.names, "annotator": text.annotator}
    content, words = text.text.content, defaultdict[str, list[str]](list)
    offsets = Utf16Offsets(content)
    for start, end, label in spans:
        words[label].append(content[start:end])
    labels = [[offsets.units(start), offsets.units(end), label] for start, end, label in spans]
    return {"text": content, "label": labels, "words": words, **names}


def _unit_record(text: MarkedText, known: UnitList) -> dict[str, Any]:
    spans: list[tuple[int, int, str]] = []
    about: dict[str, Any] = {}
    units = {unit.id: unit for unit in known.units}
    seen: Counter[str] = Counter()
    for mark in text.units:
        if (mark.owner, mark.kind) != (known.owner, known.kind):
            continue
        name = f"{_PREFIXES[mark.kind]}:{mark.unit or _OUTSIDE}"
        seen[name] += 1
        label = name if seen[name] == 1 else f"{name}#{seen[name]}"
        spans += [(*part, label) for part in mark.parts]
        unit = units.get(mark.unit, Unit("", ""))
        about[label] = {
            "label": unit.label,
            "note": unit.comment,
            "importance": unit.importance,
            "comment": mark.comment,
            "confirmed": mark.is_confirmed,
            "partial": mark.is_partial,
        }
    states = {"done": (known.owner, known.kind) in text.done, "list_done": known.done}
    return {**_sequence(text, spans), "owner": known.owner, "kind": known.kind, "units": about, **states}


def rating_records(study: Study) -> Iterator[Row]:
    """Yield each rating as a classified text; marked spans are labelled sequences of `records`."""
    for summary in rated_summaries(study):
        for annotator, answers in summary.ratings.items():
            for one in answers:
                if one.kind is ScaleKind.SPANS:
                    continue
                is_text = one.kind is ScaleKind.TEXT
                number = "" if one.value is None else f"{one.value:g}"
                label = one.note if is_text else one.category or number
                about = {"annotator": annotator, "scale": one.scale, "kind": one.kind}
                more = {"note": "" if is_text else one.note, "flagged": one.is_flagged}
                labels = [label] if one.is_rated else []
                yield {"text": summary.text.content, "label": labels, **summary.key.names, **about, **more}


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a file of labelled texts. Raises BadImport with every problem.

    options: ``annotator`` of texts that name none, else the name of the file; OFFSETS.
    """
    stem = path.name.partition(".")[0]
    annotator = ANNOTATOR if stem in _WHOLE_PROJECT else stem
    units = (OffsetUnit.UTF16, OffsetUnit.GRAPHEMES)
    unit = resolve_name("unit of offsets", options.get(OFFSETS) or OffsetUnit.UTF16, units)
    alternative = None if options.get(OFFSETS) else OffsetUnit.GRAPHEMES
    reader = _Reader(ToolImport(path, study, options, annotator, alternative=alternative), OffsetUnit(unit))
    yield from row_steps(path, reader.tool.problems, options, reader.row, _from_cells)
    return reader.tool.finish()


def _from_cells(cells: Record) -> Record:
    """Return a row of a table with the lists of its labels and comments."""
    names = ("label", *_COMMENTS)
    lists = {name: cells[name].split(_JOINT) for name in names if cells.get(name)}
    return cells.with_values(dict.fromkeys(names) | lists)


class _Reader:
    def __init__(self, tool: ToolImport, unit: OffsetUnit) -> None:
        self.tool, self._unit = tool, unit

    def row(self, row: Row) -> None:
        """Read one line."""
        problems = self.tool.problems
        text = text_field(row, "text" if "text" in row else "data", problems)
        annotator = text_field(row, "annotator", problems, required=False)
        key = named_key(row, "topic", "author", "system") or self.tool.find(text) if text else None
        if key is None or self.tool.text(key, text) is None:
            return
        spans, categories = self._labels(row, key)
        comments = (one for name in _COMMENTS for one in list_field(row, name, problems))
        texts = (one.get("text") if isinstance(one, Mapping) else one for one in comments)
        notes = [one for one in texts if isinstance(one, str)]
        who = self.tool.annotator(annotator)
        if isinstance(row.get("units"), Mapping):
            self._unit_marks(row, key, who, spans)
            if notes:
                self.tool.leave_out("comments on SCUs", _KEEPS)
            return
        rest = []
        for span, label in spans:
            if (found := _unit_of(label)) is not None:
                kind, unit = found
                self.tool.mark(key, who, UnitMark(kind, who, unit, unit, (span,)))
            else:
                rest.append((*span, label))
        answer = self._answer(row, tuple(rest), categories, notes)
        if answer is not None:
            self.tool.rate(key, who, answer)
        elif len(categories) > 1:
            self.tool.leave_out("texts with several labels", "A scale has one category per summary.")
        elif not spans:
            self.tool.leave_out("texts without a label", "They have no answer.")

    def _answer(
        self,
        row: Row,
        spans: tuple[tuple[int, int, str], ...],
        categories: Sequence[str],
        notes: Sequence[str],
    ) -> Answer | None:
        """Return the rating of a line, None = it has none, or several."""
        scale = text_field(row, "scale", self.tool.problems, required=False) or SCALE
        note = "\n".join(filter(None, (str(row.get("note") or ""), *notes)))
        is_flagged, given, known = row.get("flagged") is True, row.get("kind"), self.tool.known_scale(scale)
        kind = given if given in tuple(ScaleKind) else ""
        if len(categories) == 1:
            kind = kind or (known.kind if known is not None else ScaleKind.CATEGORIES)
            return answer_of(scale, kind, categories[0], note, is_flagged)
        is_marked = bool(spans) or row.get("rated") is not None
        if categories or not (is_marked or (kind and (note or is_flagged))):
            return None
        is_rated = bool(spans) or (is_marked and row.get("rated") is not False)
        kind = ScaleKind.SPANS if is_marked else ScaleKind(kind)
        return Answer(scale, kind, None, "", spans, note, is_flagged, is_rated)

    def _labels(self, row: Row, key: TextKey) -> tuple[list[tuple[Span, str]], list[str]]:
        """Return labelled spans and labels of the whole text.

        Words that were exported show in which unit the offsets of their label count.
        """
        spans: list[tuple[Span, str]] = []
        categories: list[str] = []
        problems, words = self.tool.problems, row.get("words")
        for name in _LABELS:
            for label in list_field(row, name, problems):
                if isinstance(label, Mapping):
                    label = [label.get(one) for one in ("start_offset", "end_offset", "label")]
                if isinstance(label, str):
                    categories.append(label)
                    continue
                if not isinstance(label, list) or len(label) != 3 or not isinstance(label[2], str):
                    problems.add(name, "A label is not a start, an end and a text.", _WRITE)
                    continue
                start, end, text = label
                known = words.get(text) if isinstance(words, Mapping) else None
                given = [one for one in known if isinstance(one, str)] if isinstance(known, list) else []
                if (span := self.tool.span(key, start, end, unit=self._unit, may_have=given)) is not None:
                    spans.append((span, text))
        relations = row.get("relations")
        if isinstance(relations, list) and relations:
            self.tool.leave_out("relations", _KEEPS, len(relations))
        return spans, categories

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
            named, about = _unit_of(label), units.get(label)
            if named is None:
                problems.add("units", f"“{label[:40]}” is not an SCU or nugget.", "Write SCU:ID.")
                continue
            about = about if isinstance(about, Mapping) else {}
            unit = named[1]
            texts = {name: str(about.get(name) or "") for name in ("label", "note", "importance", "comment")}
            if unit:
                listed.append(Unit(unit, texts["label"], texts["note"], texts["importance"]))
            flags = about.get("confirmed") is not False, about.get("partial") is True
            mark = UnitMark(kind, owner, unit, texts["label"], tuple(own), texts["comment"], *flags)
            self.tool.mark(key, annotator, mark, unit=listed[-1] if unit else None)
        self.tool.unit_list(UnitList(key.topic, owner, kind, (), row.get("list_done") is True))
        if row.get("done") is True and key.kind is TextKind.SUMMARY:
            self.tool.done(key, annotator, owner, kind)


def _unit_of(label: str) -> tuple[UnitKind, str] | None:
    """Return the kind and id of a unit's label, with an empty id outside the list; None = another label."""
    named = _UNIT.fullmatch(label)
    if named is None:
        return None
    kind = UnitKind.SCU if named["kind"] == _PREFIXES[UnitKind.SCU] else UnitKind.NUGGET
    return kind, "" if named["unit"] == _OUTSIDE else named["unit"]


def _recognises(path: Path) -> bool:
    return by_names(is_header, JSONL)(path) or by_names(_is_table, TABLES)(path)


FORMAT = Format(
    "doccano",
    "doccano (JSONL, CSV)",
    "Texts with labelled spans or with labels.",
    read,
    _recognises,
    (*JSONL, *TABLES),
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
    "ratings", "doccano", ".jsonl", "Ratings for doccano (text classification), one per line.", rating_records
)
