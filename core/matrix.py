"""Matrices of numbers by system and topic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """One number per system and topic, e.g. a measure's scores or a judgement.

    label: name of the numbers.
    values: shape (systems, topics), NaN = missing.
    """

    label: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Array

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.topics)):
            raise ValueError(f"{self.label}: {self.values.shape} values do not fit the names")

    def select(self, systems: Sequence[str], topics: Sequence[str]) -> ScoreMatrix:
        """Return the rows and columns of these names, in their order; NaN for unknown names."""
        row = {name: i for i, name in enumerate(self.systems)}
        column = {name: i for i, name in enumerate(self.topics)}
        rows = np.array([row.get(name, -1) for name in systems], dtype=np.intp)
        columns = np.array([column.get(name, -1) for name in topics], dtype=np.intp)
        padded = np.pad(self.values, ((0, 1), (0, 1)), constant_values=np.nan)
        return ScoreMatrix(self.label, tuple(systems), tuple(topics), padded[np.ix_(rows, columns)])

    def only(self, systems: Collection[str]) -> ScoreMatrix:
        """Return the rows of these systems, in this matrix's order."""
        chosen = tuple(name for name in self.systems if name in systems)
        return self.select(chosen, self.topics)

    def in_order(self) -> ScoreMatrix:
        """Return systems and topics in order of their names, whatever the order of their import."""
        return self.select(sorted(self.systems), sorted(self.topics))

    def system_means(self) -> Array:
        """Return each system's mean over the topics that it has, shape (systems,), NaN = none."""
        return row_means(self.values)


def align_matrices(a: ScoreMatrix, b: ScoreMatrix) -> tuple[ScoreMatrix, ScoreMatrix]:
    """Return both matrices over the systems and topics that they share, in the order of `a`."""
    their_systems, their_topics = set(b.systems), set(b.topics)
    systems = tuple(name for name in a.systems if name in their_systems)
    topics = tuple(name for name in a.topics if name in their_topics)
    return a.select(systems, topics), b.select(systems, topics)


def combine_folds(folds: Array, summaries: int) -> Array:
    """Combine scores that each leave one reference out into one score per summary and reference.

    folds: shape (references, summaries + references, measures), one fold per reference left out; NaN =
    undefined.
    Returns shape (summaries + references, measures): for a summary the mean of its defined folds, for a
    reference its score in the fold that leaves it out.
    """
    own = np.arange(len(folds))
    return np.concatenate([nanmean_first_axis(folds[:, :summaries]), folds[own, summaries + own]])


def row_means(rows: Array) -> Array:
    """Return the mean of each row's defined values, over the last axis; NaN if there are none."""
    there = np.isfinite(rows)
    counts = there.sum(axis=-1)
    totals = np.where(there, rows, 0.0).sum(axis=-1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def nanmean_first_axis(values: Array) -> Array:
    """Return the mean over the first axis, ignoring NaN; NaN where all values are NaN.

    Values are added in ascending order, so that their order, such as that of annotators, changes no digit.
    """
    values = np.sort(values, axis=0)
    is_defined: NDArray[np.bool_] = np.isfinite(values)
    counts = is_defined.sum(axis=0)
    totals = np.where(is_defined, values, 0.0).sum(axis=0)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
