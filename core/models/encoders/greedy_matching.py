"""Greedy matching of word pieces by cosine similarity, for all pairs of texts at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import torch
from numpy.typing import NDArray

from core.progress import raise_if_cancelled

_MOST_COSINES = 1 << 24
"""Maximum number of cosines in memory: 64 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class BestCosines:
    """For each piece of one side, its nearest piece of the other.

    cosines: shape (texts, others, longest text), 0 after a text's end. pieces: index of the nearest, same
    shape.
    """

    cosines: NDArray[np.float64]
    pieces: NDArray[np.int64]


def best_cosines(
    mine: Sequence[torch.Tensor], theirs: Sequence[torch.Tensor]
) -> tuple[BestCosines, BestCosines]:
    """Match all pieces of `mine` to the nearest of `theirs`, and the other way round.

    mine, theirs: per text of shape (pieces, dimension), at least one piece each.
    """
    rows, columns = _Joined(mine), _Joined(theirs)
    there, back = _empty(rows, columns), _empty(columns, rows)
    with torch.inference_mode():
        for i, j in _chunks(rows, columns):
            raise_if_cancelled()
            cosines = rows.of(i) @ columns.of(j).T
            _keep(there, rows, i, columns, j, cosines)
            _keep(back, columns, j, rows, i, cosines.T)
    return there, back


class _Joined:
    """Texts' unit vectors concatenated, shape (pieces of all texts, dimension)."""

    def __init__(self, texts: Sequence[torch.Tensor]) -> None:
        self.lengths = [len(text) for text in texts]
        self.starts = [0, *accumulate(self.lengths)]
        self._vectors = torch.nn.functional.normalize(torch.cat([text.float() for text in texts]), dim=1)

    def of(self, texts: range) -> torch.Tensor:
        return self._vectors[self.starts[texts.start] : self.starts[texts.stop]]

    def parts(self, texts: range) -> Iterator[tuple[int, slice]]:
        """Yield each text of a range with the position of its pieces within the range."""
        first = self.starts[texts.start]
        return ((text, slice(self.starts[text] - first, self.starts[text + 1] - first)) for text in texts)


def _chunks(rows: _Joined, columns: _Joined) -> Iterator[tuple[range, range]]:
    """Yield ranges of texts of both sides that are compared at a time."""
    for j in _runs(columns.lengths, _MOST_COSINES // max(rows.lengths)):
        for i in _runs(rows.lengths, _MOST_COSINES // sum(columns.lengths[j.start : j.stop])):
            yield i, j


def _runs(lengths: Sequence[int], most: int) -> Iterator[range]:
    """Yield runs of consecutive texts with at most `most` pieces together, at least one text each."""
    start = total = 0
    for i, length in enumerate(lengths):
        if i > start and total + length > most:
            yield range(start, i)
            start, total = i, 0
        total += length
    yield range(start, len(lengths))


def _empty(rows: _Joined, columns: _Joined) -> BestCosines:
    shape = (len(rows.lengths), len(columns.lengths), max(rows.lengths))
    return BestCosines(np.zeros(shape), np.zeros(shape, dtype=np.int64))


def _keep(
    best: BestCosines, rows: _Joined, i: range, columns: _Joined, j: range, cosines: torch.Tensor
) -> None:
    """Store for each row of a chunk the maximum over every text's columns."""
    maxima = [cosines[:, part].max(dim=1) for _, part in columns.parts(j)]
    values = torch.stack([one.values for one in maxima]).cpu().numpy()  # (texts of j, pieces of i)
    places = torch.stack([one.indices for one in maxima]).cpu().numpy()
    others = slice(j.start, j.stop)
    for text, part in rows.parts(i):
        best.cosines[text, others, : rows.lengths[text]] = values[:, part]
        best.pieces[text, others, : rows.lengths[text]] = places[:, part]
