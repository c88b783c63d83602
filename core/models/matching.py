"""Greedy matching of word pieces by cosine, all pairs of texts at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

_MOST_COSINES = 1 << 24
"""Cosines held at a time: 64 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class BestCosines:
    """For each piece of one side its nearest piece of the other.

    cosines: shape (texts, others, longest text), 0 beyond a text's end. pieces: the nearest's index, alike.
    """

    cosines: NDArray[np.float64]
    pieces: NDArray[np.int64]


def best_cosines(
    mine: Sequence[torch.Tensor], theirs: Sequence[torch.Tensor]
) -> tuple[BestCosines, BestCosines]:
    """The nearest pieces of `theirs` for all pieces of `mine`, and the other way round.

    mine, theirs: per text shape (pieces, dimension), at least one piece each.
    """
    rows, columns = _Padded(mine), _Padded(theirs)
    there = _empty(len(mine), len(theirs), rows.longest)
    back = _empty(len(theirs), len(mine), columns.longest)
    with torch.inference_mode():
        for i, j in _chunks(rows, columns):
            cosines = _cosines(rows, columns, i, j)  # (mine, piece, theirs, piece)
            _keep(there, (i, j), cosines.max(dim=3), rows.is_piece[i], (0, 2, 1))
            _keep(back, (j, i), cosines.max(dim=1), columns.is_piece[j], (1, 0, 2))
    return there, back


class _Padded:
    """Texts' unit vectors in one block, shape (texts, longest, dimension)."""

    def __init__(self, texts: Sequence[torch.Tensor]) -> None:
        lengths = torch.tensor([len(text) for text in texts])
        block = torch.nn.utils.rnn.pad_sequence([text.float() for text in texts], batch_first=True)
        self.longest = block.shape[1]
        self.vectors = torch.nn.functional.normalize(block, dim=2)
        self.is_piece = (torch.arange(self.longest) < lengths[:, None]).to(block.device)


def _chunks(rows: _Padded, columns: _Padded) -> Iterator[tuple[slice, slice]]:
    pair = rows.longest * columns.longest
    wide = min(len(columns.vectors), max(1, _MOST_COSINES // pair))
    tall = max(1, _MOST_COSINES // (pair * wide))
    for i in range(0, len(rows.vectors), tall):
        for j in range(0, len(columns.vectors), wide):
            yield slice(i, i + tall), slice(j, j + wide)


def _cosines(rows: _Padded, columns: _Padded, i: slice, j: slice) -> torch.Tensor:
    mine, theirs = rows.vectors[i], columns.vectors[j]
    cosines = mine.flatten(0, 1) @ theirs.flatten(0, 1).T
    cosines = cosines.view(len(mine), rows.longest, len(theirs), columns.longest)
    cosines.masked_fill_(~rows.is_piece[i][:, :, None, None], -torch.inf)
    return cosines.masked_fill_(~columns.is_piece[j][None, None], -torch.inf)


def _empty(texts: int, others: int, longest: int) -> BestCosines:
    shape = (texts, others, longest)
    return BestCosines(np.zeros(shape), np.zeros(shape, dtype=np.int64))


def _keep(
    best: BestCosines,
    at: tuple[slice, slice],
    found: torch.return_types.max,
    is_piece: torch.Tensor,
    order: tuple[int, int, int],
) -> None:
    """Put a chunk's maxima, brought into the order (texts, others, pieces), where they belong."""
    cosines = found.values.permute(order).masked_fill(~is_piece[:, None], 0.0)
    best.cosines[at] = cosines.cpu().numpy()
    best.pieces[at] = found.indices.permute(order).cpu().numpy()
