"""Coefficients as functions of resampled topics, and their bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.agreement.table import AgreementRow, Grouping
from core.progress import raise_if_cancelled
from core.stats.resample_counts import ResampleUnit, draw_counts
from core.stats.resampling.intervals import MIN_UNITS, acceleration, intervals_of, widening
from core.stats.types import Ends

Array = NDArray[np.float64]

DRAWS = 1000
"""Default number of resamples."""

CELLS_AT_ONCE = 2_000_000
"""Numbers per step of the bootstrap: bounds its memory and the time until it reacts to Cancel."""


@dataclass(frozen=True, eq=False)
class Estimator:
    """A coefficient of one group of items.

    of: from counts of shape (draws, topics) to values of shape (draws,), NaN = undefined.
    has_items: whether a topic contributes an item, shape (topics,).
    items: number of items.
    reason: why it is undefined for the whole sample, empty = it is not known to be.
    cells: numbers per draw that `of` needs.
    exact: the value of the whole sample by another implementation of the same coefficient, None = by `of`.
    no_interval: why it cannot be resampled, empty = it can.
    note: remark on the value.
    """

    of: Callable[[Array], Array]
    has_items: NDArray[np.bool_]
    items: int
    reason: str = ""
    cells: int = 1
    exact: float | None = None
    no_interval: str = ""
    note: str = ""

    @cached_property
    def value(self) -> float:
        """The coefficient of the whole sample, NaN = undefined."""
        if self.reason:
            return math.nan
        return float(self.of(np.ones((1, len(self.has_items))))[0]) if self.exact is None else self.exact


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """Bootstrap over topics. draws: 0 = no intervals."""

    draws: int = DRAWS
    seed: int = 0
    confidence: float = 0.95
    ends: Ends = Ends.BCA


def undefined(topics: int, reason: str, items: int = 0) -> Estimator:
    """Return an estimator without a value, for a reason."""
    return Estimator(
        lambda counts: np.full(len(counts), np.nan), np.zeros(topics, dtype=np.bool_), items, reason
    )


def ratio(above: Array, below: Array, items: int, reason: str) -> Estimator:
    """Return the estimator of a ratio of sums. above, below: per topic. reason: if the denominator is 0."""

    def of(counts: Array) -> Array:
        under = counts @ below
        return np.where(under > 0, (counts @ above) / np.where(under > 0, under, 1.0), np.nan)

    return Estimator(of, below > 0, items, "" if below.sum() > 0 else reason)


def mean_of_pairs(pairs: Sequence[Estimator], items: int, none: str, topics: int = 0) -> Estimator:
    """Return the mean over pairs of annotators; undefined pairs are left out and counted in the note.

    none: the reason if there is no pair.
    """
    if not pairs:
        return undefined(topics, none, items)
    defined = [pair for pair in pairs if math.isfinite(pair.value)]
    topics = len(pairs[0].has_items)
    if not defined:
        reasons = dict.fromkeys(pair.reason or "undefined" for pair in pairs)
        return undefined(topics, "; ".join(reasons), items)

    def of(counts: Array) -> Array:
        values = np.empty((len(defined), len(counts)))
        for row, pair in zip(values, defined, strict=True):
            raise_if_cancelled()
            row[:] = pair.of(counts)
        there = np.isfinite(values)
        n = there.sum(axis=0)
        return np.where(n > 0, np.where(there, values, 0.0).sum(axis=0) / np.maximum(n, 1), np.nan)

    left_out = len(pairs) - len(defined)
    note = f"mean of {len(defined)} pairs" if len(pairs) > 1 else ""
    return Estimator(
        of,
        np.any([pair.has_items for pair in defined], axis=0),
        items,
        cells=max(pair.cells for pair in defined),
        exact=float(np.mean([pair.value for pair in defined])),
        no_interval=next((pair.no_interval for pair in defined if pair.no_interval), ""),
        note=f"{note}; {left_out} undefined left out" if left_out else note,
    )


def estimate(
    estimator: Estimator,
    what: str,
    coefficient: str,
    annotators: Sequence[str],
    options: BootstrapOptions,
    grouping: Grouping = Grouping.ALL,
    group: str = "",
) -> AgreementRow:
    """Return a coefficient with its interval over topics. Raises Cancelled if the job was cancelled."""
    value = estimator.value
    reason = estimator.reason or ("" if math.isfinite(value) else "undefined for these items")
    low = high = math.nan
    no_interval = ""
    if not reason and options.draws:
        low, high, no_interval = _interval(estimator, value, options)
    return AgreementRow(
        what,
        grouping,
        group,
        coefficient,
        value,
        low,
        high,
        estimator.items,
        tuple(annotators),
        reason,
        no_interval,
        estimator.note,
    )


def _interval(estimator: Estimator, value: float, options: BootstrapOptions) -> tuple[float, float, str]:
    """Return both ends, and why there are none; only topics with items are drawn."""
    used = np.flatnonzero(estimator.has_items)
    if estimator.no_interval:
        return math.nan, math.nan, estimator.no_interval
    if used.size < MIN_UNITS:
        few = "1 topic is" if used.size == 1 else f"{used.size} topics are"
        return math.nan, math.nan, f"{few} too few to resample; at least {MIN_UNITS} are needed"
    drawn = draw_counts(1, used.size, ResampleUnit.TOPICS, options.draws, options.seed).topics
    samples = _resampled(estimator, used, drawn)
    if options.ends is Ends.PERCENTILE:
        found = intervals_of(samples, confidence=options.confidence, has_null=False)
    else:
        left_out = _resampled(estimator, used, 1.0 - np.eye(used.size))
        found = intervals_of(
            samples,
            np.array([value]),
            acceleration([left_out]),
            options.confidence,
            widening((1, used.size), ResampleUnit.TOPICS),
            has_null=False,
        )
    return float(found.low[0]), float(found.high[0]), found.reasons[0]


def _resampled(estimator: Estimator, used: NDArray[np.intp], drawn: Array) -> Array:
    """Return values of shape (draws, 1). drawn: counts of the used topics, shape (draws, used)."""
    counts = np.zeros((len(drawn), len(estimator.has_items)))
    counts[:, used] = drawn
    size = max(1, CELLS_AT_ONCE // max(1, estimator.cells))
    parts = []
    for first in range(0, len(counts), size):
        raise_if_cancelled()
        parts.append(estimator.of(counts[first : first + size]))
    return np.concatenate(parts)[:, None]
