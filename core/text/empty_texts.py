"""Detection of texts without content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.domain.study import TopicTexts


@dataclass(frozen=True, slots=True)
class EmptyText:
    """An empty text.

    role: ``document``, ``reference`` or ``summary``.
    name: the document's name, the reference's author or the summary's system.
    """

    topic: str
    role: str
    name: str

    def __str__(self) -> str:
        owner = self.name if self.role == "document" else f"by {self.name}"
        return f"Topic {self.topic}: the {self.role} {owner} is empty."


def empty_texts(topics: Iterable[TopicTexts]) -> Iterator[EmptyText]:
    """Yield every text of the topics that has only white space."""
    for topic in topics:
        texts = {"document": topic.documents, "reference": topic.references, "summary": topic.summaries}
        for role, texts_of_role in texts.items():
            yield from (
                EmptyText(topic.name, role, text.name) for text in texts_of_role if not text.content.strip()
            )
