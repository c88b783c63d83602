"""A study in memory, for texts and ratings that are in no study file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from core.domain.import_batch import ImportContent, NewText, NewTopic, ScaleTexts
from core.domain.preferences import ComparisonPlan
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, RatingCube, ScaleKind
from core.domain.study import Annotator, System, SystemKind, Text, TopicHeader, TopicTexts, natural_key
from core.ports import Array, MetricConfig, ScoreBlock
from core.text.languages import LANGUAGE_SETTING


class MemoryStudy:
    """Topics with texts and ratings, without other annotations; scores are collected by signature.

    content: whose ratings and systems these are, None = there are no ratings.
    """

    def __init__(
        self, topics: Sequence[TopicTexts], language: str = "", content: ImportContent | None = None
    ) -> None:
        self.texts, self.scores = MemoryTexts(topics), MemoryScores()
        self.settings = _Settings({LANGUAGE_SETTING: language} if language else {})
        self.pyramids, self.nuggets, self.comparisons = _Nothing(), _Nothing(), _NoComparisons()
        content = content or ImportContent("")
        self.texts.kinds = content.systems
        self.annotators = _Annotators(content)
        self.ratings = MemoryRatings(content, self.texts, self.annotators)

    @classmethod
    def of(
        cls, content: ImportContent, language: str, own_languages: Mapping[str, str]
    ) -> MemoryStudy | None:
        """Return the study that an import makes; None = it has more than texts and ratings by numbers.

        language: code, empty = unknown. own_languages: of topics in others, by topic.
        """
        if not _has_only_ratings(content):
            return None
        topics = sorted(content.topics, key=lambda topic: natural_key(topic.name))
        texts = [_topic_texts(topic, own_languages.get(topic.name, language)) for topic in topics]
        return cls(texts, language, content)

    def flush(self) -> None:
        """Do nothing, as nothing is ever queued."""


def _has_only_ratings(content: ImportContent) -> bool:
    """Return whether an import is complete in itself, with texts and valid ratings by numbers only."""
    others = (content.pyramids, content.matches, content.preferences, content.citances, content.scores)
    summaries = {(topic.name, system) for topic in content.topics for system in topic.summaries}
    scales = {scale.name: scale for scale in _scales(content)}
    return (
        not any(others)
        and not any(topic.citing_papers for topic in content.topics)
        and all(scale.kind is ScaleKind.NUMBER for scale in scales.values())
        and all(
            (rating.topic, rating.system) in summaries
            and rating.dimension in scales
            and rating.value is not None
            and not scales[rating.dimension].value_problem(rating.value)
            and not rating.spans
            and not rating.kind
            and not rating.category
            for rating in content.ratings
        )
    )


def _scales(content: ImportContent) -> list[Dimension]:
    """Return the scales of an import; their names are their ids."""
    found = []
    for name, (low, high) in content.dimensions.items():
        about = content.scale_texts.get(name, ScaleTexts())
        texts = about.question, about.description, about.anchors, about.kind, about.is_required
        found.append(Dimension(name, name, low, high, *texts))
    return found


def _topic_texts(new: NewTopic, language: str) -> TopicTexts:
    """Return a topic as a study has it: documents in the order of import, others by name."""

    def listed(texts: Mapping[str, NewText], names: Iterable[str]) -> tuple[Text, ...]:
        pairs = ((name, texts[name]) for name in names)
        return tuple(
            Text(
                f"{new.name}/{name}", name, text.content, text.sentence_spans, "", text.external_id, language
            )
            for name, text in pairs
        )

    about = new.name, new.name, new.title, new.query, new.set
    others = (listed(texts, sorted(texts, key=natural_key)) for texts in (new.references, new.summaries))
    return TopicTexts(*about, listed(new.documents, new.documents), *others)


class MemoryTexts:
    """Topics by id. kinds: of systems by name, those without a kind are automatic."""

    def __init__(self, topics: Sequence[TopicTexts]) -> None:
        self.by_id = {topic.id: topic for topic in topics}
        self.kinds: Mapping[str, SystemKind] = {}

    def topics(self) -> Sequence[TopicHeader]:
        return tuple(
            TopicHeader(
                topic.id,
                topic.name,
                topic.title,
                topic.set,
                documents=len(topic.documents),
                references=len(topic.references),
                summaries=len(topic.summaries),
            )
            for topic in self.by_id.values()
        )

    def topic(self, topic_id: str) -> TopicTexts:
        return self.by_id[topic_id]

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        yield from map(self.by_id.__getitem__, self.by_id if topic_ids is None else topic_ids)

    def systems(self) -> Sequence[System]:
        names = {text.name for topic in self.by_id.values() for text in topic.summaries} | self.kinds.keys()
        usual = SystemKind.AUTOMATIC
        return tuple(
            System(name, name, self.kinds.get(name, usual)) for name in sorted(names, key=natural_key)
        )

    def reference_authors(self) -> Sequence[str]:
        names = {text.name for topic in self.by_id.values() for text in topic.references}
        return sorted(names, key=natural_key)

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        return tuple(topic.references for topic in self.by_id.values() if topic.references)


class MemoryScores:
    """Score blocks by signature and topic."""

    def __init__(self) -> None:
        self._configs: dict[str, MetricConfig] = {}
        self.stored: dict[str, dict[str, ScoreBlock]] = {}

    def configs(self) -> Sequence[MetricConfig]:
        return tuple(self._configs.values())

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        return {topic: block.inputs_hash for topic, block in self.stored.get(signature, {}).items()}

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future[Any]:
        self._configs[config.signature] = config
        self.stored.setdefault(config.signature, {})[block.topic_id] = block
        return _done()

    def save_all(self, blocks: Sequence[tuple[MetricConfig, ScoreBlock]]) -> Future[Any]:
        for config, block in blocks:
            self.save(config, block)
        return _done()

    def blocks(self, signature: str, topic_id: str | None = None) -> Sequence[ScoreBlock]:
        blocks = self.stored.get(signature, {}).values()
        return tuple(block for block in blocks if topic_id in (None, block.topic_id))

    def values(self, signature: str) -> Mapping[str, tuple[tuple[str, ...], Array]]:
        return {block.topic_id: (tuple(block.systems), block.values) for block in self.blocks(signature)}

    def notes(self, signature: str) -> Mapping[str, Mapping[str, int]]:
        return {block.topic_id: block.notes for block in self.blocks(signature)}

    def remove(self, signature: str) -> Future[Any]:
        self._configs.pop(signature, None)
        self.stored.pop(signature, None)
        return _done()


class _Settings:
    def __init__(self, stored: Mapping[str, str]) -> None:
        self._stored = dict(stored)

    def save(self, key: str, value: str, annotator_id: str | None = None, details: str = "") -> Future[Any]:
        self._stored[key] = value
        return _done()

    def save_all(self, values: Mapping[str, str], annotator_id: str | None = None) -> Future[Any]:
        self._stored.update(values)
        return _done()

    def get(self, key: str, default: str = "") -> str:
        return self._stored.get(key, default)

    def keys(self, prefix: str) -> Sequence[str]:
        return tuple(key for key in self._stored if key.startswith(prefix))


class MemoryRatings:
    """The ratings of an import."""

    def __init__(self, content: ImportContent, texts: MemoryTexts, annotators: _Annotators) -> None:
        self._content, self._texts, self._annotators = content, texts, annotators

    def dimensions(self) -> Sequence[Dimension]:
        return _scales(self._content)

    def counts(self) -> Mapping[str, Mapping[float, int]]:
        found: dict[str, Counter[float]] = {}
        for rating in self._content.ratings:
            if rating.value is not None:
                found.setdefault(rating.dimension, Counter())[rating.value] += 1
        return found

    def cube(self, dimension: str) -> RatingCube:
        rows = [rating for rating in self._content.ratings if rating.dimension == dimension]
        raters = {rating.annotator for rating in rows}
        annotators = [person for person in self._annotators.all() if person.name in raters]
        systems = tuple(system.name for system in self._texts.systems())
        topics = tuple(head.name for head in self._texts.topics())
        places = [
            {name: at for at, name in enumerate(names)}
            for names in ([person.name for person in annotators], systems, topics)
        ]
        values = np.full(tuple(map(len, places)), np.nan)
        for rating in rows:
            names = rating.annotator, rating.system, rating.topic
            at = tuple(place[name] for place, name in zip(places, names, strict=True))
            values[at] = np.nan if rating.value is None else rating.value
        people = tuple(person.name for person in annotators), tuple(person.group for person in annotators)
        return RatingCube(dimension, *people, systems, topics, values)


class _Annotators:
    def __init__(self, content: ImportContent) -> None:
        groups = dict.fromkeys((rating.annotator for rating in content.ratings), "")
        groups |= dict(content.annotators)
        self._all = [Annotator(name, name, groups[name]) for name in sorted(groups, key=natural_key)]

    def all(self) -> Sequence[Annotator]:
        return self._all


class _NoComparisons:
    def plans(self) -> Sequence[ComparisonPlan]:
        return ()


class _Nothing:
    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        return iter(())

    def is_any_summary_done(self) -> bool:
        return False


def _done() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(None)
    return future
