"""Ratings of summaries on scales."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

Anchor = tuple[float, str]
"""A value of a scale and its meaning, e.g. (5, "excellent")."""


MarkedSpan = tuple[int, int, int]
"""Start and end of a span of a summary, in code points, and the number of its category."""


class ScaleKind(StrEnum):
    """What a scale asks for.

    NUMBER: a value from low to high.
    CATEGORIES: one of several categories without an order: the anchors, numbered from 1.
    TEXT: an answer in words, the note of the rating; its value is 1.
    SPANS: spans of the summary with a category each, such as errors. The categories are the anchors, numbered
        from 1; the value is the share of sentences without a span, from 0 to 1.
    """

    NUMBER = "number"
    CATEGORIES = "categories"
    TEXT = "text"
    SPANS = "spans"


@dataclass(frozen=True, slots=True)
class Dimension:
    """A scale on which summaries are rated, e.g. coherence from 1 to 5.

    question: shown to raters.
    description: rating instructions.
    anchors: by value, in ascending order.
    is_required: a summary is rated once all required scales are; if none is, once one scale is.
    """

    id: str
    name: str
    low: float = 1.0
    high: float = 5.0
    question: str = ""
    description: str = ""
    anchors: tuple[Anchor, ...] = ()
    kind: ScaleKind = ScaleKind.NUMBER
    is_required: bool = True

    @property
    def is_numeric(self) -> bool:
        """Whether ratings are numbers that can be averaged and correlated."""
        return self.kind in (ScaleKind.NUMBER, ScaleKind.SPANS)

    @property
    def has_categories(self) -> bool:
        """Whether the anchors are categories."""
        return self.kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS)

    @property
    def range_text(self) -> str:
        """Return the range or the number of categories, for messages."""
        if self.kind is ScaleKind.TEXT:
            return "free text"
        if self.kind is ScaleKind.CATEGORIES:
            return f"{len(self.anchors)} categories"
        if self.kind is ScaleKind.SPANS:
            return f"spans in {len(self.anchors)} categories"
        return f"{self.low:g} to {self.high:g}"

    def value_problem(self, value: float) -> str:
        """Return why a value is not on the scale, empty = it is."""
        if self.kind is ScaleKind.TEXT:
            return "" if value == 1 else f"{self.name} asks for free text, not for a number."
        if self.kind is ScaleKind.CATEGORIES and value not in dict(self.anchors):
            return f"{value:g} is not one of the {len(self.anchors)} categories of {self.name}."
        if not self.low <= value <= self.high:
            return f"{value:g} is outside the scale {self.name} ({self.low:g} to {self.high:g})."
        return ""

    def meaning(self, value: float) -> str:
        """Return the anchor of a value, empty = none."""
        return "" if self.kind is ScaleKind.SPANS else dict(self.anchors).get(value, "")


@dataclass(frozen=True, slots=True)
class Rating:
    """One annotator's rating on one dimension for one summary.

    value: None = not rated, but with a note or a flag.
    """

    id: str
    summary_id: str
    dimension_id: str
    annotator_id: str
    value: float | None
    note: str = ""
    is_flagged: bool = False
    spans: tuple[MarkedSpan, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to store."""
        return self.value is None and not self.note and not self.is_flagged


@dataclass(frozen=True, slots=True)
class RatingNote:
    """A rating with a note, a flag or spans, by the names of what it belongs to. value: None = not rated."""

    topic: str
    system: str
    dimension: str
    annotator: str
    value: float | None
    note: str
    is_flagged: bool
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingCube:
    """All ratings on one dimension, one matrix per annotator.

    values: shape (annotators, systems, topics), NaN = not rated.
    """

    dimension: str
    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]


def text_scale(id_: str, name: str, question: str = "", *, is_required: bool = False) -> Dimension:
    """Return a scale that asks for an answer in words."""
    return Dimension(id_, name, 0.0, 1.0, question, kind=ScaleKind.TEXT, is_required=is_required)


def category_scale(id_: str, name: str, categories: Sequence[str], question: str = "") -> Dimension:
    """Return a scale of categories, numbered from 1."""
    anchors = tuple((float(number), text) for number, text in enumerate(categories, 1))
    high = float(max(2, len(anchors)))
    return Dimension(id_, name, 1.0, high, question, "", anchors, ScaleKind.CATEGORIES)


def span_scale(id_: str, name: str, categories: Sequence[str], question: str = "") -> Dimension:
    """Return a scale that asks for spans, with categories numbered from 1."""
    anchors = tuple((float(number), text) for number, text in enumerate(categories, 1))
    return Dimension(id_, name, 0.0, 1.0, question, "", anchors, ScaleKind.SPANS)


def required_scales(dimensions: Sequence[Dimension]) -> list[Dimension]:
    """Return the scales that are required, all if none is."""
    return [scale for scale in dimensions if scale.is_required] or list(dimensions)


def is_rated(dimensions: Sequence[Dimension], rated: Collection[str]) -> bool:
    """Return whether a summary with values on some scales, by id, is rated: on all required ones.

    Without required scales one value is enough; without scales nothing is rated.
    """
    required = [scale.id for scale in dimensions if scale.is_required]
    if required:
        return all(scale_id in rated for scale_id in required)
    return any(scale.id in rated for scale in dimensions)


def check_dimensions(dimensions: Sequence[Dimension]) -> None:
    """Raise InputError for the first scale without a unique name, a valid range, or anchors within it."""
    names: set[str] = set()
    for scale in dimensions:
        if not scale.name.strip():
            raise InputError("A scale needs a name; type one.")
        if scale.name in names:
            raise InputError(f"Two scales are called {scale.name}. Rename one of them.")
        names.add(scale.name)
        if not (math.isfinite(scale.low) and math.isfinite(scale.high) and scale.low < scale.high):
            raise InputError(
                f"The scale {scale.name} goes from {scale.low:g} to {scale.high:g}, but its end must be "
                "greater than its start."
            )
        if scale.has_categories:
            _check_categories(scale)
            continue
        for value, text in scale.anchors:
            if not scale.low <= value <= scale.high:
                raise InputError(
                    f"The anchor “{text}” of {scale.name} is at {value:g}, outside {scale.low:g} to "
                    f"{scale.high:g}. Remove it or change the range."
                )


def _check_categories(scale: Dimension) -> None:
    values = [value for value, _ in scale.anchors]
    if scale.kind is ScaleKind.SPANS and not values:
        raise InputError(f"The scale {scale.name} needs a category; add one per line.")
    if scale.kind is ScaleKind.CATEGORIES and len(values) < 2:
        raise InputError(f"The scale {scale.name} needs at least two categories; add one per line.")
    ends = (0.0, 1.0) if scale.kind is ScaleKind.SPANS else (1.0, values[-1])
    are_numbered = values == [float(number) for number in range(1, len(values) + 1)]
    if not are_numbered or (scale.low, scale.high) != ends:
        raise InputError(f"The categories of {scale.name} must be numbered from 1 to {len(values)}.")
    texts = [text for _, text in scale.anchors]
    if any(text != " ".join(text.split()) or not text for text in texts):
        raise InputError(
            f"A category of {scale.name} is empty or has line breaks or extra blanks. Correct it."
        )
    if len(set(texts)) < len(texts):
        raise InputError(f"Two categories of {scale.name} have the same name. Rename one of them.")


def edit_conflict(before: Dimension | None, after: Dimension, counts: Mapping[float, int]) -> str:
    """Return why existing ratings forbid an edit of a scale, empty = they do not.

    before: None = a new scale. counts: number of ratings per value.
    """
    many = sum(counts.values())
    if many and before is not None and before.kind is not after.kind:
        return (
            f"{after.name} has {many:,} {'rating' if many == 1 else 'ratings'}, so its kind cannot be "
            "changed. Add another scale."
        )
    if many and before is not None and after.has_categories and (moved := _moved_category(before, after)):
        return (
            f"{after.name} has {many:,} {'rating' if many == 1 else 'ratings'}, so its category “{moved}” "
            "can be renamed, but neither moved nor removed. Add new categories below."
        )
    outside = {value: n for value, n in counts.items() if after.value_problem(value)}
    if not outside:
        return ""
    many = sum(outside.values())
    ratings = f"{many:,} {'rating' if many == 1 else 'ratings'} of {after.name}"
    values = f"{min(outside):g}" if len(outside) == 1 else f"values from {min(outside):g} to {max(outside):g}"
    return (
        f"{ratings} ({values}) would lie outside {after.low:g} to {after.high:g}. "
        "Choose a range that includes them."
    )


def _moved_category(before: Dimension, after: Dimension) -> str:
    """Return a category that was removed, or that has another number now; empty = none."""
    now = {text: number for number, text in after.anchors}
    for number, text in before.anchors:
        if number > len(after.anchors) or now.get(text, number) != number:
            return text
    return ""
