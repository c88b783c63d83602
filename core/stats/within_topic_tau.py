"""Kendall's tau within topics under many draws of systems, by matrix products over pairs of systems.

A pair of systems drawn w_i and w_j times counts w_i·w_j times. Its sign in each topic is fixed, so the
balance of all topics and measures is one product of integers, and therefore exact, in any division of the
pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.stats.row_coefficients import MINIMUM_PAIRS

Array = NDArray[np.float64]
Signs = NDArray[np.int8]

PAIRS_AT_ONCE = 2_000
"""Number of pairs whose signs are in memory at once, or all pairs of one system if these are more."""

MOST_IN_SINGLE = 5_792
"""Drawn systems up to which the number of pairs is below 2^24, and exact in single precision."""


def pairs_at_once(systems: int) -> int:
    """Return about the largest number of pairs of systems whose signs are in memory at once."""
    return min(max(PAIRS_AT_ONCE, systems), systems * (systems - 1) // 2)


def within_topic_taus(x: Array, z: Array, systems: Array, *, plain: bool) -> Array:
    """Return tau of each draw, measure and topic, NaN = undefined.

    x: shape (measures, systems, topics), z: (systems, topics), NaN in the same cells.
    systems: counts, shape (draws, systems).
    plain: divide by concordant and discordant pairs, as gamma does, instead of as tau-b.
    """
    measures, count, topics = x.shape
    draws = systems.shape[0]
    drawn = systems.sum(axis=1).max(initial=0)
    single: NDArray[Any] = systems.astype(np.float32 if drawn <= MOST_IN_SINGLE else np.float64)
    columns = np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(count, -1)
    balance, counted = np.zeros((2, draws, measures * topics))
    of_z = np.zeros((draws, topics))
    for firsts in blocks_of_pairs(count):
        weights = np.concatenate([single[:, i : i + 1] * single[:, i + 1 :] for i in firsts], axis=1)
        x_signs, z_signs = _signs(columns, firsts), _signs(z, firsts)
        of_both = x_signs.reshape(-1, measures, topics) * z_signs[:, None]
        agree = of_both.reshape(x_signs.shape)
        balance += weights @ agree.astype(single.dtype)
        ties = (agree if plain else x_signs) == 0
        tied = ties.any(axis=0)
        if tied.sum() > tied.size // 2:
            counted += weights @ (~ties).astype(single.dtype)
        else:
            counted += weights.sum(axis=1, dtype=np.float64)[:, None]
            counted[:, tied] -= weights @ ties[:, tied].astype(single.dtype)
        of_z += weights @ (z_signs != 0).astype(single.dtype)
    shape = (draws, measures, topics)
    roots = counted.reshape(shape)
    if not plain:
        roots = np.sqrt(roots) * np.sqrt(of_z)[:, None]
    enough = (systems @ np.isfinite(z).astype(np.float64) >= MINIMUM_PAIRS)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Array = balance.reshape(shape) / roots
    np.clip(values, -1.0, 1.0, out=values)
    values[~(enough & (roots > 0))] = np.nan
    return values


def blocks_of_pairs(systems: int) -> Iterator[range]:
    """Yield ranges of systems whose pairs with all later ones are about `PAIRS_AT_ONCE`."""
    pairs = np.cumsum(np.arange(systems - 1, 0, -1))
    ends = np.flatnonzero(np.diff(pairs // PAIRS_AT_ONCE, append=-1)) + 1
    return (range(first, last) for first, last in pairwise([0, *ends.tolist()]))


def _signs(rows: Array, firsts: range) -> Signs:
    """Return whether each of some rows is above (1) or below (-1) each later one, 0 if equal or missing.

    rows: shape (systems, columns), NaN = missing. Returns shape (pairs, columns).
    """
    return np.concatenate([compare(rows[i], rows[i + 1 :]) for i in firsts])


def compare(one: NDArray[Any], others: NDArray[Any]) -> Signs:
    """Return 1 where one is above the others, -1 where below, 0 where equal or missing (NaN)."""
    return (one > others).view(np.int8) - (one < others).view(np.int8)
