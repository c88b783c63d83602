"""Averages over topics identical to ROUGE-1.5.5's output: means and intervals of 1,000 resamples.

ROUGE-1.5.5's average is not the mean of the topics but the mean of the resamples' means. Its resampling is
deterministic: resample i is drawn by Perl's own generator, seeded with i, from the topics in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RESAMPLES = 1000
CONFIDENCE = 95.0
DECIMALS = 5

_MULTIPLIER, _INCREMENT, _BITS = np.uint64(0x5DEECE66D), np.uint64(0xB), np.uint64(2**48 - 1)
"""Of the linear congruential generator drand48, which Perl uses since 5.20."""


@dataclass(frozen=True, slots=True)
class Average:
    """An average and the ends of its interval, to DECIMALS places."""

    mean: float
    low: float
    high: float


def topic_averages(
    values: Array, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> tuple[Average, ...]:
    """Return each measure's average over topics.

    values: shape (topics, measures) as printed, to DECIMALS places, with topics sorted by name; at least one
    topic.
    confidence: per cent below 100.
    """
    return _averages(values, lambda sums: sums / len(values), resamples, confidence)


def token_averages(
    counts: Array, alpha: float, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> tuple[Average, ...]:
    """Return recall, precision and F of counts summed over topics (-t 1). alpha: weight of precision in F.

    counts: shape (topics, 3): matched, in the references, in the summary. ROUGE-W's are only divided too, not
    taken to the power of 1 / weight.
    """
    return _averages(counts, lambda sums: _shares(sums, alpha), resamples, confidence)


@lru_cache(maxsize=8)
def perl_draws(count: int, resamples: int) -> NDArray[np.int64]:
    """Return Perl's int(rand(count)), `count` times after each srand(0), srand(1), …

    Returns shape (resamples, count).
    """
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    draws = np.empty((resamples, count), dtype=np.int64)
    for k in range(count):
        state = (state * _MULTIPLIER + _INCREMENT) & _BITS
        draws[:, k] = (state * 2.0**-48 * count).astype(np.int64)
    return draws


def _averages(
    rows: Array, finish: Callable[[Array], Array], resamples: int, confidence: float
) -> tuple[Average, ...]:
    draws = perl_draws(len(rows), resamples)
    sums = np.zeros((resamples, rows.shape[1]))
    for k in range(len(rows)):  # one after another, as rounding depends on the order
        sums += rows[draws[:, k]]
    ranked = np.sort(finish(sums), axis=0)
    return tuple(_average(column, confidence) for column in ranked.T)


def _average(ranked: Array, confidence: float) -> Average:
    """Return the average of sorted resamples.

    Both ends of the interval are interpolated with the same weight.
    """
    count = len(ranked)
    outside = count * ((100 - confidence) / 2) / 100
    high, low = int(count - outside - 1), int(outside)
    share = count - outside - 1 - high
    mean = float(np.cumsum(ranked)[-1]) / count
    return Average(*(round(value, DECIMALS) for value in (mean, *_between(ranked, (low, high), share))))


def _between(ranked: Array, places: tuple[int, int], share: float) -> list[float]:
    last = len(ranked) - 1
    return [float(ranked[at] + (ranked[min(at + 1, last)] - ranked[at]) * share) for at in places]


def _shares(sums: Array, alpha: float) -> Array:
    matched, in_references, in_summary = sums.T
    recall, precision = _ratio(matched, in_references), _ratio(matched, in_summary)
    f = _ratio(recall * precision, (1 - alpha) * precision + alpha * recall)
    return np.stack([recall, precision, f], axis=-1)


def _ratio(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
