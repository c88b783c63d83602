"""Contents of an import: the texts, numbers and annotations that the items of a level have."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from core.domain.citations import CitedSpan
from core.domain.import_batch import (
    ImportContent,
    NewCitance,
    NewCitanceAnnotation,
    NewPreference,
    NewRating,
    NewScore,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.domain.preferences import MOST_IN_TUPLE, ComparisonKind
from core.domain.ratings import MarkedSpan, ScaleKind
from core.domain.scale_templates import find_template
from core.domain.study import Span, SystemKind, join_sentences
from core.errors import Problem
from core.numerals import parse_number
from storage.formats.mappings.document_files import DocumentFiles
from storage.formats.mappings.mapping import (
    CitanceRule,
    ImportMapping,
    Level,
    MarkRule,
    MetricsRule,
    PreferenceRule,
    RatingRule,
    ScaleRule,
    TextRule,
)
from storage.formats.mappings.pyramids import USUAL_AUTHOR, Pyramids
from storage.formats.mappings.values import (
    BAD,
    EMPTY,
    Scope,
    Value,
    list_in,
    name_in,
    needed,
    plain_in,
    text_in,
    value_of,
)
from storage.formats.memory import ROW
from storage.formats.offsets import FileOffsets, OffsetUnit
from storage.formats.readers.draft import ImportDraft, TopicDraft, flatten, usual_scale
from storage.formats.readers.fields import is_clean, name_field, new_text, number_field, text_field
from storage.formats.readers.tables.column_roles import numbers_of
from storage.formats.readers.tables.table_cells import as_text

_TEXTS = {"document": "document", "reference": "author", "summary": "system", "citing_paper": "paper"}
"""Name that a text has, by its kind."""
_KNOWN = {
    "document": "documents",
    "reference": "references",
    "summary": "summaries",
    "citing_paper": "citing_papers",
}
"""Texts of a topic, by their kind."""
_USUAL_NAMES = {"document": "article", "reference": USUAL_AUTHOR}
_TIES = frozenset({"tie", "both", "neither", "none"})
_FIRST, _SECOND = ("a", "system_a", "model_a"), ("b", "system_b", "model_b")
_PLAN = "imported comparisons"
_PLAIN = {is_required: RatingRule(None, None, is_required=is_required) for is_required in (False, True)}
"""Rules of ratings that have only a value, by whether it may be missing."""
TIMES = "\0"
"""In a notice, the number of items that it is about."""

Key = tuple[str, ...]


@dataclass(slots=True)
class _Values:
    """Values of a rating that is averaged. place: of the first one. of: how many there should be."""

    given: list[float]
    group: str
    note: str
    place: str
    of: Any = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marked part of a summary that may not be complete yet."""

    rule: MarkRule
    categories: Sequence[int]
    scope: Scope
    place: str


class Contents:
    """Collects the contents of an import. counted: notices, with how many items each is about."""

    def __init__(self, mapping: ImportMapping, draft: ImportDraft, files: DocumentFiles) -> None:
        self.counted: Counter[tuple[str, str]] = Counter()
        self._mapping, self._draft, self._problems, self._files = mapping, draft, draft.problems, files
        self._pyramids = Pyramids(draft, mapping.none)
        self._values: dict[Key, _Values] = {}
        self._marks: dict[Key, tuple[str, list[_Mark]]] = {}
        self._moved = 0
        self._parts: dict[Key, list[str]] = {}
        self._blank: dict[Key, None] = {}
        self._preferences: list[NewPreference] = []
        self._other_sentences: list[str] = []
        self._measured: set[str] = set()
        self._with_scales: set[int] = set()
        self._limits: dict[str, tuple[float, float]] = {}
        self._labels: dict[str, dict[str, float]] = {}

    def about(self, level: Level, scope: Scope) -> None:
        """Set what a topic is about."""
        head = self._draft.topic(needed("topic", scope))
        for name, value in (("title", level.title), ("query", level.query)):
            if value is not None and (found := value_of(value, scope)) not in EMPTY:
                text = new_text(as_text(found), scope.at(value.label), self._problems)
                if text is not None:
                    self._set(head, name, " ".join(text.content.split()), scope.at(value.label))
        if level.set is not None and level.set(scope) not in EMPTY:
            self._set(head, "set", name_in(level.set, scope, "set"), scope.at(level.set.label))

    def _set(self, head: TopicDraft, name: str, text: str, label: str) -> None:
        """Set the title, query or set of a topic, once."""
        if getattr(head, name) in ("", text):
            setattr(head, name, text)
        else:
            what = f"{TIMES} values of {label} are not the topic's first one, which was imported."
            self.counted[what, ""] += 1

    def add(self, level: Level, scope: Scope) -> None:
        """Add what an item of a level has."""
        for kind in _TEXTS:
            for text in getattr(level, kind):
                self._text(kind, text, scope)
        if level.document_files and self._files.folder is not None:
            self._document_file(level, scope)
        for units in level.units:
            self._pyramids.add_units(units, scope)
        for scale in level.scale:
            self._scale(scale, scope)
        for name, value in level.ratings.items():
            self._rating(name, value, _PLAIN[level.has_all_ratings], scope)
        for rating in level.rating:
            if dimension := name_in(rating.dimension, scope, "dimension", is_optional=True):
                self._rating(dimension, rating.value, rating, scope)
        for name, value in level.scores.items():
            self._score(name, value, scope)
        for score in level.score:
            if measure := name_in(score.measure, scope, "measure", is_optional=True):
                self._score(measure, score.value, scope)
        for metrics in level.metrics:
            self._metrics(metrics, scope)
        for mark in level.mark:
            self._mark(mark, scope)
        for matches in level.matches:
            self._pyramids.add_matches(matches, scope)
        for preference in level.preference:
            self._preference(preference, scope)
        for citance in level.citance:
            self._citance(citance, scope)

    def _text(self, kind: str, rule: TextRule, scope: Scope) -> None:
        value = rule.text(scope)
        if value is BAD:
            return
        topic = needed("topic", scope)
        name = name_in(rule.name, scope, _TEXTS[kind], is_optional=True)
        name = name or scope.names.get(_TEXTS[kind]) or _USUAL_NAMES.get(kind, "")
        name = name or needed(_TEXTS[kind], scope)
        if value in EMPTY:
            if kind == "summary":
                self._system(rule, name, scope)
            if rule.is_required:
                scope.fault(rule.text.label, "The text is missing or empty.", "Write the text.")
            elif rule.may_be_empty:
                self._blank[kind, topic, name] = None
            return
        label = scope.at(rule.text.label)
        if self._mapping.is_table and isinstance(value, int | float):
            value = as_text(value)
        if rule.lists == "several" and isinstance(value, list):
            is_reference = kind == "reference"
            start = "ref" if is_reference and rule.name is None else name
            for place, one in enumerate(value, not is_reference):
                if (text := new_text(one, label, self._problems)) is not None:
                    self._add(
                        kind, topic, f"{start}-{place:02}" if is_reference or len(value) > 1 else name, text
                    )
            return
        if (text := new_text(value, label, self._problems)) is None:
            return
        if rule.is_joined:
            self._parts.setdefault((kind, topic, name), []).append(text.content)
            return
        if rule.sentences is not None and (given := value_of(rule.sentences, scope)) not in EMPTY:
            text = self._with_sentences(text, given, f"{topic} {name}", scope.at(rule.sentences.label))
        if rule.places is not None and (given := value_of(rule.places, scope)) is not None:
            text = replace(text, sentence_spans=self._pairs(given, scope.at(rule.places.label)))
        if kind == "summary":
            self._system(rule, name, scope)
        known = self._draft.topic(topic).summaries if kind == "summary" else {}
        if not (rule.keeps_first and name in known):
            self._add(kind, topic, name, text)

    def _system(self, rule: TextRule, name: str, scope: Scope) -> None:
        kind = value_of(rule.kind, scope)
        if kind in tuple(SystemKind):
            self._draft.systems.setdefault(name, SystemKind(kind))

    def _add(self, kind: str, topic: str, name: str, text: NewText) -> None:
        getattr(self._draft, kind)(topic, name, text)

    def _with_sentences(self, text: NewText, sentences: Any, name: str, label: str) -> NewText:
        """Return a text with its sentences; the list of them if they are not parts of it."""
        split = new_text(sentences, label, self._problems)
        if split is None or not isinstance(sentences, list):
            return text
        places, at = [], 0
        for sentence in sentences:
            start = text.content.find(sentence, at)
            if start < 0:
                self._other_sentences.append(name)
                return split
            at = start + len(sentence)
            places.append((start, at))
        return replace(text, sentence_spans=tuple(places))

    def _document_file(self, level: Level, scope: Scope) -> None:
        topic = needed("topic", scope)
        documents = self._draft.topic(topic).documents
        if not documents and (
            text := self._files.of(topic, [value(scope) for value in level.document_files], self._problems)
        ):
            self._draft.document(topic, _USUAL_NAMES["document"], text)

    def _scale(self, rule: ScaleRule, scope: Scope) -> None:
        dimension, question = name_in(rule.dimension, scope, "dimension"), plain_in(rule.question, scope)
        names = [as_text(one) for one in list_in(rule.labels, scope) if one not in EMPTY]
        given = [value_of(rule.low, scope), value_of(rule.high, scope)]
        low, high = (*sorted(number for one in given if (number := parse_number(one)) is not None), 0, 0)[:2]
        if names:
            self._labels[dimension] = {name: number for number, name in enumerate(names, 1)}
            anchors, ends, kind = tuple(enumerate(names, 1)), (1.0, float(max(len(names), 2))), "categories"
            self._draft.scale(dimension, ends, ScaleTexts(question, "", anchors, ScaleKind(kind)))
        elif None not in given and low < high:
            self._draft.scale(dimension, (low, high), ScaleTexts(question))

    def _rating(self, dimension: str, value: Value, rule: RatingRule, scope: Scope) -> None:
        found = value(scope)
        if found is BAD:
            return
        if self._is_missing(found):
            if rule.is_required:
                scope.fault(value.label, "The rating is missing.", "Add a number.")
            return
        topic, system, annotator, group = self._who(rule, scope)
        note = text_in(rule.note, scope)
        found = self._labels.get(dimension, {}).get(found, found) if isinstance(found, str) else found
        if self._mapping.is_table and (found := self._numbers(found, value.label, scope)) is None:
            return
        several = found if isinstance(found, list) else [found]
        for place, one in enumerate(several):
            is_listed = several is found
            who, at = (f"annotator-{place + 1}", f"[{place}]") if is_listed else (annotator, "")
            number = self._rated(one, self._ends(dimension), f"{value.label}{at}", scope)
            if number is None:
                continue
            key = topic, system, dimension, who
            if rule.mean:
                known = self._values.setdefault(key, _Values([], group, note, self._problems.place))
                known.given.append(number)
                known.note = "\n".join(filter(None, dict.fromkeys([*known.note.split("\n"), note])))
                known.of = value_of(rule.of, scope)
            else:
                self._add_rating(NewRating(*key, number, note), group)

    def _is_missing(self, found: Any) -> bool:
        """Return whether a value stands for no rating or score."""
        return found in EMPTY or bool(self._mapping.none and as_text(found) in self._mapping.none)

    def _who(self, rule: RatingRule | MarkRule, scope: Scope) -> tuple[str, str, str, str]:
        """Return topic, system, annotator and group of a rating. Raises Stop if one is missing."""
        annotator = name_in(rule.annotator, scope, "annotator")
        group = name_in(rule.group, scope, "group", is_optional=True)
        return (
            needed("topic", scope),
            needed("system", scope),
            annotator or needed("annotator", scope),
            group or scope.names.get("group") or "",
        )

    def _rated(self, given: Any, ends: tuple[float, float], label: str, scope: Scope) -> float | None:
        """Return a number on a scale, None with a problem if it is none."""
        number, (low, high) = parse_number(given), ends
        if number is not None and low <= number <= high:
            return number
        label = scope.at(label)
        if number is None or not self._mapping.is_table:
            return number_field({label: given}, label, self._problems, low=low, high=high)
        what = f"{number:g} is outside the scale {low:g} to {high:g}."
        self._problems.add(label, what, "Choose the scale, or correct the value.", "--scale LOW-HIGH")
        return None

    def _numbers(self, cell: Any, label: str, scope: Scope) -> Any:
        """Return the number of a cell of a table, or its list of numbers; None with a problem."""
        found = numbers_of(cell)
        if found is None:
            remedy = "Write a number with a decimal point, or leave it out."
            scope.fault(label, f"{as_text(cell)[:40]!r} is not a number.", remedy)
            return None
        return found if isinstance(cell, list) or len(found) > 1 else found[0]

    def _add_rating(self, rating: NewRating, group: str) -> None:
        ends = self._ends(rating.dimension)
        if ends[0] == -math.inf:
            self._measured.add(rating.dimension)
            assert rating.value is not None
            ends = rating.value, rating.value
        self._draft.rating(rating, group, ends)

    def _ends(self, dimension: str) -> tuple[float, float]:
        """Return the limits of a dimension, infinite if they are not known."""
        if dimension in self._limits:
            return self._limits[dimension]
        if dimension in self._draft.scale_texts:
            return self._draft.dimensions[dimension]
        return self._mapping.scale or (-math.inf, math.inf)

    def _score(self, measure: str, value: Value, scope: Scope) -> None:
        found = value(scope)
        if found is BAD or self._is_missing(found):
            return
        topic, system = needed("topic", scope), needed("system", scope)
        label = scope.at(value.label)
        if (number := number_field({label: found}, label, self._problems)) is not None:
            self._draft.score(NewScore(topic, system, measure, number))

    def _metrics(self, rule: MetricsRule, scope: Scope) -> None:
        found = rule.metrics(scope)
        if found is BAD or found is None:
            return
        if not isinstance(found, Mapping):
            scope.fault(rule.metrics.label, "Not an object.", 'Write {"rouge-1": {"recall": 0.4}}.')
            return
        topic, system = needed("topic", scope), needed("system", scope)
        people = value_of(rule.people, scope)
        flat = flatten(found, self._problems)
        for measure, value in flat.items():
            if isinstance(value, list):
                self._listed_ratings((topic, system), measure, value, people, scope)
            elif (number := number_field(flat, measure, self._problems)) is not None:
                self._draft.score(NewScore(topic, system, measure, number))

    def _listed_ratings(
        self, key: tuple[str, str], measure: str, values: Sequence[Any], people: Any, scope: Scope
    ) -> None:
        """Read a list of numbers, one per annotator: ``expert.coherence`` is a rating by experts."""
        group, _, dimension = measure.rpartition(".")
        names: Any = [f"{group or 'rater'}-{position}" for position in range(1, len(values) + 1)]
        if isinstance(people, Mapping) and isinstance(people.get(measure), Mapping):
            group = text_field(people[measure], "group", self._problems, required=False)
            dimension = measure.removeprefix(f"{group}.") if group else measure
            names = people[measure].get("names")
        is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not is_list or len(names) != len(values):
            what = f"The annotators of {measure} are not a list of {len(values)} names."
            scope.fault("annotators", what, "Write a name for each number, or leave the field out.")
            return
        for position, name in enumerate(names):
            place = f"{measure}[{position}]"
            number = number_field({place: values[position]}, place, self._problems)
            if number is not None:
                self._add_rating(NewRating(*key, dimension, name, number), group)

    def _mark(self, rule: MarkRule, scope: Scope) -> None:
        found = rule.category(scope)
        if found is BAD:
            return
        topic, system, annotator, group = self._who(rule, scope)
        dimension = name_in(rule.dimension, scope, "dimension")
        _, marks = self._marks.setdefault((topic, system, dimension, annotator), (group, []))
        categories = [parse_number(one) for one in (found if isinstance(found, list) else [found])]
        if numbers := [int(one) for one in categories if one]:
            self._problems.memory.take(ROW)
            marks.append(_Mark(rule, numbers, scope, self._problems.place))

    def _marked(self, mark: _Mark, text: NewText | None) -> list[MarkedSpan]:
        """Return the marked parts of a summary, once all of it was read."""
        self._problems.place = mark.place
        span = self._span(mark.rule, mark.scope, text)
        is_part = span is not None and span[0] < span[1]
        return [(*span, number) for number in mark.categories] if is_part and span is not None else []

    def _span(self, rule: MarkRule, scope: Scope, text: NewText | None) -> Span | None:
        """Return the part of a summary that is marked, in code points; None with a problem."""
        if text is None:
            scope.fault(rule.category.label, "The marked summary is missing.", "Add its text.")
            return None
        if rule.sentence is not None:
            at = parse_number(rule.sentence(scope))
            spans = text.sentence_spans or ()
            if at is None or not 0 <= at < len(spans):
                what = f"There is no sentence {at:g}." if at is not None else "The sentence is missing."
                scope.fault(rule.sentence.label, what, "Number the sentences of the summary.")
                return None
            return spans[int(at)]
        return self._given_span(rule, scope, text.content)

    def _given_span(self, rule: MarkRule, scope: Scope, content: str) -> Span | None:
        """Return a span of code points from the numbers and the words that the file has."""
        start = parse_number(value_of(rule.start, scope))
        end = parse_number(value_of(rule.end, scope))
        words = value_of(rule.words, scope)
        first = last = None
        if start is not None and end is not None:
            offsets, unit = FileOffsets(content, content), OffsetUnit(rule.counts)
            first = offsets.to_stored(int(start) - rule.first, unit)
            last = offsets.to_stored(int(end) - rule.first + rule.is_inclusive, unit)
        if (
            isinstance(words, str)
            and words
            and (first is None or last is None or content[first:last] != words)
        ):
            places = [one.start() for one in re.finditer(re.escape(words), content)]
            if places and (start is not None or len(places) == 1):
                self._moved += start is not None
                at = min(places, key=lambda place: abs(place - (start or 0)))
                return at, at + len(words)
        if first is None or last is None or first >= last:
            what = (
                f"{start:g} to {end:g} is outside" if start is not None and end is not None else "No place in"
            )
            label = (rule.start or rule.words or rule.category).label
            scope.fault(label, f"{what} the text of {len(content)} characters.", "Write start and end.")
            return None
        return first, last

    def _preference(self, rule: PreferenceRule, scope: Scope) -> None:
        before = len(self._problems.found)
        topic, annotator = needed("topic", scope), needed("annotator", scope)
        systems = self._compared(rule, scope)
        plan = text_in(rule.plan, scope) or _PLAN
        kind = text_in(rule.kind, scope)
        if not kind:
            kind = ComparisonKind.PAIRWISE if len(systems) == 2 else ComparisonKind.BEST_WORST
        elif kind not in tuple(ComparisonKind):
            assert rule.kind is not None
            remedy = f"Write {' or '.join(ComparisonKind)}."
            scope.fault(rule.kind.label, f"{kind[:40]!r} is unknown.", remedy)
        if len(self._problems.found) > before:
            return
        best, worst = self._answer(rule, systems, scope)
        self._draft.names("plan", plan)
        self._draft.names("annotator", annotator)
        if len(self._problems.found) == before:
            self._problems.memory.take(ROW)
            given = NewPreference(plan, ComparisonKind(kind), topic, systems, annotator, best, worst)
            self._preferences.append(given)
            group = str(scope.names.get("group") or "")
            self._draft.annotators[annotator] = self._draft.annotators.get(annotator) or group

    def _compared(self, rule: PreferenceRule, scope: Scope) -> tuple[str, ...]:
        """Return the compared systems in the order of display; empty with a problem."""
        listed, label = rule.systems(scope), scope.at(rule.systems.label)
        names = [as_text(one) for one in listed if one not in EMPTY] if isinstance(listed, list) else None
        if names is None:
            if listed is not BAD:
                self._problems.add(label, "This is not a list of systems.", 'Write ["first", "second"].')
            return ()
        if not 2 <= len(set(names)) == len(names) <= MOST_IN_TUPLE:
            what = f"A comparison has 2 to {MOST_IN_TUPLE} different systems; this row has {len(names)}."
            self._problems.add(label, what, "Name each system once.")
            return ()
        return tuple(names) if all(name_field({label: one}, label, self._problems) for one in names) else ()

    def _answer(self, rule: PreferenceRule, systems: Sequence[str], scope: Scope) -> tuple[str, str]:
        """Return the best and the worst system, both empty = a tie."""
        is_best = rule.best is not None and (
            rule.winner is None or rule.best.label in (scope.item if isinstance(scope.item, Mapping) else ())
        )
        best, worst = text_in(rule.best if is_best else None, scope), ""
        if is_best:
            worst = text_in(rule.worst, scope)
        elif rule.winner is not None:
            found = rule.winner(scope)
            if found in EMPTY:
                scope.fault(rule.winner.label, "The field is missing or empty.", "Fill in a value.")
            elif found is not BAD:
                best = _winner(found, systems)
        if best and not worst and len(systems) == 2:
            worst = next((one for one in systems if one != best), "")
        named = rule.best if is_best else rule.winner
        for value, chosen in ((named, best), (rule.worst, worst)):
            if chosen and chosen not in systems and value is not None:
                what = f"{chosen[:60]!r} is not one of the systems."
                scope.fault(value.label, what, "Name one of the row's systems.")
        return best, worst

    def _citance(self, rule: CitanceRule, scope: Scope) -> None:
        before = len(self._problems.found)
        topic, paper = needed("topic", scope), needed("paper", scope)
        number, annotations = name_in(rule.number, scope, "number"), list[NewCitanceAnnotation]()
        if who := str(scope.names.get("annotator") or ""):
            facets = list_in(rule.facets, scope)
            if not all(isinstance(one, str) and is_clean(one, "facets", self._problems) for one in facets):
                scope.fault("facets", "A facet is not a text.", 'Write ["method"].')
            cited = self._cited(rule.cited, scope)
            spans = self._pairs(list_in(rule.spans, scope), scope.at("spans"))
            text = plain_in(rule.text, scope)
            annotations = [NewCitanceAnnotation(who, text, spans, cited, tuple(facets))]
        given = value_of(rule.marker_span, scope)
        place = self._pairs([given], scope.at("marker_span")) if given is not None else ()
        texts = plain_in(rule.document, scope), plain_in(rule.marker, scope)
        if len(self._problems.found) == before:
            span = place[0] if place else None
            self._draft.citance(NewCitance(topic, paper, number, *texts, span, tuple(annotations)))

    def _cited(self, value: Value | None, scope: Scope) -> tuple[CitedSpan, ...]:
        found = []
        for part in list_in(value, scope):
            if not isinstance(part, Mapping):
                scope.fault("cited", "A cited part is not an object.", 'Write {"span": [0, 10], "text": …}.')
                continue
            text = text_field(part, "text", self._problems, required=False)
            given = part.get("span")
            place = self._pairs([given], scope.at("cited.span")) if given is not None else ()
            found.append(CitedSpan(place[0] if place else None, text))
        return tuple(found)

    def _pairs(self, given: Any, label: str) -> tuple[Span, ...]:
        """Return starts and ends; others are a problem."""
        found = []
        for one in given if isinstance(given, Sequence) else [given]:
            if isinstance(one, list) and len(one) == 2 and all(type(number) is int for number in one):
                found.append((one[0], one[1]))
            else:
                what = "A place is not a pair of whole numbers."
                self._problems.add(label, what, "Write [start, end], end excluded.")
        return tuple(found)

    def add_scales(self, level: Level) -> None:
        """Add the scales that the items of a level use, once."""
        if id(level) in self._with_scales:
            return
        self._with_scales.add(id(level))
        self._limits |= level.scales_of
        if level.template:
            for scale in find_template(level.template).scales:
                texts = ScaleTexts(scale.question, scale.description, scale.anchors, scale.kind)
                self._draft.scale(scale.name, (scale.low, scale.high), texts)
        for name, one in level.scales.items():
            anchors = sorted((parse_number(at) or 0.0, text) for at, text in one.anchors.items())
            texts = ScaleTexts(one.question, one.description, tuple(anchors), ScaleKind(one.kind))
            self._draft.scale(name, (one.low, one.high), texts)

    def finish(self, rejected: Iterator[tuple[str, str]]) -> ImportContent:
        """Return everything that was added. Raises BadImport with every problem.

        rejected: notices on what was not, with remedies.
        """
        draft = self._draft
        self._finish_collected()
        self._problems.place = ""
        content = draft.finish(has_more=bool(self._preferences or self._pyramids))
        if not self._mapping.is_table:  # a topic that is only named in ratings or scores is one of the study
            topics = [one for one in content.topics if one != NewTopic(one.name)]
            content = replace(content, topics=topics)
        scales = {
            name: usual_scale(*ends) if name in self._measured else ends
            for name, ends in content.dimensions.items()
        }
        content = self._pyramids.added_to(content)
        return replace(
            content,
            dimensions=scales,
            preferences=tuple(self._preferences),
            notices=(
                *content.notices,
                *(Problem(content.source, "", "", *texts) for texts in (*rejected, *self._notices(content))),
            ),
        )

    def _finish_collected(self) -> None:
        """Add what was put together of several items."""
        for (kind, topic, name), sentences in self._parts.items():
            self._add(kind, topic, name, NewText(*join_sentences(sentences)))
        for kind, topic, name in self._blank:
            head = self._draft.topic(topic)
            if name not in getattr(head, _KNOWN[kind]):
                self._add(kind, topic, name, NewText(""))
        for (topic, system, dimension, annotator), values in self._values.items():
            required = parse_number(values.of)
            if required is not None and len(values.given) != required:
                self._problems.place = values.place
                what = f"{annotator} answered {len(values.given)} of {required:g} sentences."
                self._problems.add(dimension, what, "Complete the answers, or remove them.")
                continue
            rating = NewRating(topic, system, dimension, annotator, mean(values.given), values.note)
            self._add_rating(rating, values.group)
        for (topic, system, dimension, annotator), (group, marks) in self._marks.items():
            text = self._draft.topic(topic).summaries.get(system)
            spans = (text.sentence_spans if text is not None else None) or ()
            marked = tuple(sorted({part for mark in marks for part in self._marked(mark, text)}))
            touched = sum(any(start < end and at < stop for at, end, _ in marked) for start, stop in spans)
            value = 1 - touched / max(len(spans), 1) if spans else float(not marked)
            kind = ScaleKind.SPANS.value
            rating = NewRating(topic, system, dimension, annotator, value, spans=marked, kind=kind)
            self._draft.rating(rating, group, (0.0, 1.0))

    def _notices(self, content: ImportContent) -> Iterator[tuple[str, str]]:
        """Yield what to know about the import, with remedies."""
        for (what, remedy), count in self.counted.items():
            yield what.replace(TIMES, f"{count:,}"), remedy
        sizes = len(content.systems), len(content.topics)
        for notice in self._mapping.notices:
            if sizes == (notice.systems, notice.topics):
                yield notice.what, notice.remedy
        if self._moved:
            what = f"The numbers of {self._moved:,} marked spans are not those of their words."
            yield what, "The words nearest to them were marked."
        if self._other_sentences:
            yield (
                f"The sentences of {len(self._other_sentences):,} summaries are not parts of the summary "
                f"({self._other_sentences[0]}…), which was imported as the list of its sentences.",
                "Nothing needs to be done; annotators saw these sentences.",
            )
        if not content.topics and (content.ratings or content.scores):
            yield (
                "The file contains no texts; ratings and scores are imported for summaries of the study.",
                "Import the texts too.",
            )


def _winner(given: Any, systems: Sequence[str]) -> str:
    """Return the system that won, empty = a tie."""
    text = as_text(given)
    if text in systems:
        return text
    if isinstance(given, int) and not isinstance(given, bool):
        return systems[given] if 0 <= given < len(systems) else text
    word = text.strip().lower()
    for place, names in enumerate((_FIRST, _SECOND)):
        if word in names and len(systems) == 2:
            return systems[place]
    return "" if word in _TIES or word.startswith("tie ") else text
