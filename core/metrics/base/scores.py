"""Prepared topics and the scores of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.study import TopicTexts

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
"""Which references are included, shape (references,)."""


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
    "truncated": ("text", "cut at the model's limit"),
    "unknown_words": ("text", "with words that have no vector"),
    "unknown_tokens": ("text", "with more than 5 % of tokens that the model does not know"),
    "mostly_unknown": (
        "text",
        "not scored, since the model does not know more than half of the tokens; choose a multilingual model "
        "(`pyramidion models`)",
    ),
    "dropped_characters": ("text", "whose letters outside ASCII were left out (text=unicode reads them)"),
    "unread_script": (
        "text",
        "in a script whose words the metric does not tell apart; choose other words, or set the study's "
        "language",
    ),
    "undecided_answers": (
        "answer",
        "as likely as another one, which a different batch size or device may flip",
    ),
    "found_nothing": ("text", "for which the index has no document"),
}
"""Notes of metrics as text: what is counted, and the message."""
