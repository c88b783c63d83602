"""Fragments that summaries copy from documents (Grusky, Naaman & Artzi 2018, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.metrics.kernels.ngrams import ends_of

Words = NDArray[np.int32]
Whole = NDArray[np.int64]

_BETWEEN = np.array([-2], dtype=np.int32)
"""Follows each document: no word, so that no fragment spans two documents."""


def fragments(summaries: Sequence[Words], documents: Sequence[Words]) -> list[Whole]:
    """Return the fragments of each summary, left to right: arrays of shape (fragments, 3).

    Columns: first word in the summary, first word in the joined documents (one place after each is no word),
    number of words. At each word of the summary the documents are read from the start; of the runs that are
    found so and do not overlap, the first of the longest is the fragment, as in the authors' program.
    """
    sizes = [len(words) for words in summaries]
    ends = ends_of(sizes)
    mine = np.concatenate([*summaries, np.empty(0, np.int32)]).astype(np.int64)
    parts = [part for words in documents for part in (words, _BETWEEN)]
    theirs = np.concatenate([*parts, np.empty(0, np.int32)]).astype(np.int64)
    first, following, steps = _occurrences(mine, theirs)
    found = np.zeros(2 * len(mine), dtype=np.int64)
    _find(mine, ends, theirs, first, following, found, steps=steps)
    starts, lengths = found[: len(mine)], found[len(mine) :]
    result = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        places = np.flatnonzero(lengths[begin:end])
        result.append(np.stack([places, starts[begin:end][places], lengths[begin:end][places]], axis=1))
    return result


def _occurrences(mine: Whole, theirs: Whole) -> tuple[Whole, Whole, int]:
    """Return the first place of each word of `mine` in `theirs`, and the next place of each of its words.

    -1 = none. Last the number of places of all words of `mine`.
    """
    order = np.argsort(theirs, kind="stable")
    ordered = theirs[order]
    following = np.full(len(theirs), -1, dtype=np.int64)
    is_same = ordered[1:] == ordered[:-1]
    following[order[:-1][is_same]] = order[1:][is_same]
    at = np.searchsorted(ordered, mine)
    is_there = at < len(theirs)
    is_there[is_there] = ordered[at[is_there]] == mine[is_there]
    first = np.full(len(mine), -1, dtype=np.int64)
    first[is_there] = order[at[is_there]]
    return first, following, len(mine) + int((np.searchsorted(ordered, mine, side="right") - at).sum())


def _fill_fragments(
    mine: Whole, ends: Whole, theirs: Whole, first: Whole, following: Whole, found: Whole
) -> None:
    """Fill `found` with the start in the documents of the fragment at each word, then with its length.

    0 = no fragment begins there.
    """
    total = len(mine)
    for text in range(len(ends) - 1):
        at, end = ends[text], ends[text + 1]
        while at < end:
            best, place, free, here = 0, 0, 0, first[at]
            while here >= 0:
                if here >= free:
                    length = 1
                    while (
                        at + length < end
                        and here + length < len(theirs)
                        and mine[at + length] == theirs[here + length]
                    ):
                        length += 1
                    if length > best:
                        best, place = length, here
                    free = here + length
                here = following[here]
            if best > 0:
                found[at], found[total + at] = place, best
            at += max(best, 1)


_find = Kernel(_fill_fragments)
