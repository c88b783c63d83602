"""A study in memory that keeps score blocks, and counts how many wait for its disk."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.study import Text, TopicTexts
from core.ports import ChangeSet, EditReceipt
from core.scoring.memory_study import MemoryScores, MemoryStudy, MemoryTexts


class SlowFuture(Future):
    """A future that is done once its result is requested."""

    def __init__(self, study: WatchedStudy) -> None:
        super().__init__()
        study.waiting += 1
        study.most_waiting = max(study.most_waiting, study.waiting)
        self._study = study

    def result(self, timeout: float | None = None) -> EditReceipt:
        self._study.waiting -= 1
        return EditReceipt("1", "score", datetime.now(UTC), ChangeSet(frozenset()))


class WatchedTexts(MemoryTexts):
    """Texts that can be replaced."""

    @property
    def all_topics(self) -> list[TopicTexts]:
        return list(self.by_id.values())


class SlowScores(MemoryScores):
    """Scores that are written once somebody waits for them."""

    def __init__(self, study: WatchedStudy) -> None:
        super().__init__()
        self._study = study

    def save_all(self, blocks) -> Future:
        super().save_all(blocks)
        return SlowFuture(self._study)


class WatchedStudy(MemoryStudy):
    """A study in memory. waiting: writes whose result has not been requested."""

    def __init__(self, topics: list[TopicTexts]) -> None:
        super().__init__(topics)
        self.texts, self.scores = WatchedTexts(topics), SlowScores(self)
        self.waiting = self.most_waiting = 0

    def change(self, topic_id: str, **changed: tuple[Text, ...]) -> None:
        """Replace the texts of a topic."""
        self.texts.by_id[topic_id] = replace(self.texts.by_id[topic_id], **changed)

    def flush(self) -> None:
        """Do nothing: scores are stored at once."""


def texts(**written: str) -> tuple[Text, ...]:
    return tuple(Text(name, name, content) for name, content in sorted(written.items()))


@pytest.fixture
def study() -> WatchedStudy:
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
    return WatchedStudy(topics)
