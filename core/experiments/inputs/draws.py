"""Correlations of many draws at once, where each draw selects one of several alternatives per topic.

An alternative holds a topic's scores under another choice, such as a subset of its references. Everything is
looked up by the index of alternatives, so that a thousand draws cost a few matrix products.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.matrix import Array
from core.stats.correlation import Coefficient, Level, row_coefficients
from core.stats.precision import scale_exponents

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_CELLS_AT_ONCE = 4_000_000
"""Values in a chunk of draws at global level: 32 MB per side."""


def subsets(references: int, size: int) -> Flags:
    """Return every subset of a given size in lexical order, shape (subsets, references)."""
    chosen = list(combinations(range(references), size))
    flags = np.zeros((len(chosen), references), dtype=np.bool_)
    for row, places in zip(flags, chosen, strict=True):
        row[list(places)] = True
    return flags


def correlations_of_draws(
    x: Sequence[Array],
    z: Sequence[Array],
    draws: Numbers,
    z_draws: Numbers,
    level: Level,
    coefficient: Coefficient,
) -> Array:
    """Return the correlation of each draw, shape (draws,), NaN = undefined.

    x, z: each topic's alternatives, shape (alternatives, systems), NaN = missing.
    draws, z_draws: index of the alternative that each draw selects, shape (draws, topics), -1 = topic
    excluded.
    topic: the mean over topics whose coefficient is defined.
    """
    x, z = _normalized(x), _normalized(z)
    if level is Level.TOPIC:
        return _topic_level(x, z, draws, z_draws, coefficient)
    if level is Level.SYSTEM:
        return row_coefficients(*_means(x, z, draws, z_draws), coefficient)
    cells = max(1, sum(side.shape[1] for side in x))
    step = max(1, _CELLS_AT_ONCE // cells)
    chunks = [slice(at, at + step) for at in range(0, len(draws), step)]
    rows = [row_coefficients(*_flat(x, z, draws[at], z_draws[at]), coefficient) for at in chunks]
    return np.concatenate(rows) if rows else np.empty(0)


def _means(x: Sequence[Array], z: Sequence[Array], draws: Numbers, z_draws: Numbers) -> tuple[Array, Array]:
    """Return system means over the topics that both sides have, (draws, systems) each."""
    shape = len(draws), x[0].shape[1]
    x_sums, z_sums, counts = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for one, other, mine, theirs in zip(x, z, draws.T, z_draws.T, strict=True):
        left, right = _taken(one, mine), _taken(other, theirs)
        both = np.isfinite(left) & np.isfinite(right)
        counts += both
        x_sums += np.where(both, left, 0.0)
        z_sums += np.where(both, right, 0.0)
    left, right = (np.where(counts > 0, sums / np.maximum(counts, 1), np.nan) for sums in (x_sums, z_sums))
    return left, right


def _flat(x: Sequence[Array], z: Sequence[Array], draws: Numbers, z_draws: Numbers) -> tuple[Array, Array]:
    """Return all summaries of each draw in one row, shape (draws, topics × systems) each."""
    left = np.concatenate([_taken(one, mine) for one, mine in zip(x, draws.T, strict=True)], axis=1)
    right = np.concatenate([_taken(one, mine) for one, mine in zip(z, z_draws.T, strict=True)], axis=1)
    both = np.isfinite(left) & np.isfinite(right)
    return np.where(both, left, np.nan), np.where(both, right, np.nan)


def _topic_level(
    x: Sequence[Array], z: Sequence[Array], draws: Numbers, z_draws: Numbers, coefficient: Coefficient
) -> Array:
    """Compute a topic's coefficient once for each pair of alternatives that some draw selects."""
    values = np.full(draws.shape, np.nan)
    for at, (one, other) in enumerate(zip(x, z, strict=True)):
        taken = (draws[:, at] >= 0) & (z_draws[:, at] >= 0)
        pairs, place = np.unique(
            np.column_stack([draws[taken, at], z_draws[taken, at]]), axis=0, return_inverse=True
        )
        left, right = one[pairs[:, 0]], other[pairs[:, 1]]
        both = np.isfinite(left) & np.isfinite(right)
        rows = row_coefficients(np.where(both, left, np.nan), np.where(both, right, np.nan), coefficient)
        values[taken, at] = rows[place.reshape(-1)]
    defined = np.isfinite(values)
    counts = defined.sum(axis=1)
    means: Array = np.where(defined, values, 0.0).sum(axis=1) / np.maximum(counts, 1)
    return np.where(counts > 0, means, np.nan)


def _normalized(alternatives: Sequence[Array]) -> list[Array]:
    """Return every topic's alternatives scaled alike: they are values of one measure."""
    exponent = max((int(scale_exponents(one)[0, 0]) for one in alternatives), default=0)
    return [np.ldexp(one, -exponent) for one in alternatives]


def _taken(alternatives: Array, chosen: Numbers) -> Array:
    """Return the selected alternatives, shape (draws, systems); NaN where a draw excludes the topic."""
    padded = np.pad(alternatives, ((0, 1), (0, 0)), constant_values=np.nan)
    return padded[chosen]
