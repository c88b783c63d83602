"""Texts, topics, systems and annotators as frozen values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Span = tuple[int, int]
"""Half-open, in Unicode code points of the stored text: ``text[start:end]`` is the part."""


class SystemKind(StrEnum):
    """Who wrote a system's summaries."""

    AUTOMATIC = "automatic"
    BASELINE = "baseline"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Text:
    """One stored text.

    name: the document's name, the reference's author or the summary's system.
    sentence_spans: the boundaries it came with, None = not segmented. They are part of its identity.
    external_id: what the data set that it came from calls it.
    language: code of the study's language, empty = none. Its rules split a text that is not segmented.
    """

    id: str
    name: str
    content: str
    sentence_spans: tuple[Span, ...] | None = None
    digest: str = field(default="", compare=False)
    external_id: str = field(default="", compare=False)
    language: str = ""

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", text_digest(self.content, self.sentence_spans))

    @property
    def reading_key(self) -> str:
        """The digest, and the language if its rules split the text: two texts of one key are read alike."""
        if self.sentence_spans is not None or self.language in ("", "en"):
            return self.digest
        return f"{self.digest}:{self.language}"

    def given_sentences(self) -> tuple[str, ...] | None:
        """The sentences it came with, None = not segmented."""
        if self.sentence_spans is None:
            return None
        return tuple(self.content[start:end] for start, end in self.sentence_spans)


def text_digest(content: str, spans: Sequence[Span] | None) -> str:
    """SHA-256 over a text and its sentence boundaries, hexadecimal."""
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass"))
    if spans is not None:
        digest.update(b"\x00" + json.dumps([list(span) for span in spans]).encode())
    return digest.hexdigest()


def join_sentences(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """One text of a list of sentences, joined by line feeds, with the span of each."""
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return "\n".join(sentences), tuple(spans)


@dataclass(frozen=True, slots=True)
class System:
    """Whoever wrote summaries."""

    id: str
    name: str
    kind: SystemKind = SystemKind.AUTOMATIC


@dataclass(frozen=True, slots=True)
class Annotator:
    """Whoever annotates or rates; ``group`` tells experts from crowd."""

    id: str
    name: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class TopicHeader:
    """A topic without its texts, for lists: cheap to load by the thousand."""

    id: str
    name: str
    title: str = ""
    set: str = ""
    documents: int = 0
    references: int = 0
    summaries: int = 0


@dataclass(frozen=True, slots=True)
class TopicTexts:
    """One topic with all its texts, documents in the order of import, the others by name.

    humans: ids of summaries that are references, scored as systems; they come last.
    """

    id: str
    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: tuple[Text, ...] = ()
    references: tuple[Text, ...] = ()
    summaries: tuple[Text, ...] = ()
    humans: frozenset[str] = field(default=frozenset(), kw_only=True)
