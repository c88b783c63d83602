"""A study in memory that keeps score blocks, and counts how many wait for its disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from core.domain.study import System, Text, TopicHeader, TopicTexts
from core.ports import ChangeSet, EditReceipt, MetricConfig, ScoreBlock


class SlowFuture(Future):
    """A future that is done once its result is requested."""

    def __init__(self, study: MemoryStudy) -> None:
        super().__init__()
        study.waiting += 1
        study.most_waiting = max(study.most_waiting, study.waiting)
        self._study = study

    def result(self, timeout: float | None = None) -> EditReceipt:
        self._study.waiting -= 1
        return EditReceipt("1", "score", datetime.now(UTC), ChangeSet(frozenset()))


@dataclass
class MemoryTexts:
    """Topics in memory."""

    all_topics: list[TopicTexts]

    def topics(self) -> Sequence[TopicHeader]:
        return [TopicHeader(topic.id, topic.name) for topic in self.all_topics]

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        return iter([t for t in self.all_topics if topic_ids is None or t.id in topic_ids])

    def systems(self) -> Sequence[System]:
        names = {text.name for topic in self.all_topics for text in topic.summaries}
        return [System(name, name) for name in sorted(names)]

    def reference_authors(self) -> Sequence[str]:
        return sorted({text.name for topic in self.all_topics for text in topic.references})

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        return [topic.references for topic in self.all_topics if topic.references]


class MemorySettings(dict[str, str]):
    """Settings in memory."""

    def keys(self, prefix: str = "") -> list[str]:
        return [key for key in self if key.startswith(prefix)]


@dataclass
class MemoryScores:
    """Score blocks in memory, by signature and topic."""

    study: MemoryStudy
    stored: dict[str, dict[str, ScoreBlock]] = field(default_factory=dict)
    stored_configs: dict[str, MetricConfig] = field(default_factory=dict)

    def configs(self) -> Sequence[MetricConfig]:
        return list(self.stored_configs.values())

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        return {topic: block.inputs_hash for topic, block in self.stored.get(signature, {}).items()}

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future:
        self.stored_configs[config.signature] = config
        self.stored.setdefault(config.signature, {})[block.topic_id] = block
        return SlowFuture(self.study)

    def blocks(self, signature: str) -> Sequence[ScoreBlock]:
        return list(self.stored.get(signature, {}).values())


class MemoryStudy:
    """The part of a study that the engine uses. waiting: writes whose result has not been requested."""

    def __init__(self, topics: list[TopicTexts]) -> None:
        self.texts, self.settings, self.scores = MemoryTexts(topics), MemorySettings(), MemoryScores(self)
        self.waiting = self.most_waiting = 0

    def change(self, topic_id: str, **changed: tuple[Text, ...]) -> None:
        """Replace the texts of a topic."""
        topics = self.texts.all_topics
        self.texts.all_topics = [replace(t, **changed) if t.id == topic_id else t for t in topics]

    def flush(self) -> None:
        """Do nothing: scores are stored at once."""


def texts(**written: str) -> tuple[Text, ...]:
    return tuple(Text(name, name, content) for name, content in sorted(written.items()))


@pytest.fixture
def study() -> MemoryStudy:
    """Ten topics of two systems; the last has no references, only the first three a second author."""
    topics = [
        TopicTexts(
            f"id-{i}",
            f"D{i}",
            documents=texts(report=f"document {i}"),
            references=texts(A=f"court ruling {i}", **({"B": "a ban"} if i < 3 else {})) if i < 9 else (),
            summaries=texts(good=f"court ruling {i}", bad="nothing of it"),
        )
        for i in range(10)
    ]
    return MemoryStudy(topics)
