"""Pareto efficiency: which alternatives no other one surpasses on all criteria."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Where = NDArray[np.bool_]

_ROUNDING = 1e-12


def is_efficient(values: Array) -> Where:
    """Return which alternatives no other one dominates; one with a missing value is not efficient.

    values: shape (…, alternatives, criteria), larger is better, NaN = missing.
    Returns shape (…, alternatives).
    """
    return np.asarray(np.isfinite(values).all(axis=-1) & ~dominating(values).any(axis=-1), dtype=np.bool_)


def dominating(values: Array) -> Where:
    """Return by which others each alternative is dominated, shape (…, alternatives, alternatives).

    One dominates another if it is better on a criterion and no worse on any. Missing values compare with
    nothing.
    """
    found = np.zeros((*values.shape[:-1], values.shape[-2]), dtype=np.bool_)
    for at in range(values.shape[-2]):
        others = values - values[..., at : at + 1, :]
        found[..., at, :] = (others >= -_ROUNDING).all(axis=-1) & (others > _ROUNDING).any(axis=-1)
    return found
