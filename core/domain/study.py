"""Texts, topics, systems and annotators."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

Span = tuple[int, int]
"""Half-open range of Unicode code points: ``text[start:end]`` is the part."""
_DIGITS = re.compile(r"(\d+)")
TYPING = "typing"
"""Key in the JSON details of edits of typed text: their stay in a field, which undo takes back as a whole."""


class SystemKind(StrEnum):
    """Kind of a system."""

    AUTOMATIC = "automatic"
    BASELINE = "baseline"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Text:
    """One stored text.

    name: the document's name, the reference's author or the summary's system.
    sentence_spans: the sentence boundaries it came with, None = not segmented. They are part of its identity.
    external_id: its id in the data set that it came from.
    language: code of the study's language, empty = none; used to split a text that is not segmented.
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
        """Digest, with the language if its rules split the text; equal keys are processed alike."""
        if self.sentence_spans is not None or self.language in ("", "en"):
            return self.digest
        return f"{self.digest}:{self.language}"

    def stored_sentences(self) -> tuple[str, ...] | None:
        """Return the sentences it came with, None = not segmented."""
        if self.sentence_spans is None:
            return None
        return tuple(self.content[start:end] for start, end in self.sentence_spans)


def text_digest(content: str, spans: Sequence[Span] | None) -> str:
    """Return the SHA-256 of a text and its sentence boundaries, hexadecimal."""
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass"))
    if spans is not None:
        digest.update(b"\x00" + json.dumps([list(span) for span in spans]).encode())
    return digest.hexdigest()


def join_sentences(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Return sentences joined by line feeds, and the span of each."""
    spans, at = [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    return "\n".join(sentences), tuple(spans)


@dataclass(frozen=True, slots=True)
class System:
    """A producer of summaries."""

    id: str
    name: str
    kind: SystemKind = SystemKind.AUTOMATIC


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person who annotates or rates; ``group`` separates e.g. experts from crowd workers."""

    id: str
    name: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class TopicHeader:
    """A topic without its texts, for lists: cheap to load by the thousand.

    language: code of its own language, empty = it has that of the study.
    """

    id: str
    name: str
    title: str = ""
    set: str = ""
    documents: int = 0
    references: int = 0
    summaries: int = 0
    language: str = ""


@dataclass(frozen=True, slots=True)
class TopicTexts:
    """One topic with all its texts: documents in the order of import, others by name.

    humans: ids of summaries that are references scored as systems; they come last.
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


@lru_cache(maxsize=16384)  # systems and authors have the same names in every topic
def natural_key(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Return a sort key that puts D2 before D10; ties by zeros or case are broken by the name itself."""
    pieces = _DIGITS.split(name)
    return [(0, int(p), "") if i % 2 else (1, 0, p.casefold()) for i, p in enumerate(pieces) if p], name
