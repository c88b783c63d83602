"""Digest of the inputs of a study's scores."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.preferences import ComparisonItem, Preference
from core.domain.pyramid import Match, Part, TopicAnnotation
from core.domain.ratings import ScaleKind
from core.domain.study import Text, TopicTexts
from core.ports import Study
from core.text.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class StudyContents:
    """SHA-256 of a study's contents, hexadecimal, and short digests of their parts by name."""

    digest: str
    parts: Mapping[str, str]


def study_digest(study: Study) -> str:
    """Return the SHA-256 over texts, systems, pyramids, matches, ratings and preferences, hexadecimal.

    Row ids and times are excluded: studies with the same content have the same digest. Annotators without any
    annotations are excluded too, and scores: their signatures reproduce them.
    """
    return study_contents(study).digest


def study_contents(study: Study) -> StudyContents:
    """Return the digest of a study, and those of its parts, such as ``texts of D2``."""
    digest, parts = hashlib.sha256(), dict[str, str]()
    for part, line in _lines(study):
        text = json.dumps(line, ensure_ascii=True, sort_keys=True)
        digest.update(text.encode() + b"\n")
        parts[part] = short_digest(parts.get(part, "") + text)
    return StudyContents(digest.hexdigest(), parts)


def short_digest(text: str) -> str:
    """Return 24 bits of a digest: enough to name a part that changed."""
    return b64encode(hashlib.sha256(text.encode()).digest())[:4].decode()


def _lines(study: Study) -> Iterator[tuple[str, object]]:
    """Yield each part's name and a line of it."""
    people = {person.id: person.name for person in study.annotators.all()}
    yield "systems", ["systems", sorted([system.name, system.kind.value] for system in study.texts.systems())]
    texts: dict[str, str] = {}
    topics: dict[str, str] = {}
    for topic in study.texts.load():
        yield f"texts of {topic.name}", _topic_line(topic)
        topics[topic.id] = topic.name
        texts.update({text.id: text.name for text in (*topic.references, *topic.summaries)})
    annotations = list(study.pyramids.annotations())
    for line in sorted(_annotation_line(annotation, topics, texts, people) for annotation in annotations):
        yield f"pyramids and matches of {line[1]}", line
    nuggets = list(study.nuggets.annotations())
    for line in sorted(_nugget_line(annotation, topics, texts, people) for annotation in nuggets):
        yield f"nuggets and hits of {line[1]}", line
    spoken = {people[person] for annotation in (*annotations, *nuggets) for person in _voices(annotation)}
    spans: dict[str, list[list[object]]] = defaultdict(list)
    for note in study.ratings.notes():
        if note.spans:
            spans[note.dimension].append([note.topic, note.system, note.annotator, note.spans])
    for dimension in sorted(study.ratings.dimensions(), key=lambda dimension: dimension.name):
        cube = study.ratings.cube(dimension.name)
        part = f"ratings of {dimension.name}"
        kind = [] if dimension.kind is ScaleKind.NUMBER else [dimension.kind.value]
        yield part, ["ratings", dimension.name, dimension.low, dimension.high, *kind]
        yield part, [cube.annotators, cube.systems, cube.topics]
        values = np.where(np.isfinite(cube.values), cube.values, np.nan)  # one NaN for all
        yield part, hashlib.sha256(np.ascontiguousarray(values, dtype="<f8").tobytes()).hexdigest()
        if marked := spans.get(dimension.name):
            yield part, ["spans", *sorted(marked)]
        spoken.update(cube.annotators)
    for plan in sorted(study.comparisons.plans(), key=lambda plan: plan.name):
        items = {item.id: item for item in study.comparisons.items(plan.id)}
        answers = study.comparisons.preferences(plan.id)
        if answers:
            part = f"comparisons of {plan.name}"
            yield part, ["preferences", plan.name, plan.kind.value]
            chosen = (_preference_line(one, items[one.item_id], topics, texts, people) for one in answers)
            yield from ((part, line) for line in sorted(chosen))
            spoken.update(people[one.annotator_id] for one in answers)
    group_rows = [[person.name, person.group] for person in study.annotators.all() if person.name in spoken]
    yield "annotators", ["people", sorted(group_rows)]


def _preference_line(
    answer: Preference,
    item: ComparisonItem,
    topics: Mapping[str, str],
    texts: Mapping[str, str],
    people: Mapping[str, str],
) -> list[str]:
    chosen = ("" if one is None else texts[one] for one in (answer.best, answer.worst))
    return [
        topics[item.topic_id],
        *(texts[one] for one in item.summary_ids),
        *chosen,
        people[answer.annotator_id],
    ]


def _voices(annotation: TopicAnnotation) -> Iterator[str]:
    """Yield the ids of those who made a pyramid, matched, or marked a summary done."""
    yield annotation.pyramid.annotator_id
    yield from (match.annotator_id for match in annotation.matches)
    yield from (state.annotator_id for state in annotation.states)


def _topic_line(topic: TopicTexts) -> object:
    head = ["topic", topic.name, topic.title, topic.query, topic.set]
    return [*head, _texts(topic.documents), _texts(topic.references), _texts(topic.summaries)]


def _texts(texts: Sequence[Text]) -> list[list[str]]:
    return [[text.name, text.digest, *_language(text)] for text in texts]


def _language(text: Text) -> list[str]:
    """Return the language by whose rules a text is read; empty = English or none, which are alike."""
    return [] if text.language in ("", ENGLISH) else [text.language]


def _annotation_line(
    annotation: TopicAnnotation, topics: dict[str, str], texts: dict[str, str], people: dict[str, str]
) -> list[object]:
    pyramid = annotation.pyramid
    number = {scu.id: i for i, scu in enumerate(pyramid.scus)}
    scus = [
        [scu.label, [[texts[c.reference_id], _spans(c.parts)] for c in scu.contributors]]
        for scu in pyramid.scus
    ]
    matches = sorted(
        [texts[m.summary_id], people[m.annotator_id], number.get(m.scu_id or "", -1), _spans(m.parts)]
        for m in annotation.matches
    )
    done = sorted([texts[s.summary_id], people[s.annotator_id]] for s in annotation.states if s.is_done)
    return ["pyramid", topics[pyramid.topic_id], people[pyramid.annotator_id], scus, matches, done]


def _nugget_line(
    annotation: TopicAnnotation, topics: dict[str, str], texts: dict[str, str], people: dict[str, str]
) -> list[object]:
    pyramid = annotation.pyramid
    number = {nugget.id: i for i, nugget in enumerate(pyramid.scus)}
    marks = [
        [nugget.importance, [contributor.is_confirmed for contributor in nugget.contributors]]
        for nugget in pyramid.scus
    ]
    hits = sorted(
        [texts[m.summary_id], people[m.annotator_id], number.get(m.scu_id or "", -1), *_hit_marks(m)]
        for m in annotation.matches
    )
    return ["nuggets", *_annotation_line(annotation, topics, texts, people)[1:], marks, hits]


def _hit_marks(hit: Match) -> tuple[bool, bool]:
    return hit.is_confirmed, hit.is_partial


def _spans(parts: Sequence[Part]) -> list[list[int]]:
    return [[part.start, part.end] for part in parts]
