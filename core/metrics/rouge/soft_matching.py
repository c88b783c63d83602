"""Soft matching of n-grams by word vectors, as in Ng & Abrecht's program and in S3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.base import Array
from core.metrics.rouge.embedded_ngrams import NgramTable

_DECIMALS = 12
"""Cosines that are equal to here count as equal, so that no last bit decides; the first of them is taken."""


@dataclass(frozen=True, slots=True)
class Match:
    """So many of a summary's gram `mine` that met the reference's gram `theirs`."""

    mine: int
    theirs: int
    count: int


def match_nearest_vector(grams: NgramTable, summary: int, reference: int, threshold: float) -> list[Match]:
    """Match a summary's grams, in their order, each with the nearest gram that the reference has left.

    summary, reference: which texts. A gram is used up as often as both hold it (Peyrard et al. 2017).
    """
    mine, theirs = grams.held[summary], grams.held[reference]
    near = _nearness(grams, mine, theirs)
    rows, columns = np.nonzero(near >= threshold)
    in_turn = np.lexsort((columns, -near[rows, columns], rows))
    offered, left = grams.counts[summary, mine].tolist(), grams.counts[reference, theirs].tolist()
    matches, done = [], -1
    for row, column in zip(rows[in_turn].tolist(), columns[in_turn].tolist(), strict=True):
        if row != done and left[column]:
            done, count = row, min(left[column], offered[row])
            left[column] -= count
            matches.append(Match(int(mine[row]), int(theirs[column]), count))
    return matches


def split_matches(grams: NgramTable, systems: int) -> Array:
    """Half the exact matches and half the cosines that count, shape (summaries, references).

    systems: how many of the texts are summaries; they come first. Ng & Abrecht 2015.
    """
    mine, theirs = grams.counts[:systems], grams.counts[systems:]
    half = np.zeros((systems, len(theirs)))
    sums = (mine > 0).astype(np.float64) @ grams.vectors
    for r, held in enumerate(theirs):
        exact = np.minimum(mine, held).sum(axis=1)
        cosines = sums @ grams.vectors[visited(grams, systems + r)].sum(axis=0)
        half[:, r] = 0.5 * exact + 0.5 * cosines
    return half


def visited(grams: NgramTable, text: int) -> NDArray[np.int64]:
    """A reference's grams whose cosines count: the k-th visited has to stand in it k times or more.

    The program counts how often it saw a gram of the summary and takes that for its clipping: all of them
    count for the first gram of the reference, but for the second only if that stands there twice. It visits
    in Perl's random order; here the order is the alphabet's.
    """
    in_order = sorted(grams.held[text].tolist(), key=lambda gram: " ".join(grams.names[gram]))
    counting = [gram for at, gram in enumerate(in_order, start=1) if grams.counts[text, gram] >= at]
    return np.array(counting, dtype=np.int64)


def _nearness(grams: NgramTable, mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Array:
    """Cosines, shape (mine, theirs); 1 for the same gram, whether its words have vectors or not."""
    near: Array = np.round(grams.vectors[mine] @ grams.vectors[theirs].T, _DECIMALS)
    near[mine[:, None] == theirs[None, :]] = 1.0
    return near
