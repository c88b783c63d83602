"""Competition ranks as printed in result tables: 1 = highest, equal printed values share the better rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DIGITS = 3
"""Decimals to which values are rounded before ranking, as a reader of a table would rank them."""


def competition_ranks(values: Array, digits: int = DIGITS) -> Array:
    """Return ranks of each column, shape (rows, columns): 1, 2, 2, 4; NaN stays NaN and is not counted."""
    rounded = np.round(values, digits)
    higher = rounded[None, :, :] > rounded[:, None, :]
    return np.where(np.isfinite(values), higher.sum(axis=1) + 1.0, np.nan)
