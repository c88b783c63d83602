"""Compact displays of significance: shared letters and cluster ranks."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Where = NDArray[np.bool_]


def compact_letter_display(differs: Where, values: Array) -> tuple[str, ...]:
    """Return letters for each item: two items share a letter exactly if they do not differ.

    differs: shape (n, n), symmetric.
    values: larger values get earlier letters. After z come a1, b1, ...
    Source: Piepho 2004.
    """
    columns = [frozenset(range(len(values)))]
    for i, j in zip(*np.nonzero(np.triu(differs, 1)), strict=True):
        split = [column - {k} for column in columns if {i, j} <= column for k in (i, j)]
        unchanged = [column for column in columns if not {i, j} <= column]
        columns = _largest([*unchanged, *split])
    best = np.argsort(np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable"))
    columns.sort(key=lambda column: sorted(int(best[k]) for k in column))
    return tuple(
        "".join(letter_at(place) for place, column in enumerate(columns) if k in column)
        for k in range(len(values))
    )


def cluster_ranks(values: Array, differs: Where) -> tuple[int, ...]:
    """Return the cluster of each item, from 1, as WMT ranks metrics.

    From the best down, a new cluster begins at an item that differs from any in the current one.
    values: shape (n,), larger is better, NaN last.
    differs: shape (n, n), symmetric.
    """
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")
    ranks, rank = [0] * len(values), 1
    present: list[int] = []
    for k in map(int, order):
        if any(differs[k, other] for other in present):
            rank, present = rank + 1, []
        present.append(k)
        ranks[k] = rank
    return tuple(ranks)


def _largest(columns: list[frozenset[int]]) -> list[frozenset[int]]:
    """Return the sets that no other one contains, each once."""
    once = list(dict.fromkeys(columns))
    return [column for column in once if not any(column < other for other in once)]


def letter_at(place: int) -> str:
    """Return the letter of a place from 0; after z come a1, b1, …"""
    turn, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(turn) if turn else "")
