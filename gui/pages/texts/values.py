"""Values that the Texts page displays."""

from __future__ import annotations

from dataclasses import dataclass

from core.annotation.word_coverage import words


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic in the list."""

    id: str
    name: str
    title: str
    set: str = ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text in the list.

    sentences: number of sentences as imported, None = not segmented.
    digest: SHA-256 of the content.
    """

    id: str
    name: str
    content: str
    sentences: int | None
    digest: str
    language: str = ""

    @property
    def words(self) -> int:
        return len(words(self.content))
