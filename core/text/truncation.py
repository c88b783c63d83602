"""Length limits and sentence splits of the texts that a metric reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.study import Span

_FIELD = re.compile(r"\S+", re.ASCII)
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class TextLimit:
    """Part of a text that a metric reads, and how that is split into sentences.

    split: ``given`` = the sentences the text came with, else it is one; ``sentences`` = those, else a
    splitter's;
    ``lines``; ``points`` = between full stops followed by a space, as WIDAR's program does; ``text`` = always
    one.
    words, bytes: limits as ROUGE-1.5.5's -l and -b, 0 = none.
    for_sequences: apply ROUGE-1.5.5's byte limit for longest common subsequences.
    """

    split: Literal["given", "sentences", "lines", "points", "text"] = "given"
    words: int = 0
    bytes: int = 0
    for_sequences: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether the end of a text may be left out."""
        return bool(self.words or self.bytes)

    def limit(self, content: str, sentences: Sequence[Span]) -> Sequence[Span]:
        """Return the sentences of a text within the limit."""
        if self.words:
            return _first_words(content, sentences, self.words)
        if self.bytes and self.for_sequences:
            return _up_to_long_sentence(content, sentences, self.bytes)
        return _first_bytes(content, sentences, self.bytes) if self.bytes else sentences


def line_spans(content: str) -> tuple[Span, ...]:
    """Return the spans of a text's non-empty lines."""
    return tuple(line.span() for line in _LINE.finditer(content))


def full_stop_spans(content: str) -> tuple[Span, ...]:
    """Return the spans of the non-empty pieces of a text between ``. ``; the last one keeps its full stop."""
    spans: list[Span] = []
    at = 0
    for piece in content.split(". "):
        if piece:
            spans.append((at, at + len(piece)))
        at += len(piece) + 2
    return tuple(spans)


def _first_words(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Return the first `limit` words.

    A space at a sentence's start counts as a word, as in Perl's split.
    """
    result: list[Span] = []
    left = limit
    for start, end in sentences:
        fields = [field.end() for field in _FIELD.finditer(content, start, end)]
        if fields and content[start].isspace() and content[start].isascii():
            fields.insert(0, start)
        if len(fields) >= left:
            return [*result, (start, fields[left - 1])]
        result.append((start, end))
        left -= len(fields)
    return result


def _first_bytes(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Return the first `limit` bytes of UTF-8; text between sentences does not count."""
    result: list[Span] = []
    left = limit
    for start, end in sentences:
        size = _bytes(content[start:end])
        if size >= left:
            return [*result, (start, start + _characters(content[start:end], left))]
        result.append((start, end))
        left -= size
    return result


def _up_to_long_sentence(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Return the sentences up to the first that reaches the limit alone, which is cut.

    ROUGE-1.5.5 does not add up the lengths of sentences here. Published scores depend on it.
    """
    result: list[Span] = []
    for start, end in sentences:
        if _bytes(content[start:end]) >= limit:
            return [*result, (start, start + _characters(content[start:end], limit))]
        result.append((start, end))
    return result


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _characters(text: str, limit: int) -> int:
    """Return the number of whole characters that fit into `limit` bytes."""
    size = 0
    for count, character in enumerate(text):
        size += _bytes(character)
        if size > limit:
            return count
    return len(text)
