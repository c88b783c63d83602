"""Full-text search in a study: texts, pyramids, matches, comments and notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from core.annotation.blind_mode import blind_order
from core.domain.pyramid import Match, Part, TopicAnnotation, UnitKind
from core.domain.study import Span, Text, TopicTexts
from core.ports import Study
from core.progress import JobSteps, Progress

_TERM = re.compile(r'"([^"]*)("?)|(\S+)')
_LOOK_EVERY = 200  # texts between two steps


class TextKind(StrEnum):
    """Kind of a searchable text, in the order of results."""

    TOPIC = "topic"
    REFERENCE = "reference"
    DOCUMENT = "document"
    SUMMARY = "summary"
    LABEL = "label"
    CONTRIBUTOR = "contributor"
    UNIT = "unit"
    COMMENT = "comment"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class SearchableText:
    """A text that can be found.

    title: its owner, e.g. ``Reference A`` or a label.
    by: its author among annotators, empty = part of the data.
    text_id: the text that contains it, empty = none; start: its offset there.
    scu_id, summary_id: selected when it is opened, empty = none.
    unit: of an annotation, its kind of content unit.
    """

    kind: TextKind
    text: str
    topic_id: str
    topic: str
    title: str = ""
    by: str = ""
    text_id: str = ""
    start: int = 0
    scu_id: str = ""
    summary_id: str = ""
    unit: UnitKind = UnitKind.SCU
    folded: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", self.text.casefold())


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A text and the span of the first query term in it."""

    passage: SearchableText
    span: Span


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The first hits of each kind, and the total number by kind."""

    hits: tuple[SearchHit, ...] = ()
    counts: Mapping[TextKind, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """One query term: its pattern, and a string that a casefolded text must contain for it to match."""

    pattern: re.Pattern[str]
    needed: str


def parse_query(query: str) -> tuple[SearchTerm, ...]:
    """Parse a query: prefixes of words, and phrases in quotes; all must match.

    Case and white space are ignored. A phrase without its closing quote matches as a prefix.
    """
    terms = []
    for phrase, end, word in _TERM.findall(query):
        words = phrase.split() or ([word.strip('"')] if word.strip('"') else [])
        if words:
            terms.append(_term(words, is_whole=bool(end)))
    return tuple(terms)


def search(passages: Sequence[SearchableText], query: str, most: int) -> JobSteps[SearchResults]:
    """Search texts; returns up to `most` hits of each kind, in the order of the texts."""
    terms = parse_query(query)
    counts: Counter[TextKind] = Counter()
    hits: dict[TextKind, list[SearchHit]] = {kind: [] for kind in TextKind}
    for place, passage in enumerate(passages if terms else ()):
        if not place % _LOOK_EVERY:
            yield Progress(place, len(passages))
        if (span := _match(passage, terms)) is not None:
            counts[passage.kind] += 1
            if counts[passage.kind] <= most:
                hits[passage.kind].append(SearchHit(passage, span))
    return SearchResults(tuple(hit for kind in TextKind for hit in hits[kind]), dict(counts))


def collect_texts(study: Study, annotator_id: str) -> JobSteps[tuple[SearchableText, ...]]:
    """Return everything in a study that can be searched. Reads every text, so run it on a worker thread.

    Summaries are named by their position in the annotator's blind order, since their systems may be hidden.
    """
    names = {person.id: person.name for person in study.annotators.all()}
    annotations: dict[str, list[TopicAnnotation]] = {}
    for annotation in chain(study.pyramids.annotations(), study.nuggets.annotations()):
        annotations.setdefault(annotation.pyramid.topic_id, []).append(annotation)
        yield Progress(0, 0)
    passages: list[SearchableText] = []
    total = len(study.texts.topics())
    for place, topic in enumerate(study.texts.load()):
        yield Progress(place, total, topic.name)
        order = blind_order((text.id for text in topic.summaries), annotator_id, topic.id)
        titles = {text_id: f"Summary {at}" for at, text_id in enumerate(order, 1)}
        passages += _of_topic(topic, titles)
        for annotation in annotations.get(topic.id, ()):
            kind = annotation.pyramid.kind
            own = _of_annotation(topic, annotation, names, titles)
            passages += own if kind is UnitKind.SCU else (replace(passage, unit=kind) for passage in own)
    return tuple(passages)


def _term(words: Sequence[str], *, is_whole: bool) -> SearchTerm:
    start = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    end = r"(?!\w)" if is_whole and re.search(r"\w$", words[-1]) else ""
    pattern = re.compile(start + r"\s+".join(map(re.escape, words)) + end, re.IGNORECASE)
    return SearchTerm(pattern, max(words, key=len).casefold())


def _match(passage: SearchableText, terms: Sequence[SearchTerm]) -> Span | None:
    """Return the span of the first term, None if a term is missing."""
    if not all(term.needed in passage.folded for term in terms):
        return None
    matches = [term.pattern.search(passage.text) for term in terms]
    return matches[0].span() if all(matches) and matches[0] is not None else None


def _of_topic(topic: TopicTexts, titles: Mapping[str, str]) -> Iterator[SearchableText]:
    about = "\n".join(part for part in (topic.title, topic.query) if part)
    yield SearchableText(TextKind.TOPIC, f"{topic.name} {about}", topic.id, topic.name)
    for reference in topic.references:
        yield _whole(TextKind.REFERENCE, topic, reference, f"Reference {reference.name}")
    for document in topic.documents:
        yield _whole(TextKind.DOCUMENT, topic, document, document.name)
    for summary in topic.summaries:
        yield _whole(TextKind.SUMMARY, topic, summary, titles[summary.id])


def _whole(kind: TextKind, topic: TopicTexts, text: Text, title: str) -> SearchableText:
    summary_id = text.id if kind is TextKind.SUMMARY else ""
    return SearchableText(kind, text.content, topic.id, topic.name, title, "", text.id, 0, "", summary_id)


def _of_annotation(
    topic: TopicTexts, annotation: TopicAnnotation, names: Mapping[str, str], titles: Mapping[str, str]
) -> Iterator[SearchableText]:
    owner = names[annotation.pyramid.annotator_id]
    contents = {text.id: text for text in (*topic.references, *topic.summaries)}
    for scu in annotation.pyramid.scus:
        where = (topic.id, topic.name, scu.label, owner)
        yield SearchableText(TextKind.LABEL, scu.label, topic.id, topic.name, "", owner, scu_id=scu.id)
        if scu.comment:
            yield SearchableText(TextKind.COMMENT, scu.comment, *where, scu_id=scu.id)
        for contributor in scu.contributors:
            if contributor.comment:
                yield SearchableText(TextKind.COMMENT, contributor.comment, *where, scu_id=scu.id)
            for text, part in _parts(contents, contributor.reference_id, contributor.parts):
                words = text.content[part.start : part.end]
                yield SearchableText(TextKind.CONTRIBUTOR, words, *where, text.id, part.start, scu.id)
    for match in annotation.matches:
        yield from _of_match(topic, match, contents, names, titles)
    for state in annotation.states:
        if state.note and state.summary_id in titles:
            title, by = titles[state.summary_id], names[state.annotator_id]
            yield SearchableText(
                TextKind.NOTE, state.note, topic.id, topic.name, title, by, summary_id=state.summary_id
            )


def _of_match(
    topic: TopicTexts,
    match: Match,
    contents: Mapping[str, Text],
    names: Mapping[str, str],
    titles: Mapping[str, str],
) -> Iterator[SearchableText]:
    where = (topic.id, topic.name, titles.get(match.summary_id, ""), names[match.annotator_id])
    if match.comment:
        yield SearchableText(
            TextKind.COMMENT, match.comment, *where, scu_id=match.scu_id or "", summary_id=match.summary_id
        )
    if match.scu_id is None:
        for text, part in _parts(contents, match.summary_id, match.parts):
            words = text.content[part.start : part.end]
            yield SearchableText(
                TextKind.UNIT, words, *where, text.id, part.start, summary_id=match.summary_id
            )


def _parts(contents: Mapping[str, Text], text_id: str, parts: Iterable[Part]) -> Iterator[tuple[Text, Part]]:
    text = contents.get(text_id)
    return iter(()) if text is None else ((text, part) for part in parts)
