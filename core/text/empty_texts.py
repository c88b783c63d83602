"""Texts without words: legitimate failures of a system, or lost on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.domain.study import TopicTexts


@dataclass(frozen=True, slots=True)
class EmptyText:
    """An empty text. role: ``document``, ``reference`` or ``summary``; name: of its document or owner."""

    topic: str
    role: str
    name: str

    def __str__(self) -> str:
        owner = self.name if self.role == "document" else f"by {self.name}"
        return f"Topic {self.topic}: the {self.role} {owner} is empty."


def empty_texts(topics: Iterable[TopicTexts]) -> Iterator[EmptyText]:
    """Yield every text of some topics that has nothing but white space."""
    for topic in topics:
        texts = {"document": topic.documents, "reference": topic.references, "summary": topic.summaries}
        for role, found in texts.items():
            yield from (EmptyText(topic.name, role, text.name) for text in found if not text.content.strip())
