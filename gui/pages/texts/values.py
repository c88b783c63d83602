"""Values that the Texts page displays."""

from __future__ import annotations

from dataclasses import dataclass

from core.annotation.word_coverage import words
from core.domain.study import Span


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic in the list. language: name of its language where that is not the study's."""

    id: str
    name: str
    title: str
    set: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class CitedRow:
    """A part of a document that an annotator of a citance marked. span: None = its place is unknown."""

    annotator: str
    facets: str
    text: str
    document_id: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class CitanceDetails:
    """Details of a citance.

    text: what the citing paper says. spans: its places in the displayed text. about: what it cites.
    """

    text: str
    spans: tuple[Span, ...]
    about: str
    cited: tuple[CitedRow, ...]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text in the list.

    sentences: number of sentences as imported, None = not segmented.
    digest: SHA-256 of the content.
    citance: of a citance; the content is that of its citing paper where known.
    """

    id: str
    name: str
    content: str
    sentences: int | None
    digest: str
    language: str = ""
    citance: CitanceDetails | None = None

    @property
    def words(self) -> int:
        return len(words(self.content if self.citance is None else self.citance.text))
