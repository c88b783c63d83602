"""Where a text's sentences lie."""

from __future__ import annotations

from core.domain.study import Span, Text


def sentence_spans(content: str, language: str = "en") -> tuple[Span, ...]:
    """Sentences by sentencex's rules, white space at their ends left out. Empty for a blank text."""
    from sentencex import get_sentence_boundaries  # 10 ms that a window's start need not pay

    found = get_sentence_boundaries(language, content)
    spans = (_trimmed(content, b["start_index"], b["end_index"]) for b in found)
    return tuple(span for span in spans if span[0] < span[1])


def spans_of(text: Text) -> tuple[Span, ...]:
    """The sentences a text came with, else a splitter's."""
    return text.sentence_spans if text.sentence_spans is not None else sentence_spans(text.content)


def _trimmed(content: str, start: int, end: int) -> Span:
    part = content[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
