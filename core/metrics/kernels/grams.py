"""Matched n-grams of many pairs of texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def number_grams(texts: Sequence[NDArray[np.int32]], n: int) -> tuple[list[Ids], int]:
    """Each text's n-grams as numbers that equal n-grams share, and how many numbers there are."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    flat = np.concatenate([*texts, np.empty(0, dtype=np.int32)])
    words, count = _dense(flat)
    ends = np.repeat(np.cumsum(lengths), lengths)
    first = np.flatnonzero(np.arange(len(flat)) + n <= ends)
    grams, total = _dense(words[first])
    for k in range(1, n):
        grams, total = _dense(grams * count + words[first + k])
    cuts = np.cumsum(np.maximum(lengths - n + 1, 0))
    return np.split(grams, cuts)[:-1], total


def matched_grams(summaries: Sequence[Ids], references: Sequence[Ids], total: int) -> NDArray[np.float64]:
    """How many n-grams each summary shares with each reference, each counted as often as both hold it.

    Returns shape (summaries, references).
    """
    matched = np.zeros((len(summaries), len(references)))
    _count_matches(*_packed(summaries), *_packed(references), total, matched)
    return matched


@njit(cache=True, nogil=True)
def _count_matches(
    summaries: Ids,
    summary_ends: Ids,
    references: Ids,
    reference_ends: Ids,
    total: int,
    matched: NDArray[np.float64],
) -> None:
    wanted = np.zeros(total, dtype=np.int64)
    used = np.zeros(total, dtype=np.int64)
    for r in range(len(reference_ends) - 1):
        reference = references[reference_ends[r] : reference_ends[r + 1]]
        for gram in reference:
            wanted[gram] += 1
        for s in range(len(summary_ends) - 1):
            summary = summaries[summary_ends[s] : summary_ends[s + 1]]
            for gram in summary:
                if used[gram] < wanted[gram]:
                    used[gram] += 1
                    matched[s, r] += 1
            for gram in summary:
                used[gram] = 0
        for gram in reference:
            wanted[gram] = 0


def _dense(numbers: NDArray[np.integer]) -> tuple[Ids, int]:
    unique, inverse = np.unique(numbers, return_inverse=True)
    return inverse.astype(np.int64), len(unique)


def _packed(texts: Sequence[Ids]) -> tuple[Ids, Ids]:
    ends = np.cumsum([0, *(len(text) for text in texts)]).astype(np.int64)
    return np.concatenate([*texts, np.empty(0, dtype=np.int64)]), ends
