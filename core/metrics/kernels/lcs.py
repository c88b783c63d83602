"""Words of a reference that lie on a longest common subsequence with a summary's sentences."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Bounds = NDArray[np.int64]


@njit(cache=True, nogil=True)
def union_lcs(reference: Ids, reference_bounds: Bounds, summary: Ids, summary_bounds: Bounds) -> Bounds:
    """For each word of a reference the summary's word it is matched with, -1 = none.

    A reference's sentence is compared with every sentence of the summary, and the matches are united; then,
    from the first word on, a match counts only while the summary has that word left. bounds: where each
    sentence starts, and the number of words.
    """
    partners = np.full(len(reference), -1, dtype=np.int64)
    longest = np.diff(reference_bounds).max() if len(reference_bounds) > 1 else 0
    widest = np.diff(summary_bounds).max() if len(summary_bounds) > 1 else 0
    table = np.zeros((longest + 1, widest + 1), dtype=np.int32)
    for i in range(len(reference_bounds) - 1):
        for j in range(len(summary_bounds) - 1):
            _mark(
                reference, reference_bounds[i], reference_bounds[i + 1],
                summary, summary_bounds[j], summary_bounds[j + 1], table, partners,
            )  # fmt: skip
    _clip(reference, summary, partners)
    return partners


@njit(cache=True, nogil=True)
def _mark(
    reference: Ids, top: int, bottom: int, summary: Ids, left: int, right: int, table: Ids, partners: Bounds
) -> None:
    """Trace one longest common subsequence back; of two equally long ways the one up, along the reference."""
    rows, columns = bottom - top, right - left
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if reference[top + i - 1] == summary[left + j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    i, j = rows, columns
    while i > 0 and j > 0:
        if reference[top + i - 1] == summary[left + j - 1]:
            i, j = i - 1, j - 1
            if partners[top + i] < 0:
                partners[top + i] = left + j
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1


@njit(cache=True, nogil=True)
def _clip(reference: Ids, summary: Ids, partners: Bounds) -> None:
    words = 0
    for word in summary:
        words = max(words, word + 1)
    left = np.zeros(words, dtype=np.int64)
    for word in summary:
        left[word] += 1
    for i in range(len(reference)):
        if partners[i] >= 0:
            if left[reference[i]] > 0:
                left[reference[i]] -= 1
            else:
                partners[i] = -1
