"""Combination of what an annotation tool holds into one import: texts, units, ratings, comparisons.

Nothing is guessed: a text is named by the file, or equal to one text of the study. What is left out is
counted and becomes notices.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.domain.import_batch import (
    ImportContent,
    ImportedFile,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPreference,
    NewPyramid,
    NewRating,
    NewScu,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind
from core.domain.ratings import (
    Dimension,
    ScaleKind,
    category_scale,
    check_dimensions,
    span_scale,
    text_scale,
)
from core.domain.study import Span, Text
from core.errors import InputError, Problem
from core.files.file_names import file_name
from core.files.paths import escape_control_characters, printable_path
from core.numerals import parse_number, required_number
from core.ports import Study
from storage.formats.annotation_tools.study_marks import (
    Answer,
    TextKey,
    TextKind,
    Unit,
    UnitList,
    UnitMark,
    texts_of,
)
from storage.formats.format_types import Options
from storage.formats.memory import ROW, text_size
from storage.formats.offsets import FileOffsets, OffsetUnit, unix
from storage.formats.readers.fields import Problems, is_clean, is_name, lines_to_skip
from storage.formats.study_texts import StudyTexts

_ALTERNATIVES = {
    OffsetUnit.GRAPHEMES: (
        "Offsets are read as UTF-16 units; the project may count grapheme clusters instead.",
        "--offsets graphemes",
    ),
    OffsetUnit.UTF16: ("Offsets are read as characters; export with the words of each span to be sure.",),
}
"""Remedy and option where a span without words may count something else."""
_IMPORT_TEXTS = "Import the texts of the study first, or correct the file."
_OFFSETS = "Count characters from 0; the end is exclusive."
_LONGEST_WORDS = 40
_LAST_NUMBER = 10**12


@dataclass(slots=True)
class _GivenText:
    """A text of the import. given: as the file has it, with its line ends; else as the study does."""

    new: NewText
    given: str
    is_given: bool


@dataclass(slots=True)
class _Units:
    """A pyramid or list of nuggets that is being read."""

    units: dict[str, Unit] = field(default_factory=dict)
    contributors: dict[str, list[NewContributor]] = field(default_factory=dict)
    matches: dict[tuple[str, str], list[NewMatch]] = field(default_factory=dict)
    done: set[tuple[str, str]] = field(default_factory=set)
    is_done: bool = False


_ListKey = tuple[str, str, UnitKind]
_RatingKey = tuple[str, str, str, str]
"""Names of topic, system, scale and annotator."""


class ToolImport:
    """Collects the content of files of one annotation tool."""

    def __init__(
        self,
        path: Path,
        study: Study | None,
        options: Options,
        annotator: str,
        *,
        alternative: OffsetUnit | None = None,
    ) -> None:
        """Start an import.

        annotator: for content that names none, unless the option ``annotator`` is set.
        alternative: what some projects of the tool count.
        """
        self.problems = Problems(path.name, skipped=lines_to_skip(options))
        self.is_annotator_given = bool(options.get("annotator", "").strip())
        self._annotator = options.get("annotator", "").strip() or annotator
        self._unnamed = 0
        self._study, self._study_texts = study, StudyTexts(study)
        self._source = printable_path(path.name)
        self._indexed: dict[TextKey, Text] = {}
        self._by_content: dict[bytes, list[TextKey]] = {}
        self._by_stem: dict[str, list[TextKey]] = {}
        self._texts: dict[TextKey, _GivenText] = {}
        self._offsets: dict[tuple[TextKey, str], FileOffsets] = {}
        self._lists: dict[_ListKey, _Units] = {}
        self._ratings: dict[_RatingKey, list[tuple[str, Answer]]] = {}
        self._preferences: dict[NewPreference, None] = {}
        self._people: dict[str, None] = {}
        self._scales = {} if study is None else {one.name: one for one in study.ratings.dimensions()}
        self._new_scales: dict[str, Dimension] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._notices: dict[Problem, None] = {}
        self._files: list[ImportedFile] = []
        self._checked: dict[tuple[str, str], bool] = {}
        self.problems.memory.check(0)
        self._otherwise: Counter[bool] = Counter()
        """Spans whose words show that they are counted in another unit, or in a text with line feeds."""
        self._alternative = alternative
        self._ambiguous: set[TextKey] = set()
        """Texts with a span without words that is at another place if offsets count the alternative."""
        self.name("annotator", self._annotator)

    def annotator(self, named: str = "") -> str:
        """Return who made annotations: the named one, else the given or assumed one, which is counted.

        named: empty = the file does not name the annotator.
        """
        if not named:
            self._unnamed += 1
        return named or self._annotator

    # Texts

    def text(
        self,
        key: TextKey,
        content: str,
        sentences: tuple[Span, ...] | None = None,
        *,
        is_given: bool = True,
    ) -> str | None:
        """Add a text under its names and return it as stored; None and a problem if it differs there.

        Line ends may differ from the study's; offsets of spans count in `content`.
        is_given: it is in the file, not from the study.
        """
        if not self.name("topic", key.topic) or not self.name(_OWNERS[key.kind], key.name):
            return None
        if key in self._texts:
            new = self._texts[key].new
        else:
            new, stored = NewText(content, sentences), self._stored(key)
            if stored is not None:
                new = NewText(stored.content, stored.sentence_spans, stored.external_id)
            elif not is_clean(content, "text", self.problems):
                return None
        if unix(new.content) == unix(content):
            if key not in self._texts:
                self.problems.memory.take(text_size(new.content, len(new.sentence_spans or ())))
            self._texts[key] = _GivenText(new, content, is_given)
            return new.content
        what = f"The text differs from {_described(key)}, {_difference(new.content, content)}."
        self.problems.add("text", what, "Use the text that is in the study, or import it under another name.")
        return None

    def find(self, content: str, stem: str = "", equal: Sequence[TextKey] | None = None) -> TextKey | None:
        """Return the text of the study that equals a text; None and a problem if there is not exactly one.

        stem: name of the file, ``TOPIC.summary.SYSTEM`` or ``TOPIC.SYSTEM``, which chooses among equal texts.
        equal: the equal texts, if they are known.
        """
        found = self.equal_texts(content) if equal is None else equal
        if len(found) > 1:
            found = [key for key in found if stem in (key.stem, f"{key.topic}.{key.name}")] or found
        if len(found) == 1:
            return found[0]
        if found:
            names = " and ".join(_described(key) for key in found[:2])
            what = f"The text is the same as {names}."
            self.problems.add("text", what, f"Name the file {found[0].stem} or {found[1].stem}.")
            return None
        named = self.named(stem)
        if named is not None:
            self.text(named, content)  # says how it differs
            return None
        start = " ".join(content[:_LONGEST_WORDS].split())
        self.problems.add("text", f"No text of the study equals “{start}…”.", _IMPORT_TEXTS)
        return None

    def equal_texts(self, content: str) -> list[TextKey]:
        """Return the texts of the study that equal a text except for line ends."""
        return [key for key in self._similar(content) if unix(self.stored_text(key) or "") == unix(content)]

    def texts_but_for_blanks(self, content: str) -> dict[TextKey, str]:
        """Return the texts of the study that equal a text but for the kind of blanks and those at the end.

        Each is as the file counts it: with the study's line ends, with line feeds, or with CRLF.
        """
        found, head = {}, content.rstrip()
        for key in self._similar(content):
            stored = self.stored_text(key) or ""
            lines, end = unix(stored), stored[len(stored.rstrip()) :]
            for text in (head + end, lines.replace("\n", "\r\n"), lines, stored):
                is_same = _BLANK.sub(" ", text).rstrip() == _BLANK.sub(" ", head)
                if is_same and unix(text) == lines:
                    found[key] = text
        return found

    def _similar(self, content: str) -> list[TextKey]:
        self._index()
        return self._by_content.get(_hash(content), [])

    def named(self, stem: str) -> TextKey | None:
        """Return the text of the study whose files are named so, None = there is none."""
        self._index()
        found = self._by_stem.get(stem, [])
        return found[0] if len(found) == 1 else None

    def _index(self) -> None:
        """Index the study's texts by content and by name, once."""
        if self._indexed or self._study is None:
            return
        for topic in self._study.texts.load():
            for key, text in texts_of(topic):
                self._indexed[key] = text
                self._by_content.setdefault(_hash(text.content), []).append(key)
                for stem in dict.fromkeys((key.stem, file_name(key.stem))):
                    self._by_stem.setdefault(stem, []).append(key)

    def stored_text(self, key: TextKey) -> str | None:
        """Return a text of the study, None = the study does not have it."""
        stored = self._stored(key)
        return None if stored is None else stored.content

    def _stored(self, key: TextKey) -> Text | None:
        if key in self._indexed:
            return self._indexed[key]
        if key.kind is TextKind.SUMMARY:
            return self._study_texts.summary(key.topic, key.name)
        return self._study_texts.references(key.topic).get(key.name)

    # Spans

    def span(
        self,
        key: TextKey,
        start: object,
        end: object,
        words: str = "",
        *,
        unit: OffsetUnit = OffsetUnit.CODE_POINTS,
        may_have: Sequence[str] = (),
    ) -> Span | None:
        """Return a span of an added text in code points of the study's; None and a problem if it is none.

        Offsets count in the text that the file has. words: what the file has as the text of the span, empty =
        nothing; they decide if another way of counting fits them. unit: what offsets count.
        may_have: words of which one shows the way of counting, if any fits.
        """
        if type(start) is not int or type(end) is not int:
            self.problems.add("start", f"{_short(start)} to {_short(end)} is not a span.", _OFFSETS)
            return None
        text = self._texts[key]
        content, given = text.new.content, text.given
        readings = self._readings(given, unit) if words or may_have else [(given, unit)]
        spans = [self._converted(key, (start, end), reading) for reading in readings]
        fits = [
            (unix(content[slice(*span)]) != unix(one), at)
            for at, span in enumerate(spans)
            for one in ([words] if words else may_have)
            if _holds(content, span, one)
        ]
        if not words and not fits and not text.is_given and content != unix(content):
            what = f"The span {start} to {end} has no words, and line ends may count once or twice."
            self.problems.add("start", what, "Export with the text, or with the words of each span.")
            return None
        chosen = min(fits)[1] if fits else 0  # the same blanks first
        first, last = spans[chosen]
        if first is None or last is None or not 0 <= first < last <= len(content):
            what = f"{_number(start)} to {_number(end)} is outside the text of {len(given):,} characters"
            if first is not None and last is not None and 0 <= last <= first <= len(content):
                what = f"The span {start} to {end} is empty or reversed"
            self.problems.add("start", f"{what}.", _OFFSETS)
            return None
        if words and not fits:
            have, stated = _short(content[first:last]), _short(words)
            what = f"The span {start} to {end} is {have}, not {stated}."
            self.problems.add("start", what, "Correct the offsets, or use the text that was annotated.")
            return None
        if chosen:
            self._otherwise[readings[chosen][0] != given] += 1
        if self._alternative is not None and not fits:
            other = self._converted(key, (start, end), (given, self._alternative))
            self._ambiguous |= {key} if other != (first, last) else set()
        return first, last

    def _readings(self, given: str, unit: OffsetUnit) -> list[tuple[str, OffsetUnit]]:
        """Return the texts and units in which offsets may count, the declared ones first."""
        others = unit, OffsetUnit.CODE_POINTS, OffsetUnit.UTF16, self._alternative
        units = dict.fromkeys(one for one in others if one is not None)
        return [(text, one) for text in dict.fromkeys((given, unix(given))) for one in units]

    def _converted(
        self, key: TextKey, span: Span, reading: tuple[str, OffsetUnit]
    ) -> tuple[int | None, int | None]:
        text, unit = reading
        if (key, text) not in self._offsets:
            self._offsets[key, text] = FileOffsets(text, self._texts[key].new.content)
        start, end = (self._offsets[key, text].to_stored(at, unit) for at in span)
        return start, end

    # Units

    def unit_list(self, known: UnitList) -> None:
        """Add a list of units with their order and what is not in their marks."""
        if self._is_named(known.topic, known.owner):
            held = self._list((known.topic, known.owner, known.kind))
            held.is_done |= known.done
            for unit in known.units:
                self._unit(held, unit)

    def mark(self, key: TextKey, annotator: str, mark: UnitMark, unit: Unit | None = None) -> None:
        """Add a contributor or match. unit: with more than the label of the mark, if it is known."""
        if not self._is_named(key.topic, mark.owner, annotator):
            return
        for name, text in (("label", mark.label), ("comment", mark.comment)):
            if not is_clean(text, name, self.problems):
                return
        self.problems.memory.take(ROW)
        held = self._list((key.topic, mark.owner, mark.kind))
        parts = tuple(NewPart(*span) for span in mark.parts)
        if mark.unit:
            self._unit(held, unit or Unit(mark.unit, mark.label))
        if key.kind is TextKind.SUMMARY:
            match = NewMatch(
                mark.unit or None,
                parts,
                mark.comment,
                is_confirmed=mark.is_confirmed,
                is_partial=mark.is_partial,
            )
            held.matches.setdefault((key.name, annotator), []).append(match)
        elif mark.unit and parts:
            one = NewContributor(key.name, parts, mark.comment, is_confirmed=mark.is_confirmed)
            held.contributors.setdefault(mark.unit, []).append(one)
        else:
            self.leave_out("marks of a reference without an SCU", "Give them an SCU in the annotation tool.")

    def done(self, key: TextKey, annotator: str, owner: str, kind: UnitKind) -> None:
        """Mark a summary as done."""
        if self._is_named(key.topic, owner, annotator):
            self._list((key.topic, owner, kind)).done.add((key.name, annotator))

    def _list(self, key: _ListKey) -> _Units:
        return self._lists.setdefault(key, _Units())

    def _unit(self, held: _Units, unit: Unit) -> None:
        """Add a unit; the first label of a key counts, and another one is reported."""
        known = held.units.setdefault(unit.id, unit)
        if not known.label:
            held.units[unit.id] = replace(known, label=unit.label)
        elif unit.label not in ("", known.label):
            what = f"{_short(unit.id)} has two labels, {_short(known.label)} and {_short(unit.label)}."
            self.notice(what, "The first one is imported.")

    def _is_named(self, topic: str, *people: str) -> bool:
        return all([self.name("topic", topic), *(self.name("annotator", one) for one in people)])

    # Ratings and comparisons

    def scale(self, scale: Dimension) -> None:
        """Add a scale that the file describes, unless the study has it."""
        if self.name("dimension", scale.name):
            self._new_scales.setdefault(scale.name, scale)

    def describe(
        self,
        name: str,
        kind: ScaleKind,
        limits: tuple[object, object],
        categories: Sequence[str],
        question: str = "",
    ) -> None:
        """Add a scale as a tool describes it; one that is incomplete is left to the answers.

        limits: of numbers. categories: of choices and spans.
        """
        try:
            ends = 1.0, 5.0
            if kind is ScaleKind.NUMBER:
                ends = required_number(limits[0]), required_number(limits[1])
            scale = _scale_of(kind, name, ends, categories, question)
            check_dimensions([scale])
        except (ValueError, InputError):
            return
        self.scale(scale)

    def known_scale(self, name: str) -> Dimension | None:
        """Return a scale of the study or the file."""
        return self._scales.get(name) or self._new_scales.get(name)

    @property
    def span_scales(self) -> Sequence[str]:
        """The study's scales that ask for spans."""
        return [name for name, scale in self._scales.items() if scale.kind is ScaleKind.SPANS]

    def rate(self, key: TextKey, annotator: str, answer: Answer) -> None:
        """Add a rating; marked spans on one scale by one annotator are combined."""
        if key.kind is not TextKind.SUMMARY:
            self.leave_out("marks and ratings of references", "Only summaries are rated on scales.")
            return
        if not (self._is_named(key.topic, annotator) and self.name("dimension", answer.scale)):
            return
        if not is_clean(answer.note + answer.category, "note", self.problems):
            return
        self.problems.memory.take(ROW)
        place = key.topic, key.name, answer.scale, annotator
        given = self._ratings.setdefault(place, [])
        if given and answer.kind is given[0][1].kind is ScaleKind.SPANS:
            where, first = given[0]
            note = "\n".join(dict.fromkeys(filter(None, (first.note, answer.note))))
            spans, is_flagged = (*first.spans, *answer.spans), first.is_flagged or answer.is_flagged
            is_rated = first.is_rated or answer.is_rated
            combined = replace(first, spans=spans, note=note, is_flagged=is_flagged, is_rated=is_rated)
            given[0] = where, combined
        else:
            given.append((self.problems.place, answer))

    def rate_marked(
        self,
        key: TextKey,
        annotator: str,
        spans: Mapping[str, Sequence[tuple[int, int, str]]],
        notes: Mapping[str, Sequence[str]],
        remarks: Iterable[tuple[str, str, bool, bool]] = (),
    ) -> None:
        """Add ratings on scales of marked spans. spans, notes: by scale. remarks: `Answer.remark`s."""
        given = {scale: (note, is_flagged, is_rated) for scale, note, is_flagged, is_rated in remarks}
        for scale in dict.fromkeys((*given, *spans)):
            note, is_flagged, is_rated = given.get(scale, ("", False, True))
            note = "\n".join(dict.fromkeys(filter(None, (note, *notes.get(scale, ())))))
            own = tuple(spans.get(scale, ()))
            about = note, is_flagged, is_rated or bool(own)
            self.rate(key, annotator, Answer(scale, ScaleKind.SPANS, None, "", own, *about))

    def rate_remarks(
        self, key: TextKey, annotator: str, remarks: Iterable[tuple[str, str, bool, bool]]
    ) -> None:
        """Add ratings without a value, and those on scales of marked spans, of which spans are added."""
        for scale, note, is_flagged, is_rated in remarks:
            known = self.known_scale(scale)
            kind = known.kind if known is not None else ScaleKind.SPANS
            if kind is ScaleKind.SPANS or not is_rated:
                about = note, is_flagged, is_rated
                self.rate(key, annotator, Answer(scale, kind, None, "", (), *about))

    def compare(
        self,
        plan: str,
        kind: ComparisonKind,
        topic: str,
        systems: Sequence[str],
        annotator: str,
        best: str,
        worst: str = "",
    ) -> None:
        """Add an answer to a comparison. best: empty = a tie; the other one of a pair is the worst."""
        if len(set(systems)) < len(systems):
            self.problems.add("systems", "A summary is compared with itself.", "Correct the systems.")
            return
        if kind is ComparisonKind.PAIRWISE and best:
            worst = next(one for one in systems if one != best)
        names = [*(self.name("system", one) for one in systems), self.name("plan", plan)]
        if all([*names, self._is_named(topic, annotator)]):
            self.problems.memory.take(ROW)
            self._people[annotator] = None
            new = NewPreference(plan, kind, topic, tuple(systems), annotator, best, worst)
            self._preferences[new] = None

    # Result

    def leave_out(self, what: str, remedy: str, count: int = 1) -> None:
        """Count what is not imported; what: a plural noun."""
        self._left_out[what, remedy] += count

    def notice(self, what: str, remedy: str, option: str = "") -> None:
        """Add a notice. option: as of `Problem`."""
        texts = map(escape_control_characters, (what, remedy, option))
        self._notices[Problem(self._source, printable_path(self.problems.place), "", *texts)] = None

    def file(self, head: ImportedFile) -> None:
        """Add the interpretation of one file."""
        self._files.append(head)

    def name(self, what: str, name: str) -> bool:
        """Return whether a text is a valid name; otherwise add a problem, once."""
        if (what, name) not in self._checked:
            self._checked[what, name] = is_name(name, what, self.problems)
        return self._checked[what, name]

    def finish(self) -> ImportContent:
        """Return the import. Raises BadImport with all problems, if any."""
        scales = self._all_scales()
        ratings = [new for key, answers in self._ratings.items() for new in self._rated(key, answers, scales)]
        self.problems.place = ""
        if not (self.problems.found or self._lists or ratings or self._preferences):
            what, remedy = "There is nothing to import.", "Check the file and the selected format."
            if self._notices:
                first = next(iter(self._notices))
                what, remedy = f"{what} {first.what}", first.remedy
            elif self._left_out:
                counts = [f"{count:,} {what}" for (what, _), count in self._left_out.items()]
                what = f"There is nothing to import; {_joined(counts)} cannot be read."
                remedy = next(remedy for _, remedy in self._left_out)
            self.problems.add("", what, remedy)
        self.problems.stop_if_any()
        for (what, remedy), count in self._left_out.items():
            self.notice(f"{what[0].upper()}{what[1:]}: {count:,} not read.", remedy)
        is_assumed = self._unnamed > 0 and not self.is_annotator_given
        if is_assumed:
            what = f"Annotations that name no annotator: {self._unnamed:,}. They are by {self._annotator}."
            self.notice(what, "Name the annotator.", "--annotator NAME")
        for is_line_end, count in self._otherwise.items():
            which = "line ends as one character" if is_line_end else "characters in other units"
            self.notice(
                f"Spans that count {which}: {count:,}.", "They were converted; their words show where."
            )
        if self._ambiguous and self._alternative is not None:
            what = f"Texts with emoji or combining marks before a span: {len(self._ambiguous):,}."
            self.notice(what, *_ALTERNATIVES[self._alternative])
        stacked = sum(len(new.spans) - len(set(new.spans)) for new in ratings)
        if stacked:
            what = f"Spans that repeat another one of the same category: {stacked:,}."
            self.notice(what, "Equal spans of one annotator are imported once.")
        used = {answer.dimension for answer in ratings}
        people = dict.fromkeys(self._all_people(ratings), "")
        return ImportContent(
            self._source,
            topics=self._new_topics(),
            annotators=people,
            dimensions={name: (scales[name].low, scales[name].high) for name in scales if name in used},
            ratings=ratings,
            pyramids=[self._pyramid(key, held) for key, held in self._lists.items()],
            matches=[new for key, held in self._lists.items() for new in _matches(key, held)],
            files=self._files,
            notices=tuple(self._notices),
            scale_texts={
                name: ScaleTexts(one.question, one.description, one.anchors, one.kind, one.is_required)
                for name, one in scales.items()
                if name in used and name not in self._scales
            },
            preferences=tuple(self._preferences),
            assumed_annotator=self._annotator if is_assumed else "",
        )

    def _all_people(self, ratings: Iterable[NewRating]) -> dict[str, None]:
        found = dict(self._people)
        for (_, owner, _), held in self._lists.items():
            found[owner] = None
            found |= dict.fromkeys(who for _, who in (*held.matches, *held.done))
        return found | dict.fromkeys(rating.annotator for rating in ratings)

    def _new_topics(self) -> list[NewTopic]:
        topics: dict[str, tuple[dict[str, NewText], dict[str, NewText]]] = {}
        for name in (*(topic for topic, *_ in self._lists), *(p.topic for p in self._preferences)):
            topics.setdefault(name, ({}, {}))
        for key, text in self._texts.items():
            references, summaries = topics.setdefault(key.topic, ({}, {}))
            (summaries if key.kind is TextKind.SUMMARY else references)[key.name] = text.new
        return [
            NewTopic(name, references=references, summaries=summaries)
            for name, (references, summaries) in topics.items()
        ]

    def _pyramid(self, key: _ListKey, held: _Units) -> NewPyramid:
        topic, owner, kind = key
        scus = tuple(
            NewScu(
                unit.id,
                unit.label or unit.id,
                tuple(held.contributors.get(unit.id, ())),
                unit.comment,
                importance=unit.importance,
            )
            for unit in _in_order(held.units.values())
        )
        return NewPyramid(topic, owner, scus, kind=kind, is_done=held.is_done)

    def _all_scales(self) -> dict[str, Dimension]:
        """Return every used scale: the study's, those that the file describes, and new ones."""
        found = {**self._new_scales, **self._scales}
        answers: dict[str, list[Answer]] = {}
        for (_, _, scale, _), given in self._ratings.items():
            answers.setdefault(scale, []).extend(answer for _, answer in given)
        for name, all_given in answers.items():
            if name not in found and (new := self._new_scale(name, all_given)) is not None:
                found[name] = new
        return found

    def _new_scale(self, name: str, answers: Sequence[Answer]) -> Dimension | None:
        """Return a scale for ratings on one that neither the study nor the file describes."""
        kinds = {answer.kind for answer in answers}
        self.problems.place = ""
        if len(kinds) > 1:
            what = f"The answers to {_short(name)} are {' and '.join(sorted(kinds))}."
            self.problems.add("scale", what, "Give the questions different names.")
            return None
        (kind,) = kinds
        values = [answer.value for answer in answers if answer.value is not None]
        ends = min([1.0, *values]), max([5.0, *values])
        categories = list(dict.fromkeys(one for answer in answers for one in _categories(answer)))
        listed = _joined([f"“{one}”" for one in categories[:5]])
        if kind is ScaleKind.SPANS and not categories:
            self.problems.add("scale", f"{name} has no category.", "Import the scale first.")
            return None
        if kind is ScaleKind.CATEGORIES and len(categories) < 2:
            what = f"The study has no scale {name}, and the only answer is {listed}."
            self.problems.add("scale", what, "Import the scale with all its categories first.")
            return None
        if kind is not ScaleKind.TEXT:
            is_number = kind is ScaleKind.NUMBER
            how = f"from {ends[0]:g} to {ends[1]:g}" if is_number else f"with {listed}"
            remedy = f"Import the scale first if it has other {'limits' if is_number else 'categories'}."
            self.notice(f"The study has no scale {name}; it is added {how}.", remedy)
        return _scale_of(kind, name, ends, categories)

    def _rated(
        self, key: _RatingKey, given: Sequence[tuple[str, Answer]], scales: Mapping[str, Dimension]
    ) -> list[NewRating]:
        topic, system, name, annotator = key
        found = []
        for place, answer in given:
            self.problems.place = place
            scale = scales.get(name)
            if scale is not None:
                new = self._on_scale(scale, answer)
                if new is not None:
                    value, spans = new
                    note, is_flagged = answer.note, answer.is_flagged
                    found.append(NewRating(topic, system, name, annotator, value, note, is_flagged, spans))
        return found

    def _on_scale(
        self, scale: Dimension, answer: Answer
    ) -> tuple[float | None, tuple[tuple[int, int, int], ...]] | None:
        """Return the value of an answer on a scale and its spans; None and a problem if it does not fit."""
        if not answer.is_rated:
            return None, ()
        numbers = {text: number for number, text in scale.anchors}
        if scale.kind is ScaleKind.SPANS and answer.kind is ScaleKind.SPANS:
            unknown = [one for *_, one in answer.spans if _plain(one) not in numbers]
            if unknown:
                self._no_category(scale, unknown[0])
                return None
            return 0.0, tuple((start, end, int(numbers[_plain(one)])) for start, end, one in answer.spans)
        if answer.kind is ScaleKind.TEXT and scale.kind is ScaleKind.TEXT:
            return (1.0 if answer.note else None), ()
        if answer.kind is ScaleKind.NUMBER and scale.kind is ScaleKind.NUMBER:
            return answer.value, ()
        if answer.kind is ScaleKind.CATEGORIES and scale.kind in (ScaleKind.CATEGORIES, ScaleKind.NUMBER):
            category = _plain(answer.category)
            if category in numbers:
                return numbers[category], ()
            if scale.kind is ScaleKind.NUMBER and (number := parse_number(category)) is not None:
                return number, ()
            self._no_category(scale, category)
            return None
        what = (
            f"{_short(scale.name)} is a scale of {scale.kind} in the study, and of {answer.kind} in the file."
        )
        self.problems.add("scale", what, "Rename one of the two.")
        return None

    def _no_category(self, scale: Dimension, category: str) -> None:
        what = f"The scale {scale.name} has no category {_short(category)}."
        self.problems.add("category", what, "Add it to the scale in the study, or correct the file.")


_BLANK = re.compile(r"\s")
_WHOLE = re.compile(r"[0-9]{1,9}")
_OWNERS = {TextKind.REFERENCE: "author", TextKind.SUMMARY: "system"}


def named_key(record: Mapping[str, Any], topic: str, author: str, system: str) -> TextKey | None:
    """Return the text that a record names, None = not exactly one. topic, author, system: its keys."""
    names = {TextKind.REFERENCE: record.get(author), TextKind.SUMMARY: record.get(system)}
    given = [(kind, name) for kind, name in names.items() if isinstance(name, str) and name]
    of = record.get(topic)
    return TextKey(of, *given[0]) if isinstance(of, str) and of and len(given) == 1 else None


def answer_of(scale: str, kind: str, text: str, note: str = "", is_flagged: bool = False) -> Answer:
    """Return the answer that a text is on a scale of a kind; one that is no number is a category."""
    if kind == ScaleKind.TEXT:
        return Answer(scale, ScaleKind.TEXT, note=text, is_flagged=is_flagged)
    if kind == ScaleKind.NUMBER and (number := parse_number(text)) is not None:
        return Answer(scale, ScaleKind.NUMBER, number, note=note, is_flagged=is_flagged)
    return Answer(scale, ScaleKind.CATEGORIES, category=text, note=note, is_flagged=is_flagged)


def _scale_of(
    kind: ScaleKind, name: str, ends: tuple[float, float], categories: Sequence[str], question: str = ""
) -> Dimension:
    if kind is ScaleKind.NUMBER:
        return Dimension("", name, *ends, question)
    if kind is ScaleKind.TEXT:
        return text_scale("", name, question)
    return (span_scale if kind is ScaleKind.SPANS else category_scale)("", name, categories, question)


def _matches(key: _ListKey, held: _Units) -> list[NewMatches]:
    topic, owner, kind = key
    places = dict.fromkeys((*held.matches, *held.done))
    return [
        NewMatches(
            topic,
            system,
            owner,
            annotator,
            tuple(held.matches.get((system, annotator), ())),
            {},
            kind,
            (system, annotator) in held.done,
        )
        for system, annotator in places
    ]


def _in_order(units: Iterable[Unit]) -> list[Unit]:
    """Return units in the order of their keys if these are numbers, else as they are."""
    found = list(units)
    are_numbers = all(_WHOLE.fullmatch(unit.id) for unit in found)
    return sorted(found, key=lambda unit: int(unit.id)) if are_numbers else found


def _hash(content: str) -> bytes:
    """Return a digest of a text without its blanks."""
    return sha256("".join(content.split()).encode("utf-8", "surrogatepass")).digest()


def _categories(answer: Answer) -> list[str]:
    given = [answer.category] if answer.kind is ScaleKind.CATEGORIES else [one for *_, one in answer.spans]
    return [_plain(one) for one in given]


def _plain(category: str) -> str:
    return " ".join(category.split())


def _holds(content: str, span: tuple[int | None, int | None], words: str) -> bool:
    """Return whether a span contains words; tools write line ends as blanks or as a backslash and n."""
    start, end = span
    if start is None or end is None or start < 0:
        return False
    return _squeezed(content[start:end]) == _squeezed(words)


def _squeezed(words: str) -> str:
    return "".join(words.replace("\\n", " ").split())


def _described(key: TextKey) -> str:
    what = "the reference by" if key.kind is TextKind.REFERENCE else "the summary of"
    return f"{what} {key.name} of topic {key.topic}"


def _difference(known: str, content: str) -> str:
    pairs = enumerate(zip(unix(known), unix(content), strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(known), len(content)))
    here = " ".join(unix(content)[at : at + 20].split())
    return f"from character {at + 1} on (“{here}”)" if here else f"which goes on after character {at}"


def _short(value: object) -> str:
    text = str(value)
    return f"“{text if len(text) <= _LONGEST_WORDS else text[: _LONGEST_WORDS - 1] + '…'}”"


def _number(value: int) -> str:
    return str(value) if abs(value) < _LAST_NUMBER else "A huge number"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""
