"""A study in memory, for scoring texts that are in no file: what the engine reads and writes of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.ports import MetricConfig, ScoreBlock
from core.text.languages import LANGUAGE_SETTING


class MemoryStudy:
    """Topics with texts, without annotations; scores are collected by signature."""

    def __init__(self, topics: Sequence[TopicTexts], language: str = "") -> None:
        self.texts, self.scores = MemoryTexts(topics), MemoryScores()
        self.settings = _Settings({LANGUAGE_SETTING: language} if language else {})
        self.annotators, self.pyramids, self.nuggets = _Nobody(), _Nothing(), _Nothing()


class MemoryTexts:
    """Topics by id."""

    def __init__(self, topics: Sequence[TopicTexts]) -> None:
        self.by_id = {topic.id: topic for topic in topics}

    def topics(self) -> Sequence[TopicHeader]:
        return tuple(
            TopicHeader(
                topic.id,
                topic.name,
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
        names = {text.name for topic in self.by_id.values() for text in topic.summaries}
        return tuple(System(name, name) for name in sorted(names))

    def reference_authors(self) -> Sequence[str]:
        return sorted({text.name for topic in self.by_id.values() for text in topic.references})

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

    def blocks(self, signature: str) -> Sequence[ScoreBlock]:
        return tuple(self.stored.get(signature, {}).values())

    def remove(self, signature: str) -> Future[Any]:
        self._configs.pop(signature, None)
        self.stored.pop(signature, None)
        return _done()


class _Settings:
    def __init__(self, stored: Mapping[str, str]) -> None:
        self._stored = stored

    def get(self, key: str, default: str = "") -> str:
        return self._stored.get(key, default)

    def keys(self, prefix: str) -> Sequence[str]:
        return tuple(key for key in self._stored if key.startswith(prefix))


class _Nobody:
    def all(self) -> Sequence[Annotator]:
        return ()


class _Nothing:
    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        return iter(())


def _done() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(None)
    return future
