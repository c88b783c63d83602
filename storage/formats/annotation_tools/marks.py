"""Marks of annotators in texts, by names, as exchanged with annotation tools.

A pyramid or list of nuggets is a `UnitList`; its contributors and matches are `UnitMark`s of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from core.domain.pyramid import Contributor, Match, Part, TopicAnnotation, UnitKind
from core.domain.ratings import Dimension, RatingNote, ScaleKind
from core.domain.study import Span, Text, TopicTexts
from core.ports import Study


class TextKind(StrEnum):
    """Kind of a text that can be marked."""

    REFERENCE = "reference"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class TextKey:
    """A text by names. name: the author of a reference, the system of a summary."""

    topic: str
    kind: TextKind
    name: str

    @property
    def stem(self) -> str:
        """Name of its files, without a suffix."""
        return f"{self.topic}.{self.kind}.{self.name}"


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A contributor in a reference, or a match in a summary.

    owner: annotator of the list of units. unit: key in that list, empty = outside it.
    label: of the unit. parts: none = matched without a span.
    """

    kind: UnitKind
    owner: str
    unit: str
    label: str = ""
    parts: tuple[Span, ...] = ()
    comment: str = ""
    is_confirmed: bool = True
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class SpanRating:
    """A rating on a scale of marked spans.

    spans: start, end and category. is_rated: False = only a note or a flag.
    """

    scale: str
    spans: tuple[tuple[int, int, str], ...] = ()
    note: str = ""
    is_flagged: bool = False
    is_rated: bool = True


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One annotator's marks in a text.

    done: owners and kinds of the lists of units whose search in this summary is done.
    """

    key: TextKey
    text: Text
    annotator: str
    units: tuple[UnitMark, ...] = ()
    ratings: tuple[SpanRating, ...] = ()
    done: frozenset[tuple[str, UnitKind]] = frozenset()


@dataclass(frozen=True, slots=True)
class Unit:
    """An SCU or a nugget. key: unique in its list."""

    key: str
    label: str
    comment: str = ""
    importance: str = ""


@dataclass(frozen=True, slots=True)
class UnitList:
    """A pyramid or list of nuggets, without its contributors."""

    topic: str
    owner: str
    kind: UnitKind
    units: tuple[Unit, ...]
    is_done: bool = False


@dataclass(slots=True)
class StudyMarks:
    """All marks of a study."""

    lists: list[UnitList] = field(default_factory=list)
    texts: list[MarkedText] = field(default_factory=list)
    scales: list[Dimension] = field(default_factory=list)


def marks_of(study: Study) -> StudyMarks:
    """Return the marks of a study: units of both kinds, and ratings on scales of marked spans."""
    people = {person.id: person.name for person in study.annotators.all()}
    found = StudyMarks(scales=[one for one in study.ratings.dimensions() if one.kind is ScaleKind.SPANS])
    rated = _span_ratings(study, {scale.name: scale for scale in found.scales})
    annotations: dict[str, list[TopicAnnotation]] = {}
    for store in (study.pyramids, study.nuggets):
        for annotation in store.annotations():
            if annotation.pyramid.scus or annotation.matches:
                annotations.setdefault(annotation.pyramid.topic_id, []).append(annotation)
    for head in study.texts.topics():
        topic_ratings = {key: value for key, value in rated.items() if key[0] == head.name}
        if head.id in annotations or topic_ratings:
            topic = study.texts.topic(head.id)
            _add_topic(found, topic, annotations.get(head.id, []), people, topic_ratings)
    return found


RatedTexts = Mapping[tuple[str, str, str], tuple[SpanRating, ...]]
"""Ratings by the names of topic, system and annotator."""


def _span_ratings(study: Study, scales: Mapping[str, Dimension]) -> RatedTexts:
    notes = {(n.dimension, n.topic, n.system, n.annotator): n for n in study.ratings.notes()}
    found: dict[tuple[str, str, str], list[SpanRating]] = {}
    for name, scale in scales.items():
        cube = study.ratings.cube(name)
        for a, s, t in np.argwhere(np.isfinite(cube.values)).tolist():
            place = cube.topics[t], cube.systems[s], cube.annotators[a]
            found.setdefault(place, []).append(_span_rating(scale, notes.pop((name, *place), None)))
    for (name, *names), note in notes.items():  # without a value
        if name in scales:
            topic, system, annotator = names
            rating = replace(_span_rating(scales[name], note), is_rated=False)
            found.setdefault((topic, system, annotator), []).append(rating)
    return {place: tuple(ratings) for place, ratings in found.items()}


def _span_rating(scale: Dimension, note: RatingNote | None) -> SpanRating:
    if note is None:
        return SpanRating(scale.name)
    categories = {int(number): text for number, text in scale.anchors}
    spans = tuple((start, end, categories[category]) for start, end, category in note.spans)
    return SpanRating(scale.name, spans, note.note, note.is_flagged)


def _add_topic(
    found: StudyMarks,
    topic: TopicTexts,
    annotations: list[TopicAnnotation],
    people: Mapping[str, str],
    rated: RatedTexts,
) -> None:
    """Add the lists of units of a topic and what is marked in its texts, by text and annotator."""
    marks: dict[tuple[str, str], list[UnitMark]] = {}
    done: dict[tuple[str, str], set[tuple[str, UnitKind]]] = {}
    for annotation in annotations:
        pyramid, owner = annotation.pyramid, people[annotation.pyramid.annotator_id]
        keys = {scu.id: str(number) for number, scu in enumerate(pyramid.scus, 1)}
        units = tuple(Unit(keys[s.id], s.label, s.comment, s.importance) for s in pyramid.scus)
        found.lists.append(UnitList(topic.name, owner, pyramid.kind, units, pyramid.is_done))
        labels = {scu.id: scu.label for scu in pyramid.scus}
        for scu in pyramid.scus:
            for one in scu.contributors:
                mark = _mark(one, pyramid.kind, owner, keys[scu.id], scu.label)
                marks.setdefault((one.reference_id, owner), []).append(mark)
        for match in annotation.matches:
            unit, label = keys.get(match.scu_id or "", ""), labels.get(match.scu_id or "", "")
            mark = _mark(match, pyramid.kind, owner, unit, label)
            marks.setdefault((match.summary_id, people[match.annotator_id]), []).append(mark)
        for state in annotation.states:
            if state.is_done:
                where = state.summary_id, people[state.annotator_id]
                done.setdefault(where, set()).add((owner, pyramid.kind))
    names = sorted({name for _, name in (*marks, *done)} | {name for *_, name in rated})
    for key, text in texts_of(topic):
        is_summary = key.kind is TextKind.SUMMARY
        for name in names:
            ratings = rated.get((topic.name, text.name, name), ()) if is_summary else ()
            own, finished = marks.get((text.id, name), ()), done.get((text.id, name), ())
            if own or ratings or finished:
                found.texts.append(MarkedText(key, text, name, tuple(own), ratings, frozenset(finished)))


def _mark(one: Contributor | Match, kind: UnitKind, owner: str, unit: str, label: str) -> UnitMark:
    is_partial = isinstance(one, Match) and one.is_partial
    return UnitMark(kind, owner, unit, label, _spans(one.parts), one.comment, one.is_confirmed, is_partial)


def _spans(parts: tuple[Part, ...]) -> tuple[Span, ...]:
    return tuple(part.span for part in parts)


def texts_of(topic: TopicTexts) -> Iterator[tuple[TextKey, Text]]:
    """Yield the references and summaries of a topic."""
    for text in topic.references:
        yield TextKey(topic.name, TextKind.REFERENCE, text.name), text
    for text in topic.summaries:
        if text.id not in topic.humans:
            yield TextKey(topic.name, TextKind.SUMMARY, text.name), text
