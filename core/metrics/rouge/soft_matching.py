"""Soft matching of n-grams by word vectors, as in Ng & Abrecht's program and in S3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.base import Array
from core.metrics.rouge.embedded_ngrams import NgramTable

_DECIMALS = 12
"""Cosines equal to this many decimals are ties, so that rounding does not decide; the first one is used."""


@dataclass(frozen=True, slots=True)
class NgramMatch:
    """`count` occurrences of the summary's n-gram `mine`, matched with the reference's n-gram `theirs`."""

    mine: int
    theirs: int
    count: int


def match_nearest_vector(
    grams: NgramTable, summary: int, reference: int, threshold: float
) -> list[NgramMatch]:
    """Match a summary's n-grams, in order, each with the nearest unmatched n-gram of the reference.

    summary, reference: text indices. An n-gram is matched at most as often as both texts contain it.
    Source: Peyrard et al. 2017.
    """
    mine, theirs = grams.held[summary], grams.held[reference]
    cosines = _cosines(grams, mine, theirs)
    rows, columns = np.nonzero(cosines >= threshold)
    order = np.lexsort((columns, -cosines[rows, columns], rows))
    available, left = grams.counts[summary, mine].tolist(), grams.counts[reference, theirs].tolist()
    matches, last = [], -1
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row != last and left[column]:
            last, count = row, min(left[column], available[row])
            left[column] -= count
            matches.append(NgramMatch(int(mine[row]), int(theirs[column]), count))
    return matches


def split_matches(grams: NgramTable, systems: int) -> Array:
    """Return half the exact matches plus half the counted cosines, shape (summaries, references).

    systems: number of texts that are summaries; they come first.
    Source: Ng & Abrecht 2015.
    """
    mine, theirs = grams.counts[:systems], grams.counts[systems:]
    half = np.zeros((systems, len(theirs)))
    sums = (mine > 0).astype(np.float64) @ grams.vectors
    for r, held in enumerate(theirs):
        exact = np.minimum(mine, held).sum(axis=1)
        cosines = sums @ grams.vectors[counted_grams(grams, systems + r)].sum(axis=0)
        half[:, r] = 0.5 * exact + 0.5 * cosines
    return half


def counted_grams(grams: NgramTable, text: int) -> NDArray[np.int64]:
    """Return a reference's n-grams whose cosines count: the k-th visited one must occur at least k times.

    The program clips by how often it has seen an n-gram of the summary: all of them count for the reference's
    first n-gram, but for the second only if that occurs twice. It visits n-grams in Perl's random order; here
    the order is alphabetical.
    """
    in_order = sorted(grams.held[text].tolist(), key=lambda gram: " ".join(grams.names[gram]))
    counting = [gram for at, gram in enumerate(in_order, start=1) if grams.counts[text, gram] >= at]
    return np.array(counting, dtype=np.int64)


def _cosines(grams: NgramTable, mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Array:
    """Return cosines, shape (mine, theirs); 1 for equal n-grams, even without vectors."""
    cosines: Array = np.round(grams.vectors[mine] @ grams.vectors[theirs].T, _DECIMALS)
    cosines[mine[:, None] == theirs[None, :]] = 1.0
    return cosines
