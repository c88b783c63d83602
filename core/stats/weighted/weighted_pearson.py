"""Weighted Pearson's r of cells, from sums by matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.resample_counts import ResampleCounts
from core.stats.row_coefficients import MINIMUM_PAIRS
from core.stats.weighted.weighted_coefficients import weighted_pearson

Array = NDArray[np.float64]
Where = NDArray[np.bool_]

LOST = 1e-9
"""Share of the sum of squares below which a variance has lost digits and is recomputed from deviations."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedMoments:
    """Sums that determine r under any counts: of each topic, or of all summaries if `pooled`.

    x: shape (measures, systems, topics).
    z: shape (systems, topics). Both are centered and scaled, 0 = missing.
    """

    x: Array
    z: Array
    there: Where
    pooled: bool

    @classmethod
    def of(cls, x: Array, z: Array, *, pooled: bool) -> WeightedMoments:
        """Compute the sums.

        x: shape (measures, systems, topics), z: (systems, topics), NaN in the same cells.
        """
        there = np.isfinite(z)
        x, z = standard(x, there, pooled), standard(z[None], there, pooled)[0]
        return cls(x, z, there, pooled)

    def coefficients(self, counts: ResampleCounts) -> Array:
        """Return r of each draw, measure and topic; one topic if pooled. NaN = undefined."""
        measures, systems, topics = self.x.shape
        columns = np.concatenate((self.x, self.x * self.x, self.x * self.z))
        shape = (-1, 3, measures, topics)
        flat = columns.transpose(1, 0, 2).reshape(systems, -1)
        sums = (counts.systems @ flat).reshape(shape)
        humans: Array = np.concatenate((self.there.astype(np.float64), self.z, self.z * self.z), axis=1)
        of_z = (counts.systems @ humans).reshape(-1, 3, 1, topics)
        if self.pooled:
            drawn = counts.topics[:, None, :, None]
            sums, of_z = np.matmul(sums, drawn), np.matmul(of_z, drawn)
        return self._coefficients_of(sums, of_z, counts)

    def _coefficients_of(self, sums: Array, of_z: Array, counts: ResampleCounts) -> Array:
        (x, xx, xz), (n, z, zz) = (np.moveaxis(side, 1, 0) for side in (sums, of_z))
        x_spread, z_spread = n * xx - x * x, n * zz - z * z
        usable = (n >= MINIMUM_PAIRS) & (xx > 0) & (zz > 0)
        lost = usable & ((x_spread < LOST * n * xx) | (z_spread < LOST * n * zz))
        scale = np.sqrt(np.where(usable & ~lost, x_spread, 1.0) * np.where(usable & ~lost, z_spread, 1.0))
        values = np.where(usable, np.clip((n * xz - x * z) / scale, -1.0, 1.0), np.nan)
        if lost.any():
            values[lost] = self._from_deviations(lost, counts)
        return values

    def _from_deviations(self, which: Where, counts: ResampleCounts) -> Array:
        """r of few cells from deviations."""
        draw, measure, topic = np.nonzero(which)
        systems = counts.systems[draw if counts.systems.shape[0] > 1 else draw * 0]
        z = np.where(self.there, self.z, np.nan)
        if not self.pooled:
            return weighted_pearson(self.x[measure, :, topic][:, None], z[:, topic].T[:, None], systems)[:, 0]
        topics = counts.topics[draw if counts.topics.shape[0] > 1 else draw * 0]
        weights = (systems[:, :, None] * topics[:, None, :]).reshape(draw.size, z.size)
        rows = self.x.reshape(-1, 1, z.size)[measure]
        return weighted_pearson(rows, z.reshape(1, 1, -1), weights)[:, 0]


def standard(x: Array, there: Where, pooled: bool, *, scaled: bool = True) -> Array:
    """Center per topic or over all, and scale by the largest deviation; 0 if missing or constant.

    x: shape (measures, systems, topics).
    """
    axes = (1, 2) if pooled else 1
    n = np.maximum(there.sum(axis=None if pooled else 0), 1)
    means = np.where(there, x, 0.0).sum(axis=axes, keepdims=True) / n
    centred = np.where(there, x - means, 0.0)
    largest = np.abs(centred).max(axis=axes, keepdims=True, initial=0.0)
    low = np.where(there, x, np.inf).min(axis=axes, keepdims=True, initial=np.inf)
    high = np.where(there, x, -np.inf).max(axis=axes, keepdims=True, initial=-np.inf)
    varies = (low < high) & (largest > 0)
    return np.where(varies, centred / np.where(varies & scaled, largest, 1.0), 0.0)
