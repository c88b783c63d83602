"""Prepared topics, and scores of one topic with their notes.

A score that is not defined, such as 0 ÷ 0, is NaN, never 0, and a note gives the reason. A text without
anything that a metric compares counts as 0 only where the program that defines the metric prints 0; a note
counts these texts too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
    notes: warnings and reasons with counts, for example ``{"truncated": 3}``.
    answers: what a model answered, JSON by the key of a setting of the study, in which it is stored.
    """

    values: Array
    stats: Array | None = None
    notes: Mapping[str, int] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


def noted(**counts: int) -> dict[str, int]:
    """Return the notes that count something."""
    return {note: int(count) for note, count in counts.items() if count}


def with_reasons(scores: TopicScores) -> TopicScores:
    """Return the scores with a note on undefined ones for which the metric gave no reason."""
    missing = np.isnan(scores.values)
    if not np.count_nonzero(missing) or REASONS.keys() & scores.notes.keys():
        return scores
    return replace(scores, notes={**scores.notes, "undefined": int(missing.any(axis=1).sum())})


REASONS: Mapping[str, str] = {
    "no_units": "a text has nothing that the metric compares",
    "zero_weights": "all words of a text have the weight 0",
    "no_questions": "nothing to ask about",
    "not_annotated": "not annotated",
    "no_value": "the model's answer has no value of the scale",
    "mostly_unknown": "most of a text is unknown to the model",
    "undefined": "undefined",
}
"""Reasons for undefined scores in explanations, by the key of their note."""

NOTES: Mapping[str, tuple[str, str]] = {
    "no_units": (
        "text",
        "without anything that the metric compares, such as words: scores that need them are undefined",
    ),
    "zero_weights": (
        "text",
        "whose words all have the weight 0, so that scores that need them are undefined; idf weights need "
        "several different references, and topics (`idf=no` gives all words the same weight)",
    ),
    "no_questions": ("topic", "whose documents leave nothing to ask about, so that the scores are undefined"),
    "not_annotated": ("text", "not annotated, so that the scores are undefined"),
    "no_value": ("answer", "without a value of the scale: they are left out, and not guessed"),
    "failed_as_zero": ("answer", "without a value of the scale, counted as 0"),
    "undefined": ("text", "for which the metric has no score"),
    "counted_as_zero": (
        "text",
        "without anything that the metric compares, such as words or n-grams of this length: they count as "
        "0, by the metric's definition or as in its own program",
    ),
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
    "wrapped_lines": (
        "text",
        "whose lines break within sentences, as in a text of fixed width: their breaks end no sentence",
    ),
    "mixed_forms": (
        "text",
        "with decomposed letters (an accent after its letter) where other texts of the topic have composed "
        "ones: metrics that compare characters take them for different; bring all to one form (NFC)",
    ),
    "outside_range": ("value", "of F outside of precision and recall, because one of them is negative"),
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
