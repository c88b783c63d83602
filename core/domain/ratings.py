"""Ratings of summaries on scales."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

Anchor = tuple[float, str]
"""A value of a scale and its meaning, e.g. (5, "excellent")."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A scale on which summaries are rated, e.g. coherence from 1 to 5.

    question: shown to raters.
    description: rating instructions.
    anchors: by value, in ascending order.
    """

    id: str
    name: str
    low: float = 1.0
    high: float = 5.0
    question: str = ""
    description: str = ""
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class Rating:
    """One annotator's number on one dimension for one summary."""

    id: str
    summary_id: str
    dimension_id: str
    annotator_id: str
    value: float


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
        for value, text in scale.anchors:
            if not scale.low <= value <= scale.high:
                raise InputError(
                    f"The anchor “{text}” of {scale.name} is at {value:g}, outside {scale.low:g} to "
                    f"{scale.high:g}. Remove it or change the range."
                )


def range_conflict(dimension: Dimension, counts: Mapping[float, int]) -> str:
    """Return why a scale's range excludes existing ratings, empty = it does not.

    counts: number of ratings per value.
    """
    outside = {value: n for value, n in counts.items() if not dimension.low <= value <= dimension.high}
    if not outside:
        return ""
    many = sum(outside.values())
    values = f"{min(outside):g}" if len(outside) == 1 else f"values from {min(outside):g} to {max(outside):g}"
    return (
        f"{many:,} {'rating' if many == 1 else 'ratings'} of {dimension.name} "
        f"({values}) would lie outside {dimension.low:g} to {dimension.high:g}. "
        "Choose a range that includes them."
    )
