"""Marked spans of a summary, such as its errors: checks, and the share of sentences without one.

Source: Pagnoni et al. 2021 (FRANK): a summary's factuality is the share of its sentences without an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.ratings import Dimension, MarkedSpan
from core.domain.study import Span, Text
from core.errors import InputError
from core.text.sentences import sentence_spans_of


def share_of_unmarked_sentences(text: Text, spans: Iterable[MarkedSpan]) -> float:
    """Return the share of a text's sentences that no span touches; 1 for a text without sentences."""
    labels = sentence_labels(text, spans)
    return sum(not label for label in labels) / len(labels) if labels else 1.0


def sentence_labels(text: Text, spans: Iterable[MarkedSpan]) -> list[int]:
    """Return of each sentence the category of the first span that touches it, 0 = none does."""
    ordered = sorted(spans)
    return [
        next((category for start, end, category in ordered if start < last and first < end), 0)
        for first, last in sentence_spans_of(text)
    ]


def checked_spans(scale: Dimension, text: Text, spans: Iterable[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """Return spans in text order, without repetitions.

    Raises InputError for a span outside the text, an empty one, and an unknown category.
    """
    categories = {int(number) for number, _ in scale.anchors}
    found = tuple(sorted(set(spans)))
    for start, end, category in found:
        if not 0 <= start < end <= len(text.content):
            raise InputError(
                f"The span {start}-{end} is not within the text of {text.name}, which has "
                f"{len(text.content):,} characters. Mark it again."
            )
        if category not in categories:
            raise InputError(f"{scale.name} has no category {category}. Choose one of its categories.")
    return found


def with_span(spans: Sequence[MarkedSpan], added: Span, category: int) -> tuple[MarkedSpan, ...]:
    """Return spans with another one; a span at the same place gets the new category."""
    others = (one for one in spans if one[:2] != added)
    return tuple(sorted((*others, (*added, category))))
