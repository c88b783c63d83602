"""Kendall's tau within topics under many draws of systems, by matrix products over pairs of systems.

A pair of systems drawn w_i and w_j times counts w_i·w_j times. Its sign in each topic is fixed, so the
balance of all topics and measures is one product of integers, and therefore exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.row_coefficients import MINIMUM_PAIRS

Array = NDArray[np.float64]
Single = NDArray[np.float32]
"""Exact for whole numbers to 2^24: pairs of fewer than 5,793 things."""

MAX_NUMBERS = 10_000_000
"""Maximum number of stored signs; above it, rows are counted one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class PairOrder:
    """Order of each pair of systems in each column (a measure and a topic); shape (pairs, columns).

    agree: 1 or -1, 0 if tied.
    tied: the columns with pairs that do not count for x.
    counted: for these columns, 1 where a pair counts.
    z_untied: 1 where the judgement orders a pair, shape (pairs, topics).
    there: 1 where a system is judged, shape (systems, topics).
    plain: gamma: both ties count for x, and none for z.
    """

    agree: Single
    tied: NDArray[np.intp]
    counted: Single
    z_untied: Single
    there: Array
    plain: bool

    @classmethod
    def of(cls, x: Array, z: Array, *, plain: bool) -> PairOrder:
        """Compare all pairs.

        x: shape (measures, systems, topics), z: (systems, topics), NaN in the same cells.
        plain: divide by concordant and discordant pairs, as gamma does, instead of as tau-b.
        """
        first, second = np.triu_indices(z.shape[0], 1)
        with np.errstate(invalid="ignore"):
            x_signs = np.nan_to_num(np.sign(x[:, first] - x[:, second]))
            z_signs = np.nan_to_num(np.sign(z[first] - z[second]))
        agree = (x_signs * z_signs).transpose(1, 0, 2).reshape(first.size, -1)
        squares = np.abs(agree) if plain else np.abs(x_signs).transpose(1, 0, 2).reshape(first.size, -1)
        tied = np.flatnonzero((squares == 0).any(axis=0))
        return cls(
            agree.astype(np.float32),
            tied,
            squares[:, tied].astype(np.float32),
            np.abs(z_signs).astype(np.float32),
            np.isfinite(z).astype(np.float64),
            plain,
        )

    def coefficients(self, systems: Array) -> Array:
        """Return tau of each draw, measure and topic, NaN = undefined.

        systems: counts, shape (draws, systems).
        """
        first, second = np.triu_indices(systems.shape[1], 1)
        single = systems.astype(np.float32)
        weights = single[:, first] * single[:, second]
        balance = (weights @ self.agree).astype(np.float64)
        counted = np.repeat(weights.sum(axis=1, dtype=np.float64)[:, None], balance.shape[1], axis=1)
        counted[:, self.tied] = weights @ self.counted
        topics = self.there.shape[1]
        shape = (systems.shape[0], -1, topics)
        if not self.plain:
            of_z = (weights @ self.z_untied).astype(np.float64)
            roots = np.sqrt(counted).reshape(shape) * np.sqrt(of_z)[:, None]
        else:
            roots = counted.reshape(shape)
        enough = ((systems @ self.there) >= MINIMUM_PAIRS)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            values: Array = balance.reshape(shape) / roots
        np.clip(values, -1.0, 1.0, out=values)
        return np.where(enough & (roots > 0), values, np.nan)


def fits_in_memory(measures: int, systems: int, topics: int) -> bool:
    """Return whether the signs of that many pairs can be stored."""
    return systems * (systems - 1) // 2 * measures * topics <= MAX_NUMBERS
