"""Ratings of summaries and answers to comparisons, by names, as they go to annotation tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.domain.preferences import ComparisonKind
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.ports import Study
from storage.formats.annotation_tools.marks import TextKey, texts_of

_SEPARATOR = "\n\n"
_MOST_STARS = 10


@dataclass(frozen=True, slots=True)
class RatedValue:
    """One annotator's rating of a summary on a scale. value: None = only a note or a flag."""

    scale: Dimension
    annotator: str
    value: float | None
    note: str = ""
    is_flagged: bool = False
    spans: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RatedSummary:
    """A summary with all its ratings."""

    key: TextKey
    text: Text
    source: str
    ratings: tuple[RatedValue, ...] = ()

    @property
    def annotators(self) -> list[str]:
        """The annotators who rated it, in order of the ratings."""
        return list(dict.fromkeys(rating.annotator for rating in self.ratings))


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


def scales_of(study: Study) -> list[Dimension]:
    """Return the scales of a study. Raises InputError if it has none."""
    scales = list(study.ratings.dimensions())
    if not scales:
        raise InputError("The study has no rating scale. Add one on the page Rate first.")
    return scales


def rated_summaries(study: Study) -> Iterator[RatedSummary]:
    """Yield every summary with its ratings."""
    scales = {scale.id: scale for scale in study.ratings.dimensions()}
    people = {person.id: person.name for person in study.annotators.all()}
    for head in study.texts.topics():
        topic = study.texts.topic(head.id)
        rated: dict[str, list[RatedValue]] = {}
        for one in study.ratings.of_topic(topic.id):
            scale = scales[one.dimension_id]
            names = {int(number): text for number, text in scale.anchors}
            spans = tuple((start, end, names[category]) for start, end, category in one.spans)
            value = RatedValue(scale, people[one.annotator_id], one.value, one.note, one.is_flagged, spans)
            rated.setdefault(one.summary_id, []).append(value)
        for key, text in texts_of(topic):
            if text.id in rated or key.kind == "summary":
                yield RatedSummary(key, text, source_of(topic), tuple(rated.get(text.id, ())))


def compared_summaries(study: Study) -> Iterator[ComparedSummaries]:
    """Yield every comparison of the study's plans with its answers."""
    people = {person.id: person.name for person in study.annotators.all()}
    topics: dict[str, TopicTexts] = {}
    for plan in study.comparisons.plans():
        answers: dict[str, list[tuple[str, str | None, str | None]]] = {}
        for answer in study.comparisons.preferences(plan.id):
            who = people[answer.annotator_id]
            answers.setdefault(answer.item_id, []).append((who, answer.best, answer.worst))
        for item in study.comparisons.items(plan.id):
            topic = topics.get(item.topic_id) or study.texts.topic(item.topic_id)
            topics = {item.topic_id: topic}
            summaries = {text.id: text for text in topic.summaries}
            names = {one: summaries[one].name for one in item.summary_ids}
            yield ComparedSummaries(
                plan.name,
                plan.kind,
                plan.question,
                topic.name,
                tuple(names.values()),
                tuple(summaries[one].content for one in item.summary_ids),
                source_of(topic),
                tuple(
                    (who, names.get(best or "", ""), names.get(worst or "", ""))
                    for who, best, worst in sorted(answers.get(item.id, ()), key=lambda one: one[0])
                ),
            )


def source_of(topic: TopicTexts) -> str:
    """Return the documents of a topic as one text, else its references."""
    texts = topic.documents or topic.references
    return _SEPARATOR.join(text.content for text in texts)


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
