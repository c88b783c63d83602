"""One-way analysis of variance, and Tukey's test of every pair of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Anova:
    """F and its p, with the degrees of freedom between and within groups; NaN without variance."""

    f: float
    p: float
    between: int
    within: int


def anova(groups: Sequence[Array]) -> Anova:
    """Run a one-way analysis of variance.

    groups: shape (n,) each, NaN left out.
    Source: Fisher 1925.
    """
    from scipy.special import fdtrc

    defined = [_defined(group) for group in groups]
    sizes, means, error, within = _spread(defined)
    between = len(defined) - 1
    grand = float((sizes * means).sum() / sizes.sum()) if sizes.all() else np.nan
    if between < 1 or within < 1 or not sizes.all() or not error > 0:
        return Anova(np.nan, np.nan, between, within)
    f = float((sizes * (means - grand) ** 2).sum()) / between / error
    return Anova(f, float(fdtrc(between, within, f)), between, within)


def tukey_rejects(groups: Sequence[Array], confidence: float = 0.95) -> NDArray[np.bool_]:
    """Return whether each pair of groups differs by Tukey's HSD test, shape (groups, groups).

    groups: shape (n,) each, NaN left out; Kramer's rule for unequal sizes.
    Source: Tukey 1953; Kramer 1956.
    """
    defined = [_defined(group) for group in groups]
    sizes, means, error, within = _spread(defined)
    if within < 1 or not sizes.all() or not error > 0:
        return np.zeros((len(defined), len(defined)), dtype=np.bool_)
    deviation = np.sqrt(error / 2 * (1 / sizes[:, None] + 1 / sizes[None, :]))
    far: NDArray[np.bool_] = (
        np.abs(means[:, None] - means) > _reach(confidence, len(defined), within) * deviation
    )
    return far


@lru_cache(maxsize=256)
def _reach(confidence: float, groups: int, within: int) -> float:
    """Return the quantile of the studentized range."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(confidence, groups, within))


def _defined(group: Array) -> Array:
    values = np.asarray(group, dtype=np.float64)
    defined: Array = values[np.isfinite(values)]
    return defined


def _spread(groups: Sequence[Array]) -> tuple[Array, Array, float, int]:
    """Return sizes, means, mean square within groups and its degrees of freedom.

    The mean square is NaN without degrees of freedom.
    """
    sizes = np.array([group.size for group in groups], dtype=np.float64)
    means = np.array([group.mean() if group.size else np.nan for group in groups])
    within = int(sizes.sum()) - len(groups)
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in groups if group.size)
    return sizes, means, squares / within if within > 0 else np.nan, within
