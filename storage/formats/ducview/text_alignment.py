"""Alignment of texts that are equal up to white space."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from core.domain.study import Span


@dataclass(frozen=True)
class StrippedText:
    """A text without white space, and the position of each remaining character."""

    text: str

    @cached_property
    def places(self) -> list[int]:
        return [at for at, sign in enumerate(self.text) if not sign.isspace()]

    @cached_property
    def signs(self) -> str:
        return strip_whitespace(self.text)

    def find(self, words: str, after: int = 0) -> Span | None:
        """Return the span of words at or after an offset, ignoring white space; None = not found."""
        needle = strip_whitespace(words)
        at = self.signs.find(needle, bisect_left(self.places, after)) if needle else -1
        return None if at < 0 else (self.places[at], self.places[at + len(needle) - 1] + 1)

    def nearest(self, words: str, start: int) -> Span | None:
        """Return the span of words nearest to an offset, ignoring white space; None = not found."""
        needle = strip_whitespace(words)
        behind = self.find(words, start)
        at = self.signs.rfind(needle, 0, bisect_left(self.places, start) + len(needle) - 1) if needle else -1
        before = None if at < 0 else (self.places[at], self.places[at + len(needle) - 1] + 1)
        spans = [span for span in (before, behind) if span is not None]
        return min(spans, key=lambda span: abs(span[0] - start), default=None)


def strip_whitespace(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


@dataclass(frozen=True)
class Alignment:
    """Two texts that differ only in white space."""

    ours: StrippedText
    theirs: StrippedText

    def to_theirs(self, span: Span) -> Span | None:
        """Map a span of our text to theirs, None = blank."""
        return _moved(span, self.ours, self.theirs)

    def to_ours(self, span: Span) -> Span | None:
        """Map a span of their text to ours, None = blank."""
        return _moved(span, self.theirs, self.ours)


def align_texts(ours: str, theirs: str) -> Alignment | None:
    """Align two texts, None = they differ in more than white space."""
    one, other = StrippedText(ours), StrippedText(theirs)
    return Alignment(one, other) if one.signs == other.signs else None


def _moved(span: Span, one: StrippedText, other: StrippedText) -> Span | None:
    if one.text == other.text:
        return span
    first, behind = (bisect_left(one.places, end) for end in span)
    return None if behind <= first else (other.places[first], other.places[behind - 1] + 1)


def describe_difference(ours: str, theirs: str) -> str:
    """Describe the first difference between two texts, ignoring white space."""
    one, other = StrippedText(ours), StrippedText(theirs)
    pairs = enumerate(zip(one.signs, other.signs, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(one.signs), len(other.signs)))
    return f"the study has {_around(one, at)}, the file {_around(other, at)}"


def _around(text: StrippedText, at: int) -> str:
    if at >= len(text.places):
        return "nothing more" if text.places else "no text"
    here = text.places[at]
    words = " ".join(text.text[max(here - 12, 0) : here + 18].split())
    return f"“{words}”"
