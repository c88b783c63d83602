"""Weighted Pearson's r of cells, from sums by matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.resample_counts import ResampleCounts, at_once, ranges
from core.stats.row_coefficients import MINIMUM_PAIRS
from core.stats.weighted.weighted_coefficients import weighted_pearson

Array = NDArray[np.float64]
Where = NDArray[np.bool_]

LOST = 1e-9
"""Share of the sum of squares below which a variance has lost digits and is recomputed from deviations."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedMoments:
    """Sums that determine r under any counts: of each topic, or of all summaries if `pooled`.

    columns: x, x² and xz of each measure, then 1, z and z², shape (3 measures + 3, systems, topics). x and z
    are centered and scaled; all are 0 if missing.
    """

    columns: Array
    pooled: bool

    @classmethod
    def of(cls, x: Array, z: Array, *, pooled: bool) -> WeightedMoments:
        """Compute the columns.

        x: shape (measures, systems, topics), z: (systems, topics), NaN in the same cells.
        """
        there = np.isfinite(z)
        x, z = standard(x, there, pooled), standard(z[None], there, pooled)
        return cls(np.concatenate((x, x * x, x * z, there[None], z, z * z)), pooled)

    def coefficients(self, counts: ResampleCounts) -> Array:
        """Return r of each draw, measure and topic; one topic if pooled. NaN = undefined."""
        columns, systems, topics = self.columns.shape
        if self.pooled:
            each = np.zeros((counts.draws, columns, 1))
            for part in ranges(systems, at_once(counts.draws * topics)):
                weights = counts.systems[:, part, None] * counts.topics[:, None, :]
                flat = self.columns[:, part].reshape(columns, -1)
                each[:, :, 0] += weights.reshape(counts.draws, -1) @ flat.T
        else:
            flat = self.columns.transpose(1, 0, 2).reshape(systems, -1)
            each = (counts.systems @ flat).reshape(-1, columns, topics)
        shape = (len(each), 3, -1, each.shape[2])
        sums, of_z = each[:, :-3].reshape(shape), each[:, -3:].reshape(shape)
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
        there, human = self.columns[-3] > 0, self.columns[-2]
        z = np.where(there, human, np.nan)
        if not self.pooled:
            x = self.columns[measure, :, topic][:, None]
            return weighted_pearson(x, z[:, topic].T[:, None], systems)[:, 0]
        topics = counts.topics[draw if counts.topics.shape[0] > 1 else draw * 0]
        values = np.empty(draw.size)
        for part in ranges(draw.size, at_once(z.size)):
            weights = (systems[part, :, None] * topics[part, None, :]).reshape(-1, z.size)
            x = self.columns[measure[part]].reshape(-1, 1, z.size)
            values[part] = weighted_pearson(x, z.reshape(1, 1, -1), weights)[:, 0]
        return values


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
