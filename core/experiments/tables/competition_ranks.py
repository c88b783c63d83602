"""Ranks as result tables print them: 1 is the highest, and what reads alike shares the better rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DIGITS = 3
"""Decimals to which numbers are rounded before they are ranked, as a reader of a table would rank them."""


def competition_ranks(values: Array, digits: int = DIGITS) -> Array:
    """Ranks of each column, shape (rows, columns): 1, 2, 2, 4; NaN stays NaN and counts for nobody."""
    rounded = np.round(values, digits)
    higher = rounded[None, :, :] > rounded[:, None, :]
    return np.where(np.isfinite(values), higher.sum(axis=1) + 1.0, np.nan)


def mean_of_there(values: Array) -> Array:
    """Mean of each row over what is there, shape (rows,); NaN where nothing is."""
    there = np.isfinite(values)
    counts = there.sum(axis=1)
    totals = np.where(there, values, 0.0).sum(axis=1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
