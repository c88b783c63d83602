"""Extractiveness of a summary: fragments, coverage, density, novelty.

Fragments as defined by Grusky, Naaman & Artzi 2018; novelty is the share of n-grams absent from all
documents.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Whole = NDArray[np.int64]


def fragments(summary: Ids, document: Ids) -> list[int]:
    """Return the lengths of the fragments that a summary shares with a document, left to right.

    At each word the longest run that starts there and occurs in the document is taken as a whole.
    """
    longest = _longest_runs(summary, document)
    lengths, at = [], 0
    while at < len(longest):
        if length := int(longest[at]):
            lengths.append(length)
        at += max(length, 1)
    return lengths


def coverage_and_density(summary: Ids, document: Ids) -> tuple[float, float]:
    """Return coverage (share of words in fragments) and density (mean fragment length of a word).

    NaN if empty.
    """
    if not len(summary):
        return float("nan"), float("nan")
    lengths = np.array(fragments(summary, document), dtype=np.float64)
    return float(lengths.sum() / len(summary)), float((lengths**2).sum() / len(summary))


def novelty(summary: Ids, documents: Sequence[Ids], n: int) -> float:
    """Return the share of a summary's distinct n-grams that no document contains; NaN if it has none."""
    mine = _grams(summary, n)
    if not mine:
        return float("nan")
    theirs = frozenset[bytes]().union(*(_grams(document, n) for document in documents))
    return len(mine - theirs) / len(mine)


def _longest_runs(summary: Ids, document: Ids) -> Whole:
    """Return the length of the longest shared run that starts at each summary word, shape (words,)."""
    longest = np.zeros(len(summary), dtype=np.int64)
    after = np.zeros(len(document) + 1, dtype=np.int64)  # run that starts one word later on both sides
    for at in range(len(summary) - 1, -1, -1):
        here = np.zeros_like(after)
        here[:-1] = np.where(document == summary[at], after[1:] + 1, 0)
        longest[at], after = here.max(initial=0), here
    return longest


def _grams(words: Ids, n: int) -> frozenset[bytes]:
    return frozenset(words[i : i + n].tobytes() for i in range(len(words) - n + 1))
