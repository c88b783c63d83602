"""Ratings of summaries on scales."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Dimension:
    """A scale that summaries are rated on, as coherence from 1 to 5."""

    id: str
    name: str
    low: float = 1.0
    high: float = 5.0
    guideline: str = ""


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
    """All ratings on one dimension, as a matrix per annotator.

    values: shape (annotators, systems, topics), NaN = not rated.
    """

    dimension: str
    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]
