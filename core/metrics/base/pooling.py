"""Pooling of values per reference over a subset of the references."""

from __future__ import annotations

import numpy as np

from core.matrix import Array
from core.metrics.base.scores import Mask


def pool_references(stats: Array, references: Mask, *, best: bool) -> Array:
    """Return the maximum or mean of stats[systems, references, k] over included references; NaN if none.

    Values are added in ascending order, so that the order of references changes no digit.
    """
    included = np.sort(stats[:, references], axis=1)
    if not included.shape[1]:
        return np.full((stats.shape[0], stats.shape[2]), np.nan)
    pooled: Array = included.max(axis=1) if best else included.mean(axis=1)
    return pooled
