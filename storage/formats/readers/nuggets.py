"""Reader of nuggets: JSONL or CSV of this program, and JSONL of nuggetizer (Pradeep et al. 2024).

A line of JSONL holds one annotator's nuggets of a topic, and hits in summaries. The texts are those of
the study.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
    NewTopic,
)
from core.domain.pyramid import UnitKind
from core.domain.study import Text
from core.files.paths import printable_path
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_name,
    json_rows,
    lines_to_skip,
    list_field,
    name_field,
    text_field,
)
from storage.formats.readers.recognition import keys_of
from storage.formats.readers.tables.csv_records import JSONL, encoding_of, has_suffix, is_json
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.tables.table_cells import records_of
from storage.formats.readers.usage import Record
from storage.formats.study_texts import StudyTexts

DEFAULT_ANNOTATOR = "nuggetizer"
NUGGETS, NUGGET, OCCURRENCE, SUMMARY, HIT = ROW_KINDS = ("nuggets", "nugget", "occurrence", "summary", "hit")
"""Rows of the table.

nuggets: an annotator's nuggets of a topic; done.
nugget: label, importance, comment.
occurrence: text = the author of the reference; spans, words, confirmed, comment.
summary: text = the system, by = who looked for the nuggets; done.
hit: text and by as before; spans, words, support, confirmed, comment; without a nugget a unit outside them.
"""

_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_ROWS_AT_ONCE = 500
_NEUTRAL = {"vital": "vital", "okay": "okay", "": ""}
_SUPPORT = {"support": False, "partial_support": True}
"""Whether support is partial, by assignment; ``not_support`` is no hit."""

_NOT_SUPPORTED = "not_support"


@dataclass(slots=True)
class _Draft:
    """Nuggets of one topic and annotator. units: by key."""

    units: dict[str, NewScu] = field(default_factory=dict)
    hits: dict[tuple[str, str], list[NewMatch]] = field(default_factory=dict)
    done: set[tuple[str, str]] = field(default_factory=set)
    is_done: bool = False


def read(path: Path, options: Mapping[str, str], study: Study | None = None) -> JobSteps[ImportContent]:
    """Read nuggets and hits. Raises BadImport with every problem.

    options: ``annotator`` names who made nuggets that do not say so.
    """
    reader = _Reader(
        Problems(path.name, skipped=lines_to_skip(options)),
        StudyTexts(study),
        options.get("annotator") or DEFAULT_ANNOTATOR,
    )
    if is_json(path):
        yield from json_rows(path, reader.problems, reader.row, encoding_of(path, options))
    else:
        yield from _read_table(path, reader, options)
    reader.problems.stop_if_any()
    return reader.content(printable_path(path.name))


class _Reader:
    """Collects the nuggets of a file; several lines may add hits to one list of nuggets."""

    def __init__(self, problems: Problems, texts: StudyTexts, annotator: str) -> None:
        self.problems, self._texts, self._annotator = problems, texts, annotator
        self._drafts: dict[tuple[str, str], _Draft] = {}

    def row(self, row: Row) -> None:
        """Read one line."""
        whose = self._whose(row, "qid" if "qid" in row and "topic" not in row else "topic")
        if whose is None:
            return
        (topic, annotator), draft = whose, self._drafts.setdefault(whose, _Draft())
        draft.is_done |= row.get("done") is True
        nuggets = [
            one for one in list_field(row, "nuggets", self.problems) if self._is_object(one, "nuggets")
        ]
        keys = [self._nugget(topic, nugget, draft) for nugget in nuggets]
        if "run_id" in row:
            self._assignments(topic, annotator, row, list(zip(keys, nuggets, strict=True)), draft)
        for summary in list_field(row, "summaries", self.problems):
            if self._is_object(summary, "summaries"):
                self._summary(topic, annotator, summary, draft)

    def content(self, source: str) -> ImportContent:
        """Return everything that was read, with the study's texts of its topics."""
        topics = [
            NewTopic(
                name,
                references={text.name: _as_new(text) for text in self._texts.references(name).values()},
                summaries={
                    system: _as_new(text)
                    for system in self._systems(name)
                    if (text := self._texts.summary(name, system)) is not None
                },
            )
            for name in dict.fromkeys(topic for topic, _ in self._drafts)
        ]
        people = {
            who: "" for key, draft in self._drafts.items() for who in (key[1], *(w for _, w in draft.hits))
        }
        return ImportContent(
            source,
            topics=topics,
            annotators=people,
            pyramids=[
                NewPyramid(
                    topic, who, tuple(draft.units.values()), kind=UnitKind.NUGGET, is_done=draft.is_done
                )
                for (topic, who), draft in self._drafts.items()
            ],
            matches=[
                NewMatches(
                    topic, system, owner, who, tuple(hits), {}, UnitKind.NUGGET, (system, who) in draft.done
                )
                for (topic, owner), draft in self._drafts.items()
                for (system, who), hits in draft.hits.items()
                if hits or (system, who) in draft.done
            ],
        )

    def table_row(self, row: Record) -> None:
        """Read one row of a table; nuggets come before their occurrences and hits."""
        kind = text_field(row, "kind", self.problems)
        if kind not in ROW_KINDS:
            self.problems.add("kind", f"{kind[:40]!r} is unknown.", f"Write one of {', '.join(ROW_KINDS)}.")
        whose = self._whose(row, "topic")
        if whose is None or kind not in ROW_KINDS:
            return
        (topic, annotator), draft = whose, self._drafts.setdefault(whose, _Draft())
        is_done = row.get("done") == "yes"
        facts = {"confirmed": row.get("confirmed") != "no", "spans": self._table_spans(row)}
        if kind == NUGGETS:
            draft.is_done |= is_done
        elif kind == NUGGET:
            self._nugget(topic, row.with_values({"id": row.get("nugget"), "text": row.get("label")}), draft)
        elif kind == OCCURRENCE:
            unit = self._unit(row, draft)
            one = self._occurrence(topic, row.with_values(facts | {"reference": row.get("text")}))
            if unit is not None and one is not None:
                draft.units[unit.key] = replace(unit, contributors=(*unit.contributors, one))
        else:
            hits = [row.with_values(facts)] if kind == HIT else []
            summary = {"system": row.get("text"), "annotator": row.get("by"), "done": is_done, "hits": hits}
            self._summary(topic, annotator, summary, draft)

    def _unit(self, row: Row, draft: _Draft) -> NewScu | None:
        """Return the nugget that a row names; report one that is missing."""
        key = text_field(row, "nugget", self.problems)
        if key and key not in draft.units:
            remedy = "Write the row of the nugget before it, with the same topic and annotator."
            self.problems.add("nugget", f"There is no nugget {key[:60]!r}.", remedy)
        return draft.units.get(key)

    def _table_spans(self, row: Row) -> list[list[int]]:
        """Read spans written as ``0-12;30-34``; report others."""
        text = text_field(row, "spans", self.problems, required=False)
        pairs = [_SPAN.fullmatch(pair.strip()) for pair in text.split(";") if pair.strip()]
        if not all(pairs):
            self.problems.add("spans", f"{text[:40]!r} is not a list of spans.", "Write 0-12;30-34.")
            return []
        return [[int(pair[1]), int(pair[2])] for pair in pairs if pair is not None]

    def _whose(self, row: Row, name: str) -> tuple[str, str] | None:
        """Return topic and annotator of a row, None with a problem. name: field of the topic."""
        topic = name_field(row, name, self.problems)
        annotator = text_field(row, "annotator", self.problems, required=False) or self._annotator
        if not topic or not is_name(annotator, "annotator", self.problems):
            return None
        if topic not in self._texts.topics:
            self._missing("topic", f"topic {topic}", "its texts")
            return None
        return topic, annotator

    def _missing(self, field_name: str, what: str, first: str = "it") -> None:
        """Add the problem that the study lacks something. first: what to import."""
        remedy = f"Import {first} first, or correct the name."
        self.problems.add(field_name, f"The study has no {what}.", remedy)

    def _systems(self, topic: str) -> list[str]:
        drafts = (draft for (name, _), draft in self._drafts.items() if name == topic)
        return list(dict.fromkeys(system for draft in drafts for system, _ in draft.hits))

    def _nugget(self, topic: str, nugget: Row, draft: _Draft) -> str:
        """Read a nugget and return its key, its id or else its text; empty if it is not valid."""
        label = text_field(nugget, "text", self.problems)
        key = text_field(nugget, "id", self.problems, required=False) or label
        importance = text_field(nugget, "importance", self.problems, required=False)
        if importance not in _NEUTRAL:
            self.problems.add("importance", f"{importance[:40]!r} is unknown.", "Write vital or okay.")
            return ""
        occurrences = [
            one
            for value in list_field(nugget, "occurrences", self.problems)
            if self._is_object(value, "occurrences") and (one := self._occurrence(topic, value)) is not None
        ]
        comment = text_field(nugget, "comment", self.problems, required=False)
        new = NewScu(key, label, tuple(occurrences), comment, importance=importance)
        if label and draft.units.setdefault(key, new) != new:
            self.problems.add(
                "nuggets",
                f"“{label[:40]}” occurs twice with different content.",
                "Keep one, or give them different ids.",
            )
        return key if label else ""

    def _occurrence(self, topic: str, value: Row) -> NewContributor | None:
        author = name_field(value, "reference", self.problems)
        text = self._texts.references(topic).get(author)
        if author and text is None:
            self._missing("reference", f"reference by {author} of topic {topic}")
        parts = self._parts(value, text)
        if text is None or not parts:
            return None
        comment = text_field(value, "comment", self.problems, required=False)
        return NewContributor(author, parts, comment, is_confirmed=value.get("confirmed", True) is not False)

    def _summary(self, topic: str, annotator: str, summary: Row, draft: _Draft) -> None:
        system = name_field(summary, "system", self.problems)
        who = text_field(summary, "annotator", self.problems, required=False) or annotator
        text = self._texts.summary(topic, system) if system else None
        if system and text is None:
            self._missing("system", f"summary by {system} of topic {topic}")
        if text is None or not is_name(who, "annotator", self.problems):
            return
        hits = draft.hits.setdefault((system, who), [])
        if summary.get("done") is True:
            draft.done.add((system, who))
        for value in list_field(summary, "hits", self.problems):
            if self._is_object(value, "hits") and (hit := self._hit(value, text, draft)) is not None:
                hits.append(hit)

    def _hit(self, value: Row, text: Text, draft: _Draft) -> NewMatch | None:
        key = text_field(value, "nugget", self.problems, required=False)
        if key and key not in draft.units:
            self.problems.add("nugget", f"There is no nugget {key[:60]!r}.", "Name one by its id or text.")
            return None
        support = text_field(value, "support", self.problems, required=False) or "support"
        if support not in _SUPPORT:
            self.problems.add("support", f"{support[:40]!r} is unknown.", "Write support or partial_support.")
            return None
        return NewMatch(
            key or None,
            self._parts(value, text) if value.get("spans") else (),
            text_field(value, "comment", self.problems, required=False),
            is_confirmed=value.get("confirmed", True) is not False,
            is_partial=_SUPPORT[support],
        )

    def _assignments(
        self, topic: str, annotator: str, row: Row, nuggets: list[tuple[str, Row]], draft: _Draft
    ) -> None:
        """Read nuggetizer's assignments of one answer, whose run is the system."""
        system = name_field(row, "run_id", self.problems)
        if system and self._texts.summary(topic, system) is None:
            self._missing("run_id", f"summary by {system} of topic {topic}")
            return
        hits = draft.hits.setdefault((system, annotator), [])
        draft.done.add((system, annotator))
        for key, nugget in nuggets:
            assignment = text_field(nugget, "assignment", self.problems)
            if assignment in _SUPPORT and key:
                hits.append(NewMatch(key, is_partial=_SUPPORT[assignment]))
            elif assignment not in ("", _NOT_SUPPORTED):
                what = f"{assignment[:40]!r} is unknown."
                remedy = "Write support, partial_support or not_support."
                self.problems.add("assignment", what, remedy)

    def _parts(self, value: Row, text: Text | None) -> tuple[NewPart, ...]:
        parts = []
        for span in list_field(value, "spans", self.problems):
            is_pair = isinstance(span, list) and len(span) == 2
            if not is_pair or not all(type(end) is int for end in span):
                self.problems.add(
                    "spans", "A span is not a pair of whole numbers.", "Write [[start, end], …]."
                )
                return ()
            start, end = span
            if text is not None and not 0 <= start < end <= len(text.content):
                what = f"{start} to {end} is outside the text of {len(text.content)} characters."
                self.problems.add("spans", what, "Count characters from 0; the end is exclusive.")
                return ()
            parts.append(NewPart(start, end))
        if not parts:
            self.problems.add("spans", "There is no span.", "Write [[start, end], …].")
        return tuple(parts)

    def _is_object(self, value: Any, name: str) -> bool:
        if not isinstance(value, Mapping):
            self.problems.add(name, "An entry is not an object.", "Write objects, such as {…}.")
        return isinstance(value, Mapping)


def _read_table(path: Path, reader: _Reader, options: Mapping[str, str]) -> JobSteps[None]:
    """Read a table with a header, record by record."""
    for number, _, cells in records_of(path, reader.problems, options):
        reader.table_row(cells)
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(number, 0, path.name)


def _as_new(text: Text) -> NewText:
    return NewText(text.content, text.sentence_spans)


def _recognises(path: Path) -> bool:
    if has_suffix(path, TABLES):
        return {"kind", "nugget", "spans"} <= keys_of(path)
    return has_suffix(path, JSONL) and "nuggets" in keys_of(path)


FORMAT = Format(
    "nuggets",
    "Nuggets (JSONL, CSV)",
    "Nuggets of topics with their occurrences and hits, also as nuggetizer writes them.",
    read,
    _recognises,
    (*JSONL, *TABLES),
    has_rows=True,
    is_table=True,
)
