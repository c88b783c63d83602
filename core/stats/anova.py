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


@dataclass(frozen=True, slots=True, eq=False)
class Tukey:
    """Tukey's test of each pair of groups, all of shape (groups, groups).

    differences: mean of the row's group minus the column's.
    p: of the differences, 1 on the diagonal.
    low, high: simultaneous intervals of the differences.
    """

    differences: Array
    p: Array
    low: Array
    high: Array


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


def tukey(groups: Sequence[Array], confidence: float = 0.95) -> Tukey:
    """Run Tukey's honestly significant difference test of every pair, by Kramer's rule for unequal sizes.

    groups: shape (n,) each, NaN left out.
    Source: Tukey 1953; Kramer 1956.
    """
    from scipy.stats import studentized_range

    defined = [_defined(group) for group in groups]
    sizes, means, error, within = _spread(defined)
    differences = means[:, None] - means[None, :]
    if within < 1 or not sizes.all() or not error > 0:
        blank = np.full(differences.shape, np.nan)
        return Tukey(differences, blank, blank, blank)
    deviation = np.sqrt(error / 2 * (1 / sizes[:, None] + 1 / sizes[None, :]))
    p = np.ones(differences.shape)
    upper = np.triu_indices(len(defined), 1)
    p[upper] = studentized_range.sf(np.abs(differences[upper]) / deviation[upper], len(defined), within)
    p.T[upper] = p[upper]
    reach = _reach(confidence, len(defined), within) * deviation
    return Tukey(differences, np.clip(p, 0.0, 1.0), differences - reach, differences + reach)


def tukey_rejects(groups: Sequence[Array], confidence: float = 0.95) -> NDArray[np.bool_]:
    """Return whether each pair of groups differs by Tukey's test, shape (groups, groups).

    Equals `tukey(groups).p` < 1 - confidence, without computing p for each pair. groups: as there.
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
