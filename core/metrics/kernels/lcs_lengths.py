"""Lengths of the longest common subsequences of many pairs of sequences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

Ints = NDArray[np.int64]


def lcs_lengths(here: Sequence[NDArray[np.int32]], there: Sequence[NDArray[np.int32]]) -> Ints:
    """Return the lengths of the longest common subsequences of all pairs, shape (here, there)."""
    lengths = np.zeros(len(here) * len(there), dtype=np.int64)
    mine, my_ends = _concatenate(here)
    theirs, their_ends = _concatenate(there)
    table = np.zeros(max((len(each) for each in there), default=0) + 1, dtype=np.int64)
    _measure(mine, my_ends, theirs, their_ends, table, lengths, steps=len(mine) * len(theirs))
    return lengths.reshape(len(here), len(there))


def _concatenate(sequences: Sequence[NDArray[np.int32]]) -> tuple[Ints, Ints]:
    flat = np.concatenate([*sequences, np.empty(0, np.int32)]).astype(np.int64)
    return flat, np.cumsum([0, *(len(each) for each in sequences)]).astype(np.int64)


def _fill_lengths(
    mine: Ints, my_ends: Ints, theirs: Ints, their_ends: Ints, table: Ints, lengths: Ints
) -> None:
    """Fill `lengths`. table: one row of the dynamic programming table; its first entry stays zero."""
    count = len(their_ends) - 1
    for i in range(len(my_ends) - 1):
        for j in range(count):
            width = their_ends[j + 1] - their_ends[j]
            for k in range(width + 1):
                table[k] = 0
            for a in range(my_ends[i], my_ends[i + 1]):
                before = 0
                for k in range(1, width + 1):
                    above = table[k]
                    if mine[a] == theirs[their_ends[j] + k - 1]:
                        table[k] = before + 1
                    elif table[k - 1] > above:
                        table[k] = table[k - 1]
                    before = above
            lengths[i * count + j] = table[width]


_measure = Kernel(_fill_lengths)
