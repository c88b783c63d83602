"""A study in memory, for scoring texts that are in no file: what the engine reads and writes of a study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, cast

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.errors import InputError
from core.ports import MetricConfig, ScoreBlock, Study
from core.text.languages import LANGUAGE_SETTING


class MemoryStudy:
    """Topics with texts, without annotations; scores are collected by signature."""

    def __init__(self, topics: Sequence[TopicTexts], language: str = "") -> None:
        self.texts, self.scores = _Texts(topics), _Scores()
        self.settings = _Settings({LANGUAGE_SETTING: language} if language else {})
        self.annotators, self.pyramids, self.nuggets = _Nobody(), _Nothing(), _Nothing()

    def as_study(self) -> Study:
        """Return the study as the engine takes it, which uses nothing else."""
        return cast(Study, self)


class _Texts:
    def __init__(self, topics: Sequence[TopicTexts]) -> None:
        self._topics = {topic.id: topic for topic in topics}

    def topics(self) -> Sequence[TopicHeader]:
        return tuple(
            TopicHeader(
                topic.id,
                topic.name,
                documents=len(topic.documents),
                references=len(topic.references),
                summaries=len(topic.summaries),
            )
            for topic in self._topics.values()
        )

    def topic(self, topic_id: str) -> TopicTexts:
        return self._topics[topic_id]

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        yield from map(self._topics.__getitem__, self._topics if topic_ids is None else topic_ids)

    def systems(self) -> Sequence[System]:
        names = {text.name for topic in self._topics.values() for text in topic.summaries}
        return tuple(System(name, name) for name in sorted(names))

    def reference_authors(self) -> Sequence[str]:
        return sorted({text.name for topic in self._topics.values() for text in topic.references})

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        return tuple(topic.references for topic in self._topics.values() if topic.references)


class _Scores:
    def __init__(self) -> None:
        self._configs: dict[str, MetricConfig] = {}
        self._blocks: dict[str, dict[str, ScoreBlock]] = defaultdict(dict)

    def configs(self) -> Sequence[MetricConfig]:
        return tuple(self._configs.values())

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        return {topic: block.inputs_hash for topic, block in self._blocks[signature].items()}

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future[Any]:
        self._configs[config.signature] = config
        self._blocks[config.signature][block.topic_id] = block
        done: Future[Any] = Future()
        done.set_result(None)
        return done

    def blocks(self, signature: str) -> Sequence[ScoreBlock]:
        return tuple(self._blocks[signature].values())


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

    def with_work(self) -> frozenset[str]:
        return frozenset()

    def get_or_create(self, name: str, group: str = "") -> Annotator:
        raise InputError("Texts that are in no study have no annotators.")


class _Nothing:
    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        return iter(())
