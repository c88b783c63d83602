"""Prepared topics, and scores of one topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.study import TopicTexts

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
"""Mask of the included references, shape (references,)."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A topic that is ready to be scored; metrics subclass it to add what they precompute."""

    topic: TopicTexts


@dataclass(frozen=True, slots=True)
class TopicScores:
    """The scores of one topic.

    values: shape (systems, measures), NaN = undefined.
    stats: shape (systems, references, statistics); None for joint metrics and metrics without references.
    notes: warnings with counts, for example ``{"truncated": 3}``.
    """

    values: Array
    stats: Array | None = None
    notes: Mapping[str, int] = field(default_factory=dict)


NOTES: Mapping[str, tuple[str, str]] = {
    "truncated": ("text", "truncated at the model's limit"),
    "unknown_words": ("text", "with words that have no vector"),
    "unknown_tokens": ("text", "in which more than 5 % of the tokens are unknown to the model"),
    "mostly_unknown": (
        "text",
        "not scored, because more than half of the tokens are unknown to the model; choose a multilingual "
        "model (`pyramidion models`)",
    ),
    "dropped_characters": ("text", "with non-ASCII letters that were ignored (text=unicode includes them)"),
    "unread_script": (
        "text",
        "in a script that the metric cannot tokenize; choose another tokenization, or set the study's "
        "language",
    ),
    "undecided_answers": (
        "answer",
        "almost as likely as another one, so that a different batch size or device may change it",
    ),
    "found_nothing": ("text", "for which the index returned no document"),
    "cutoff_exceeds_index": (
        "topic",
        "scored with an index of no more documents than the cut-off, so that texts retrieve nearly all; use "
        "a larger index",
    ),
    "small_index": (
        "topic",
        "scored with an index so small that random lists would share more than 5 % of their documents; use "
        "a larger index, or a smaller cut-off",
    ),
    "tied_documents": (
        "text",
        "with documents of equal scores at or above the cut-off, whose lengths are rounded; their order "
        "in the index decides (norms=exact does not round)",
    ),
}
"""Notes by key: the counted unit, and the message that follows it."""
