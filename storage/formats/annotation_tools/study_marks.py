"""Marks, ratings and comparisons of a study, by names, as exchanged with annotation tools.

A pyramid or list of nuggets is a `UnitList`; its contributors and matches are `UnitMark`s of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.preferences import ComparisonKind
from core.domain.pyramid import Contributor, Match, TopicAnnotation, UnitKind
from core.domain.ratings import Dimension, Rating, ScaleKind
from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError
from core.ports import Study

_MOST_STARS = 10


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

    @property
    def names(self) -> dict[str, str]:
        """Its names as exported: topic and author or system."""
        owner = "author" if self.kind is TextKind.REFERENCE else "system"
        return {"topic": self.topic, owner: self.name}


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


Remark = tuple[str, str, bool, bool]
"""What exports write next to the value of a rating: scale, note, whether it is flagged and has a value."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rating on a scale.

    value: of a number. category: of a choice. spans: start, end and category. note: on a scale of texts the
    text. is_rated: False = only a note or a flag.
    """

    scale: str
    kind: ScaleKind
    value: float | None = None
    category: str = ""
    spans: tuple[tuple[int, int, str], ...] = ()
    note: str = ""
    is_flagged: bool = False
    is_rated: bool = True

    @property
    def remark(self) -> Remark:
        return self.scale, self.note, self.is_flagged, self.is_rated

    @property
    def needs_remark(self) -> bool:
        """Whether the value does not show everything."""
        has_note = bool(self.note) and self.kind is not ScaleKind.TEXT
        return has_note or self.is_flagged or not self.is_rated or self.kind is ScaleKind.SPANS

    def combined(self, more: Answer) -> Answer:
        """Return a rating of marked spans with those of another one."""
        notes = [self.note] * bool(self.note)
        notes += [more.note] * (more.note not in ("", *self.note.split("\n")))
        is_flagged, is_rated = self.is_flagged or more.is_flagged, self.is_rated or more.is_rated
        about = "\n".join(notes), is_flagged, is_rated
        return Answer(self.scale, self.kind, None, "", (*self.spans, *more.spans), *about)


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One annotator's marks in a text.

    done: owners and kinds of the lists of units whose search in this summary is done.
    """

    key: TextKey
    text: Text
    annotator: str
    units: tuple[UnitMark, ...] = ()
    ratings: tuple[Answer, ...] = ()
    done: frozenset[tuple[str, UnitKind]] = frozenset()


@dataclass(frozen=True, slots=True)
class Unit:
    """An SCU or a nugget. id: unique in its list."""

    id: str
    label: str
    comment: str = ""
    importance: str = ""


@dataclass(frozen=True, slots=True)
class UnitList:
    """A pyramid or list of nuggets, without its contributors. done: whether it is finished."""

    topic: str
    owner: str
    kind: UnitKind
    units: tuple[Unit, ...]
    done: bool = False


@dataclass(slots=True)
class StudyMarks:
    """All marks of a study. scales: those of marked spans."""

    lists: list[UnitList] = field(default_factory=list)
    texts: list[MarkedText] = field(default_factory=list)
    scales: list[Dimension] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RatedSummary:
    """A summary with all its ratings, by annotator. source: of `source_of`."""

    key: TextKey
    text: Text
    source: str
    ratings: Mapping[str, list[Answer]]


@dataclass(frozen=True, slots=True)
class ComparedSummaries:
    """A comparison of summaries with the answers: annotator, best and worst system; empty = a tie."""

    plan: str
    kind: ComparisonKind
    question: str
    topic: str
    systems: tuple[str, ...]
    texts: tuple[str, ...]
    source: str
    answers: tuple[tuple[str, str, str], ...] = ()


class _Names:
    """Names of a study's annotators, and its scales, by id."""

    def __init__(self, study: Study) -> None:
        self.people = {person.id: person.name for person in study.annotators.all()}
        self.scales = {scale.id: scale for scale in study.ratings.dimensions()}

    def answers(self, ratings: Sequence[Rating], kinds: tuple[ScaleKind, ...]) -> _Answers:
        """Return the ratings of a topic on scales of some kinds, by summary and annotator."""
        found: _Answers = {}
        for one in ratings:
            if self.scales[one.dimension_id].kind in kinds:
                by_person = found.setdefault(one.summary_id, {})
                by_person.setdefault(self.people[one.annotator_id], []).append(self._answer(one))
        return found

    def _answer(self, one: Rating) -> Answer:
        scale, value = self.scales[one.dimension_id], one.value
        names = {int(number): text for number, text in scale.anchors}
        is_choice = scale.kind is ScaleKind.CATEGORIES and value is not None
        return Answer(
            scale.name,
            scale.kind,
            value if scale.kind is ScaleKind.NUMBER else None,
            scale.meaning(value) if is_choice and value is not None else "",
            tuple((start, end, names[category]) for start, end, category in one.spans),
            one.note,
            one.is_flagged,
            value is not None,
        )


_Answers = dict[str, dict[str, list[Answer]]]


def marks_of(study: Study) -> StudyMarks:
    """Return the marks of a study: units of both kinds, and ratings on scales of marked spans."""
    names = _Names(study)
    found = StudyMarks(scales=[one for one in names.scales.values() if one.kind is ScaleKind.SPANS])
    annotations: dict[str, list[TopicAnnotation]] = {}
    for store in (study.pyramids, study.nuggets):
        for annotation in store.annotations():
            if annotation.pyramid.scus or annotation.matches:
                annotations.setdefault(annotation.pyramid.topic_id, []).append(annotation)
    for head in study.texts.topics():
        rated = names.answers(study.ratings.of_topic(head.id), (ScaleKind.SPANS,)) if found.scales else {}
        if head.id in annotations or rated:
            topic = study.texts.topic(head.id)
            _add_topic(found, topic, annotations.get(head.id, []), names.people, rated)
    return found


def _add_topic(
    found: StudyMarks,
    topic: TopicTexts,
    annotations: list[TopicAnnotation],
    people: Mapping[str, str],
    rated: _Answers,
) -> None:
    """Add the lists of units of a topic and what is marked in its texts, by text and annotator."""
    marks: dict[tuple[str, str], list[UnitMark]] = {}
    done: dict[tuple[str, str], set[tuple[str, UnitKind]]] = {}
    for annotation in annotations:
        pyramid, owner = annotation.pyramid, people[annotation.pyramid.annotator_id]
        units = {
            scu.id: Unit(str(number), scu.label, scu.comment, scu.importance)
            for number, scu in enumerate(pyramid.scus, 1)
        }
        found.lists.append(UnitList(topic.name, owner, pyramid.kind, tuple(units.values()), pyramid.is_done))
        for scu in pyramid.scus:
            for one in scu.contributors:
                mark = _mark(one, pyramid.kind, owner, units[scu.id])
                marks.setdefault((one.reference_id, owner), []).append(mark)
        for match in annotation.matches:
            mark = _mark(match, pyramid.kind, owner, units.get(match.scu_id or "", Unit("", "")))
            marks.setdefault((match.summary_id, people[match.annotator_id]), []).append(mark)
        for state in annotation.states:
            if state.is_done:
                where = state.summary_id, people[state.annotator_id]
                done.setdefault(where, set()).add((owner, pyramid.kind))
    names = sorted({name for _, name in (*marks, *done)} | {name for by in rated.values() for name in by})
    for key, text in texts_of(topic):
        for name in names:
            ratings = rated.get(text.id, {}).get(name, ())
            own, finished = marks.get((text.id, name), ()), done.get((text.id, name), ())
            if own or ratings or finished:
                more = tuple(own), tuple(ratings), frozenset(finished)
                found.texts.append(MarkedText(key, text, name, *more))


def _mark(one: Contributor | Match, kind: UnitKind, owner: str, unit: Unit) -> UnitMark:
    parts = tuple(part.span for part in one.parts)
    is_partial = isinstance(one, Match) and one.is_partial
    return UnitMark(kind, owner, unit.id, unit.label, parts, one.comment, one.is_confirmed, is_partial)


def texts_of(topic: TopicTexts) -> Iterator[tuple[TextKey, Text]]:
    """Yield the references and summaries of a topic."""
    for text in topic.references:
        yield TextKey(topic.name, TextKind.REFERENCE, text.name), text
    for text in topic.summaries:
        if text.id not in topic.humans:
            yield TextKey(topic.name, TextKind.SUMMARY, text.name), text


def scales_of(study: Study) -> list[Dimension]:
    """Return the scales of a study. Raises InputError if it has none."""
    scales = list(study.ratings.dimensions())
    if not scales:
        raise InputError("The study has no rating scale. Add one on the page Rate first.")
    return scales


def rated_summaries(study: Study) -> Iterator[RatedSummary]:
    """Yield every summary with its ratings."""
    names = _Names(study)
    for head in study.texts.topics():
        topic = study.texts.topic(head.id)
        rated = names.answers(study.ratings.of_topic(topic.id), tuple(ScaleKind))
        for key, text in texts_of(topic):
            if key.kind is TextKind.SUMMARY:
                yield RatedSummary(key, text, source_of(topic), rated.get(text.id, {}))


def compared_summaries(study: Study) -> Iterator[ComparedSummaries]:
    """Yield every comparison of the study's plans with its answers."""
    people = {person.id: person.name for person in study.annotators.all()}
    topics: dict[str, TopicTexts] = {}
    for plan in study.comparisons.plans():
        answers: dict[str, list[tuple[str, str, str]]] = {}
        for answer in study.comparisons.preferences(plan.id):
            given = people[answer.annotator_id], answer.best or "", answer.worst or ""
            answers.setdefault(answer.item_id, []).append(given)
        for item in study.comparisons.items(plan.id):
            topic = topics.get(item.topic_id) or study.texts.topic(item.topic_id)
            topics = {item.topic_id: topic}
            texts = {text.id: text for text in topic.summaries}
            names = {one: texts[one].name for one in item.summary_ids}
            yield ComparedSummaries(
                plan.name,
                plan.kind,
                plan.question,
                topic.name,
                tuple(names.values()),
                tuple(texts[one].content for one in names),
                source_of(topic),
                tuple(
                    (who, names.get(best, ""), names.get(worst, ""))
                    for who, best, worst in sorted(answers.get(item.id, ()), key=lambda one: one[0])
                ),
            )


def source_of(topic: TopicTexts) -> str:
    """Return the documents of a topic as one text, else its references."""
    return "\n\n".join(text.content for text in topic.documents or topic.references)


def star_scales(study: Study) -> frozenset[str]:
    """Return the scales of whole numbers from 1 to at most 10, which tools show as stars or buttons."""
    counts = study.ratings.counts()
    return frozenset(
        scale.name
        for scale in study.ratings.dimensions()
        if scale.kind is ScaleKind.NUMBER
        and (scale.low, scale.high % 1) == (1, 0)
        and scale.high <= _MOST_STARS
        and all(value % 1 == 0 for value in counts.get(scale.id, {}))
    )
