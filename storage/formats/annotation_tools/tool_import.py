"""Combination of what an annotation tool holds into one import: texts, units, ratings, comparisons.

Nothing is guessed: a text is named by the file, or equal to one text of the study. What is left out is
counted and becomes notices.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
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
    ScaleTexts,
)
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind
from core.domain.ratings import Dimension, ScaleKind, category_scale, check_dimensions, span_scale, text_scale
from core.domain.study import Span, Text
from core.errors import InputError, Problem
from core.files.file_names import file_name
from core.files.paths import escape_control_characters, printable_path
from core.names import in_sentence
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
from storage.formats.memory import ROW
from storage.formats.offsets import FileOffsets, OffsetUnit, unix
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, is_clean, lines_to_skip

_ALTERNATIVES = {
    OffsetUnit.GRAPHEMES: (
        "Offsets are read as UTF-16 units; the project may count grapheme clusters instead.",
        "",
        "--offsets graphemes",
    ),
    OffsetUnit.UTF16: (
        "Offsets are read as characters; export with the words of each span to be sure.",
        "",
        "",
    ),
}
"""Remedy, end and option of the notice on spans without words that may count something else."""
_NOT_READ, _BY_NAME = " not read", "--annotator NAME"
_REPEATED = (
    "spans that repeat another one of the same category",
    "Equal spans of one annotator are imported once.",
    "",
    "",
)
_CHOSEN_NUMBER = ScaleKind.CATEGORIES, ScaleKind.NUMBER
"""Kinds of an answer and a scale of which a choice may be a number."""
_IMPORT_TEXTS = "Import the texts of the study first, or correct the file."
_OFFSETS = "Count characters from 0; the end is exclusive."
_LONGEST_WORDS = 40
_LAST_NUMBER = 10**12


@dataclass(frozen=True, slots=True)
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
        self._draft = ImportDraft(printable_path(path.name), self.problems)
        self.is_annotator_given = bool(options.get("annotator", "").strip())
        self._annotator = options.get("annotator", "").strip() or annotator
        self._study, self._alternative = study, alternative
        self._texts: dict[TextKey, _GivenText] = {}
        self._offsets: dict[tuple[TextKey, str], FileOffsets] = {}
        self._lists: dict[_ListKey, _Units] = {}
        self._ratings: dict[_RatingKey, list[tuple[str, Answer]]] = {}
        self._preferences: dict[NewPreference, None] = {}
        self._scales = {} if study is None else {one.name: one for one in study.ratings.dimensions()}
        self._new_scales: dict[str, Dimension] = {}
        self._counted: Counter[tuple[str, str, str, str]] = Counter()
        self._notices: dict[Problem, None] = {}
        self.files: list[ImportedFile] = []
        self._ambiguous: set[TextKey] = set()
        """Texts with a span without words that is at another place if offsets count the alternative."""
        self.problems.memory.check(0)
        self._draft.names("annotator", self._annotator)

    def annotator(self, named: str = "") -> str:
        """Return who made annotations: the named one, else the given or assumed one, which is counted.

        named: empty = the file does not name the annotator.
        """
        if not named and not self.is_annotator_given:
            by = f". They are by {self._annotator}"
            self._counted["annotations that name no annotator", "Name the annotator.", by, _BY_NAME] += 1
        return named or self._annotator

    # Texts

    def text(
        self, key: TextKey, content: str, sentences: tuple[Span, ...] | None = None, *, is_given: bool = True
    ) -> str | None:
        """Add a text under its names and return it as stored; None and a problem if it differs there.

        Line ends may differ from the study's; offsets of spans count in `content`.
        is_given: it is in the file, not from the study.
        """
        known, stored = self._texts.get(key), self._stored.get(key)
        if known is not None:
            new = known.new
        elif stored is not None:
            new = NewText(stored.content, stored.sentence_spans, stored.external_id)
        elif is_clean(content, "text", self.problems):
            new = NewText(content, sentences)
        else:
            return None
        if unix(new.content) != unix(content):
            what = f"The text differs from {_described(key)}, {_difference(new.content, content)}."
            remedy = "Use the text that is in the study, or import it under another name."
            self.problems.add("text", what, remedy)
            return None
        self._texts[key] = _GivenText(new, content, is_given)
        add = self._draft.summary if key.kind is TextKind.SUMMARY else self._draft.reference
        add(key.topic, key.name, new)
        return new.content

    def find(self, content: str, stem: str = "", equal: Iterable[TextKey] | None = None) -> TextKey | None:
        """Return the text of the study that equals a text; None and a problem if there is not exactly one.

        stem: name of the file, ``TOPIC.summary.SYSTEM`` or ``TOPIC.SYSTEM``, which chooses among equal texts.
        equal: the equal texts, if they are known.
        """
        found = self.equal_texts(content) if equal is None else list(equal)
        if len(found) > 1:
            found = [key for key in found if stem in (key.stem, f"{key.topic}.{key.name}")] or found
        if len(found) == 1:
            return found[0]
        if found:
            names = " and ".join(_described(key) for key in found[:2])
            what = f"The text is the same as {names}."
            self.problems.add("text", what, f"Name the file {found[0].stem} or {found[1].stem}.")
        elif (named := self.named(stem)) is not None:
            self.text(named, content)  # says how it differs
        else:
            start = " ".join(content[:_LONGEST_WORDS].split())
            self.problems.add("text", f"No text of the study equals “{start}…”.", _IMPORT_TEXTS)
        return None

    def equal_texts(self, content: str) -> list[TextKey]:
        """Return the texts of the study that equal a text except for line ends."""
        similar = self._by_content.get(hash(_squeezed(content)), ())
        return [key for key in similar if unix(self._stored[key].content) == unix(content)]

    def texts_but_for_blanks(self, content: str) -> dict[TextKey, str]:
        """Return the texts of the study that equal a text but for the kind of blanks and those at the end.

        Each is as the file counts it: with the study's line ends, with line feeds, or with CRLF.
        """
        found, head = {}, content.rstrip()
        for key in self._by_content.get(hash(_squeezed(content)), ()):
            stored = self._stored[key].content
            lines, end = unix(stored), stored[len(stored.rstrip()) :]
            for text in (head + end, lines.replace("\n", "\r\n"), lines, stored):
                is_same = _BLANK.sub(" ", text).rstrip() == _BLANK.sub(" ", head)
                if is_same and unix(text) == lines:
                    found[key] = text
        return found

    def named(self, stem: str) -> TextKey | None:
        """Return the text of the study whose files are named so, None = there is none."""
        found = self._by_stem.get(stem, ())
        return found[0] if len(found) == 1 else None

    def stored_text(self, key: TextKey) -> str | None:
        """Return a text of the study, None = the study does not have it."""
        return self._stored[key].content if key in self._stored else None

    @cached_property
    def _stored(self) -> dict[TextKey, Text]:
        topics = self._study.texts.load() if self._study is not None else ()
        return {key: text for topic in topics for key, text in texts_of(topic)}

    @cached_property
    def _by_content(self) -> dict[int, list[TextKey]]:
        found = defaultdict(list)
        for key, text in self._stored.items():
            found[hash(_squeezed(text.content))].append(key)
        return found

    @cached_property
    def _by_stem(self) -> dict[str, list[TextKey]]:
        found = defaultdict(list)
        for key in self._stored:
            for stem in dict.fromkeys((key.stem, file_name(key.stem))):
                found[stem].append(key)
        return found

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
        first, last = spans[chosen := min(fits)[1] if fits else 0]  # the same blanks first
        what = ""
        if not words and not fits and not text.is_given and content != unix(content):
            what = f"The span {start} to {end} has no words, and line ends may count once or twice."
            remedy = "Export with the text, or with the words of each span."
        elif first is not None and last is not None and 0 <= last <= first <= len(content):
            what, remedy = f"The span {start} to {end} is empty or reversed.", _OFFSETS
        elif first is None or last is None or not 0 <= first < last <= len(content):
            ends = f"{_number(start)} to {_number(end)}"
            what, remedy = f"{ends} is outside the text of {len(given):,} characters.", _OFFSETS
        elif words and not fits:
            what = f"The span {start} to {end} is {_short(content[first:last])}, not {_short(words)}."
            remedy = "Correct the offsets, or use the text that was annotated."
        if what or first is None or last is None:
            self.problems.add("start", what, remedy)
            return None
        if not words and not fits and not text.is_given and "\n" in content[:last]:
            what = "spans without words, in texts that the file does not have"
            remedy = (
                "They were placed in the study's text. Where its line ends were two characters, they are "
                "wrong: export with the text, or with the words of each span."
            )
            self._counted[what, remedy, "", ""] += 1
        if chosen:
            is_unit = readings[chosen][0] == given
            which = "characters in other units" if is_unit else "line ends as one character"
            remedy = "They were converted; their words show where."
            self._counted[f"spans that count {which}", remedy, "", ""] += 1
        if self._alternative is not None and not fits and key not in self._ambiguous:
            other = self._converted(key, (start, end), (given, self._alternative))
            if other != (first, last):
                self._ambiguous.add(key)
                what = "texts with emoji or combining marks before a span"
                self._counted[what, *_ALTERNATIVES[self._alternative]] += 1
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
        held = self._list((known.topic, known.owner, known.kind))
        held.is_done |= known.done
        for unit in known.units:
            self._unit(held, unit)

    def mark(self, key: TextKey, annotator: str, mark: UnitMark, unit: Unit | None = None) -> None:
        """Add a contributor or match. unit: with more than the label of the mark, if it is known."""
        for name, text in (("label", mark.label), ("comment", mark.comment)):
            is_clean(text, name, self.problems)
        self.problems.memory.take(ROW)
        held = self._list((key.topic, mark.owner, mark.kind), annotator)
        parts = tuple(NewPart(*span) for span in mark.parts)
        if mark.unit:
            self._unit(held, unit or Unit(mark.unit, mark.label))
        if key.kind is TextKind.SUMMARY:
            flags = mark.is_confirmed, mark.is_partial
            match = NewMatch(mark.unit or None, parts, mark.comment, {}, *flags)
            held.matches.setdefault((key.name, annotator), []).append(match)
        elif mark.unit and parts:
            one = NewContributor(key.name, parts, mark.comment, is_confirmed=mark.is_confirmed)
            held.contributors.setdefault(mark.unit, []).append(one)
        else:
            self.leave_out("marks of a reference without an SCU", "Give them an SCU in the annotation tool.")

    def done(self, key: TextKey, annotator: str, owner: str, kind: UnitKind) -> None:
        """Mark a summary as done."""
        self._list((key.topic, owner, kind), annotator).done.add((key.name, annotator))

    def _list(self, key: _ListKey, *people: str) -> _Units:
        topic, owner, _ = key
        self._draft.topic(topic)
        self._add_people(owner, *people)
        return self._lists.setdefault(key, _Units())

    def _add_people(self, *names: str) -> None:
        for name in names:
            self._draft.names("annotator", name)
            self._draft.annotators[name] = ""

    def _unit(self, held: _Units, unit: Unit) -> None:
        """Add a unit; the first label of a key counts, and another one is reported."""
        known = held.units.setdefault(unit.id, unit)
        if not known.label:
            held.units[unit.id] = replace(known, label=unit.label)
        elif unit.label not in ("", known.label):
            what = f"{_short(unit.id)} has two labels, {_short(known.label)} and {_short(unit.label)}."
            self.notice(what, "The first one is imported.")

    # Ratings and comparisons

    def scale(self, scale: Dimension) -> None:
        """Add a scale that the file describes, unless the study has it."""
        self._draft.names("dimension", scale.name)
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
        self._add_people(annotator)
        self._draft.names("dimension", answer.scale)
        is_clean(answer.note + answer.category, "note", self.problems)
        self.problems.memory.take(ROW)
        place = key.topic, key.name, answer.scale, annotator
        given = self._ratings.setdefault(place, [])
        if given and answer.kind is given[0][1].kind is ScaleKind.SPANS:
            given[0] = given[0][0], given[0][1].combined(answer)
        else:
            given.append((self.problems.place, answer))

    def remarks(self, key: TextKey | None, annotator: str, given: object) -> dict[str, tuple[str, bool]]:
        """Return note and flag by scale of what was exported as `Answer.remark`; {} and a problem for else.

        Ratings without a value are added, and those on scales of marked spans, of which spans are added.
        """
        found: dict[str, tuple[str, bool]] = {}
        for one in given if isinstance(given, list) else ():
            if not (
                isinstance(one, list) and len(one) == 4 and all(isinstance(text, str) for text in one[:2])
            ):
                what = "The notes cannot be read: a note is not a scale, a text and two booleans."
                self.problems.add("notes", what, "Remove the field `notes`.")
                return {}
            scale, note, is_flagged, is_rated = one[0], one[1], one[2] is True, one[3] is True
            found[scale] = note, is_flagged
            known = self.known_scale(scale)
            kind = known.kind if known is not None else ScaleKind.SPANS
            if key is not None and (kind is ScaleKind.SPANS or not is_rated):
                self.rate(key, annotator, Answer(scale, kind, None, "", (), note, is_flagged, is_rated))
        return found

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
        for what, name in (*(("system", one) for one in systems), ("plan", plan)):
            self._draft.names(what, name)
        self._draft.topic(topic)
        self._add_people(annotator)
        self.problems.memory.take(ROW)
        new = NewPreference(plan, kind, topic, tuple(systems), annotator, best, worst)
        self._preferences[new] = None

    # Result

    def leave_out(self, what: str, remedy: str, count: int = 1) -> None:
        """Count what is not imported; what: a plural noun."""
        if count:
            self._counted[what, remedy, _NOT_READ, ""] += count

    def notice(self, what: str, remedy: str, option: str = "") -> None:
        """Add a notice. option: as of `Problem`."""
        texts = map(escape_control_characters, (what, remedy, option))
        self._notices[Problem(self._draft.source, printable_path(self.problems.place), "", *texts)] = None

    def finish(self) -> ImportContent:
        """Return the import. Raises BadImport with all problems, if any."""
        self._add_ratings()
        self.problems.place = ""
        if not (self.problems.found or self._lists or self._draft.ratings or self._preferences):
            self.problems.add("", *self._why_nothing())
        self.problems.stop_if_any()
        for (what, remedy, end, option), count in self._counted.items():
            self.notice(f"{what[0].upper()}{what[1:]}: {count:,}{end}.", remedy, option)
        content = self._draft.finish(has_more=True)
        is_assumed = any(option == _BY_NAME for *_, option in self._counted)
        return replace(
            content,
            systems={},
            pyramids=[_pyramid(key, held) for key, held in self._lists.items()],
            matches=[new for key, held in self._lists.items() for new in _matches(key, held)],
            files=self.files,
            notices=(*self._notices, *content.notices),
            preferences=tuple(self._preferences),
            assumed_annotator=self._annotator if is_assumed else "",
        )

    def _why_nothing(self) -> tuple[str, str]:
        """Return that there is nothing to import, with what is known about it."""
        lost = [
            (f"{count:,} {one[0]}", one[1]) for one, count in self._counted.items() if one[2] == _NOT_READ
        ]
        if self._notices:
            first = next(iter(self._notices))
            return f"There is nothing to import. {first.what}", first.remedy
        if lost:
            listed = in_sentence([what for what, _ in lost])
            return f"There is nothing to import; {listed} cannot be read.", lost[0][1]
        return "There is nothing to import.", "Check the file and the selected format."

    def _add_ratings(self) -> None:
        """Add the ratings with their scales: the study's, those that the file describes, and new ones."""
        answers: dict[str, list[Answer]] = {}
        for (_, _, name, _), given in self._ratings.items():
            answers.setdefault(name, []).extend(answer for _, answer in given)
        self.problems.place = ""
        names = [name for name in {**self._new_scales, **self._scales, **answers} if name in answers]
        scales = {name: self.known_scale(name) or self._new_scale(name, answers[name]) for name in names}
        for name, scale in scales.items():
            if scale is not None:
                self._draft.dimensions[name] = scale.low, scale.high
                if name not in self._scales:
                    about = scale.question, scale.description, scale.anchors, scale.kind, scale.is_required
                    self._draft.scale_texts[name] = ScaleTexts(*about)
        for (topic, system, name, annotator), given in self._ratings.items():
            scale = scales[name]
            for self.problems.place, one in given:
                if scale is None or (found := self._on_scale(scale, one)) is None:
                    continue
                value, spans = found
                new = NewRating(topic, system, name, annotator, value, one.note, one.is_flagged, spans)
                if repeated := len(spans) - len(set(spans)):
                    self._counted[_REPEATED] += repeated
                self._draft.rating(new, "", (scale.low, scale.high))

    def _new_scale(self, name: str, answers: Sequence[Answer]) -> Dimension | None:
        """Return a scale for ratings on one that neither the study nor the file describes."""
        kinds, kind = {answer.kind for answer in answers}, answers[0].kind
        values = [answer.value for answer in answers if answer.value is not None]
        ends = min([1.0, *values]), max([5.0, *values])
        categories = list(dict.fromkeys(one for answer in answers for one in _categories(answer)))
        listed = in_sentence([f"“{one}”" for one in categories[:5]])
        problem: tuple[str, str] | None = None
        if len(kinds) > 1:
            what = f"The answers to {_short(name)} are {' and '.join(sorted(kinds))}."
            problem = what, "Give the questions different names."
        elif kind is ScaleKind.SPANS and not categories:
            problem = f"{name} has no category.", "Import the scale first."
        elif kind is ScaleKind.CATEGORIES and len(categories) < 2:
            what = f"The study has no scale {name}, and the only answer is {listed}."
            problem = what, "Import the scale with all its categories first."
        if problem:
            self.problems.add("scale", *problem)
            return None
        if kind is not ScaleKind.TEXT:
            is_number = kind is ScaleKind.NUMBER
            how = f"from {ends[0]:g} to {ends[1]:g}" if is_number else f"with {listed}"
            remedy = f"Import the scale first if it has other {'limits' if is_number else 'categories'}."
            self.notice(f"The study has no scale {name}; it is added {how}.", remedy)
        return _scale_of(kind, name, ends, categories)

    def _on_scale(
        self, scale: Dimension, answer: Answer
    ) -> tuple[float | None, tuple[tuple[int, int, int], ...]] | None:
        """Return the value of an answer on a scale and its spans; None and a problem if it does not fit."""
        if not answer.is_rated:
            return None, ()
        if answer.kind is not scale.kind and (answer.kind, scale.kind) != _CHOSEN_NUMBER:
            kinds = f"{scale.kind} in the study, and of {answer.kind} in the file"
            what = f"{_short(scale.name)} is a scale of {kinds}."
            self.problems.add("scale", what, "Rename one of the two.")
            return None
        numbers: dict[str, float | None] = {text: number for number, text in scale.anchors}
        for one in _categories(answer):
            number = numbers.setdefault(one, parse_number(one) if scale.kind is ScaleKind.NUMBER else None)
            if number is None:
                what = f"The scale {scale.name} has no category {_short(one)}."
                self.problems.add("category", what, "Add it to the scale in the study, or correct the file.")
                return None
        if scale.kind is ScaleKind.SPANS:
            spans = ((start, end, numbers[_plain(one)]) for start, end, one in answer.spans)
            return 0.0, tuple((start, end, int(number or 0)) for start, end, number in spans)
        if scale.kind is ScaleKind.TEXT:
            return (1.0 if answer.note else None), ()
        return (answer.value if answer.kind is ScaleKind.NUMBER else numbers[_plain(answer.category)]), ()


_BLANK = re.compile(r"\s")
_WHOLE = re.compile(r"[0-9]{1,9}")


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


def _pyramid(key: _ListKey, held: _Units) -> NewPyramid:
    topic, owner, kind = key
    units = list(held.units.values())
    if all(_WHOLE.fullmatch(unit.id) for unit in units):
        units.sort(key=lambda unit: int(unit.id))
    scus = tuple(
        NewScu(
            unit.id,
            unit.label or unit.id,
            tuple(held.contributors.get(unit.id, ())),
            unit.comment,
            importance=unit.importance,
        )
        for unit in units
    )
    return NewPyramid(topic, owner, scus, kind=kind, is_done=held.is_done)


def _matches(key: _ListKey, held: _Units) -> Iterator[NewMatches]:
    topic, owner, kind = key
    for place in dict.fromkeys((*held.matches, *held.done)):
        own, (system, annotator) = tuple(held.matches.get(place, ())), place
        yield NewMatches(topic, system, owner, annotator, own, {}, kind, place in held.done)


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
