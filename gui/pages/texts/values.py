"""Lines of the page of texts."""

from __future__ import annotations

from dataclasses import dataclass

from core.annotation.word_coverage import words


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic in the list."""

    id: str
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text in the list. digest: sha-256; sentences: how many it came with, None = not segmented."""

    id: str
    name: str
    content: str
    sentences: int | None
    digest: str

    @property
    def words(self) -> int:
        return len(words(self.content))
