"""Sentence segmentation."""

from __future__ import annotations

from core.domain.study import Span, Text

_ENGLISH = "en"
_BY_ENGLISH_RULES = frozenset(("fr",))
"""Languages that English rules split better: sentencex's French rules end a sentence after ``M.``."""


def sentence_spans(content: str, language: str = "") -> tuple[Span, ...]:
    """Return the spans of a text's sentences by sentencex, without white space at their ends.

    language: ISO 639-1 code, empty = English. A language without rules of its own uses those of a related
    language or English.
    Returns nothing for a blank text.
    """
    from sentencex import get_sentence_boundaries  # takes 10 ms; not needed at start-up

    rules = _ENGLISH if language in _BY_ENGLISH_RULES else language or _ENGLISH
    boundaries = get_sentence_boundaries(rules, content)
    spans = (_trimmed(content, b["start_index"], b["end_index"]) for b in boundaries)
    return tuple(span for span in spans if span[0] < span[1])


def sentence_spans_of(text: Text) -> tuple[Span, ...]:
    """Return the sentences that a text came with, else those by the rules of its language."""
    if text.sentence_spans is not None:
        return text.sentence_spans
    return sentence_spans(text.content, text.language)


def _trimmed(content: str, start: int, end: int) -> Span:
    part = content[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
