"""Partial correlation: of two variables after linear regression of both on others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.stats.precision import normalize, round_to_grain

Array = NDArray[np.float64]

_CONSTANT = 1e-10
"""Residuals of a smaller share of a variable's spread are rounding errors: the others determine it."""


def partial_correlation(x: Array, y: Array, controls: Array, *, is_ranked: bool = False) -> float:
    """Return the correlation of x and y given controls; Pearson's of the residuals.

    x, y: shape (n,). controls: shape (k, n). Items that lack a value are left out. is_ranked: ranks are taken
    first, as in Spearman's partial correlation.
    NaN with fewer than k + 3 items, or where the controls determine x or y.
    """
    there = np.isfinite(x) & np.isfinite(y) & np.isfinite(controls).all(axis=0)
    if there.sum() < len(controls) + 3:
        return float("nan")
    rows = [round_to_grain(normalize(np.asarray(row[there], dtype=np.float64))) for row in (x, y, *controls)]
    if is_ranked:
        from scipy.stats import rankdata  # slow to import; imports of files reach this module

        rows = [rankdata(row) for row in rows]
    design = np.vstack([np.ones(len(rows[0])), *rows[2:]]).T
    left = []
    for row in rows[:2]:
        centred = row - row.mean()
        residual = centred - design @ np.linalg.lstsq(design, centred, rcond=None)[0]
        if np.ptp(row) == 0 or float(np.linalg.norm(residual)) <= _CONSTANT * float(np.linalg.norm(centred)):
            return float("nan")
        left.append(residual)
    one, other = left
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
