"""k nearest neighbours by cosine between two sets of vectors, in tiles that fit into memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.progress import raise_if_cancelled

_MOST_COSINES = 1 << 23
"""Maximum number of cosines in memory: 32 MiB, and a few times as much during the selection."""

_STEPS = 1e6
"""Step of cosines from 0 to 1: cosines within one step count as equal, so that rounding does not decide the
selection.
"""


@dataclass(frozen=True, slots=True, eq=False)
class NearestNeighbours:
    """Nearest vectors of the other side for each vector, shape (vectors, k), in the other side's order.

    places: their rows. cosines: unclipped, so possibly negative.
    """

    places: NDArray[np.int64]
    cosines: NDArray[np.float64]


def k_nearest(
    mine: NDArray[np.float32], theirs: NDArray[np.float32], k: int, device: str
) -> NearestNeighbours:
    """Return the k rows of `theirs` nearest to each row of `mine` by cosine; the first ones on ties.

    Returns all rows if there are fewer than k. A zero vector has the cosine 0 to every vector.
    """
    k = min(k, len(theirs))
    if not k or not len(mine):
        return NearestNeighbours(np.zeros((len(mine), k), np.int64), np.zeros((len(mine), k)))
    result = NearestNeighbours(np.empty((len(mine), k), np.int64), np.empty((len(mine), k)))
    rows_per_tile = max(1, _MOST_COSINES // len(theirs))
    with torch.inference_mode():
        rows, columns = _units(mine, device), _units(theirs, device).T
        for start in range(0, len(mine), rows_per_tile):
            raise_if_cancelled()
            tile = slice(start, start + rows_per_tile)
            cosines = rows[tile] @ columns
            places = _greatest(cosines, k)
            result.places[tile] = places.cpu().numpy()
            result.cosines[tile] = cosines.gather(1, places).cpu().numpy()
    return result


def _units(vectors: NDArray[np.float32], device: str) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.from_numpy(vectors).to(device), dim=1)


def _greatest(cosines: torch.Tensor, k: int) -> torch.Tensor:
    """Return the columns of each row's k largest cosines, ascending, shape (rows, k).

    The first ones on ties.
    """
    top = cosines.topk(min(k + 1, cosines.shape[1]), dim=1)
    places = top.indices[:, :k].sort(dim=1).values
    if cosines.shape[1] > k:
        last, next_one = _in_steps(top.values[:, -2:]).T
        is_level = last == next_one  # rows with a tie at the k-th place
        places[is_level] = _first_of_equal(_in_steps(cosines[is_level]), k)
    return places


def _in_steps(cosines: torch.Tensor) -> torch.Tensor:
    """Return cosines as integers; rounding to decimals is not supported on every device."""
    return (cosines * _STEPS).round()


def _first_of_equal(values: torch.Tensor, k: int) -> torch.Tensor:
    least = values.topk(k, dim=1).values[:, -1:]
    is_above, is_level = values > least, values == least
    room = k - is_above.sum(dim=1, keepdim=True)
    is_selected = is_above | (is_level & (is_level.cumsum(dim=1, dtype=torch.int32) <= room))
    return is_selected.nonzero()[:, 1].view(-1, k)
