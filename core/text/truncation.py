"""What of a text a metric reads: all or its beginning, and where the order of its words starts anew."""

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
    """What of a text counts.

    split: ``given`` = the sentences it came with, else it is one; ``sentences`` = those, else a splitter's;
    ``lines``; ``points`` = what lies between full stops with a blank, as WIDAR's program has it; ``text``
    = it is one whatever it came with. words, bytes: a limit as ROUGE-1.5.5 has them with -l and -b, 0 = none.
    for_sequences: what ROUGE-1.5.5 looks for sequences in where bytes are limited.
    """

    split: Literal["given", "sentences", "lines", "points", "text"] = "given"
    words: int = 0
    bytes: int = 0
    for_sequences: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether a text's end may be left out."""
        return bool(self.words or self.bytes)

    def limit(self, content: str, sentences: Sequence[Span]) -> Sequence[Span]:
        """What counts of a text's sentences."""
        if self.words:
            return _first_words(content, sentences, self.words)
        if self.bytes and self.for_sequences:
            return _up_to_a_long_one(content, sentences, self.bytes)
        return _first_bytes(content, sentences, self.bytes) if self.bytes else sentences


def line_spans(content: str) -> tuple[Span, ...]:
    """Where a text's lines lie, empty ones left out."""
    return tuple(line.span() for line in _LINE.finditer(content))


def full_stop_spans(content: str) -> tuple[Span, ...]:
    """Where the pieces of a text between ``. `` lie, empty ones left out; the last keeps its full stop."""
    spans: list[Span] = []
    at = 0
    for piece in content.split(". "):
        if piece:
            spans.append((at, at + len(piece)))
        at += len(piece) + 2
    return tuple(spans)


def _first_words(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Words between blanks; a blank at a sentence's beginning counts as one more, as Perl's split has it."""
    kept: list[Span] = []
    left = limit
    for start, end in sentences:
        fields = [field.end() for field in _FIELD.finditer(content, start, end)]
        if fields and content[start].isspace() and content[start].isascii():
            fields.insert(0, start)
        if len(fields) >= left:
            return [*kept, (start, fields[left - 1])]
        kept.append((start, end))
        left -= len(fields)
    return kept


def _first_bytes(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Bytes of UTF-8; what lies between sentences is not counted."""
    kept: list[Span] = []
    left = limit
    for start, end in sentences:
        size = _bytes(content[start:end])
        if size >= left:
            return [*kept, (start, start + _characters(content[start:end], left))]
        kept.append((start, end))
        left -= size
    return kept


def _up_to_a_long_one(content: str, sentences: Sequence[Span], limit: int) -> list[Span]:
    """Every sentence up to the first that reaches the limit alone; that one is cut.

    ROUGE-1.5.5 does not add the sentences' lengths up here: published numbers hold this.
    """
    kept: list[Span] = []
    for start, end in sentences:
        if _bytes(content[start:end]) >= limit:
            return [*kept, (start, start + _characters(content[start:end], limit))]
        kept.append((start, end))
    return kept


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _characters(text: str, limit: int) -> int:
    """How many whole characters fit into so many bytes."""
    size = 0
    for count, character in enumerate(text):
        size += _bytes(character)
        if size > limit:
            return count
    return len(text)
