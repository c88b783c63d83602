"""Bradley–Terry strengths from paired comparisons, with ties by Davidson's model.

Sources: Bradley and Terry 1952; Davidson 1970; identifiability: Hunter 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.matrix import Array

TOLERANCE = 1e-10
"""Largest change of a log strength in the last iteration."""

MAX_ITERATIONS, MAX_HALVINGS = 100, 40
"""Where there is a maximum, ten iterations are usual; where there is none, each goes further by about 1."""

FLAT = 1e-9
"""Curvature for each comparison below which the likelihood rises without end in some direction."""

ROUNDING = 1e-14
"""Relative rounding error of the log likelihood."""


class Unidentified(StrEnum):
    """Why strengths cannot be estimated."""

    NO = ""
    NO_COMPARISONS = "there are no comparisons"
    NOT_CONNECTED = "the graph of comparisons is not connected"
    SEPARATED = "some never lost to or tied with the others, so their strengths are infinite"
    ONLY_TIES = "there are only ties"
    NOT_CONVERGED = "the algorithm did not converge"


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerryFit:
    """Estimated strengths.

    strengths: natural logarithms, shape (items,), with mean 0 over the compared items; NaN = not compared.
        All NaN if they are not identifiable.
    tie: Davidson's ν, 0 = no ties.
    unidentified: why there are no strengths.
    groups: of each item the number of its strongly connected component, -1 = not compared.
    """

    strengths: Array
    tie: float
    unidentified: Unidentified
    groups: NDArray[np.int64]


def fit_bradley_terry(wins: Array, ties: Array | None = None) -> BradleyTerryFit:
    """Estimate strengths by maximum likelihood, where P(i beats j) = p_i / (p_i + p_j + ν √(p_i p_j)).

    wins: counts, shape (items, items), entry i, j = how often i was preferred to j.
    ties: counts, shape (items, items), symmetric; None = none.
    The estimate is finite and unique if every item is reached from every other by a chain of wins or ties
    (Hunter 2004, assumption 1); otherwise there is no number.
    With ties, ν may have no finite estimate either. Source: Davidson 1970.
    """
    from scipy.sparse.csgraph import (
        connected_components,  # slow to import; every comparison reaches this module
    )

    tied = np.zeros_like(wins) if ties is None else ties
    counts = wins + wins.T + tied
    compared = np.flatnonzero(counts.sum(axis=1))
    groups = np.full(len(wins), -1, dtype=np.int64)
    missing = np.full(len(wins), np.nan)
    if not len(compared):
        return BradleyTerryFit(missing, 0.0, Unidentified.NO_COMPARISONS, groups)
    mine = np.ix_(compared, compared)
    beats = (wins + tied)[mine] > 0
    strong, groups[compared] = connected_components(beats, directed=True, connection="strong")
    if connected_components(beats, directed=False)[0] > 1:
        return BradleyTerryFit(missing, 0.0, Unidentified.NOT_CONNECTED, groups)
    if strong > 1:
        return BradleyTerryFit(missing, 0.0, Unidentified.SEPARATED, groups)
    if not wins.any():
        return BradleyTerryFit(missing, 0.0, Unidentified.ONLY_TIES, groups)
    fitted = _maximize(wins[mine], tied[mine], counts[mine])
    if fitted is None:
        return BradleyTerryFit(missing, 0.0, Unidentified.NOT_CONVERGED, groups)
    strengths = missing.copy()
    strengths[compared] = fitted[0]
    return BradleyTerryFit(strengths, fitted[1], Unidentified.NO, groups)


def _maximize(wins: Array, ties: Array, counts: Array) -> tuple[Array, float] | None:
    """Return log strengths with mean 0 and ν by Newton's method, None = there is no finite maximum.

    The log likelihood is concave in log strengths and log ν: it is that of a multinomial logit whose features
    of a comparison of i and j are e_i, e_j, or (e_i + e_j) / 2 with 1 for ν.
    """
    size, has_ties = len(wins), bool(ties.any())
    points = wins.sum(axis=1) + ties.sum(axis=1) / 2
    tied = float(ties.sum() / 2)
    at = np.zeros(size + has_ties)

    def chances(at: Array) -> tuple[Array, Array, float]:
        """Return P(i beats j), P(tie) and the log likelihood."""
        logs, log_tie = at[:size], at[size] if has_ties else -np.inf
        mean = (logs[:, None] + logs[None, :]) / 2
        total = np.logaddexp(np.logaddexp(logs[:, None], logs[None, :]), mean + log_tie)
        fit = float(points @ logs + (tied * log_tie if has_ties else 0.0) - (counts * total).sum() / 2)
        return np.exp(logs[:, None] - total), np.exp(mean + log_tie - total), fit

    win, tie, fit = chances(at)
    for _ in range(MAX_ITERATIONS):
        share = win + tie / 2
        slope = np.append(points - (counts * share).sum(axis=1), [tied - (counts * tie).sum() / 2] * has_ties)
        bend = np.full((size + has_ties, size + has_ties), 0.0)
        bend[:size, :size] = counts * (tie / 4 - share * share.T) + 1 / size  # which keeps the mean at 0
        bend[np.arange(size), np.arange(size)] += (counts * (win + tie / 4 - share**2)).sum(axis=1)
        if has_ties:
            bend[size, :size] = bend[:size, size] = (counts * (tie / 2 - share * tie)).sum(axis=1)
            bend[size, size] = (counts * (tie - tie**2)).sum() / 2
        if np.linalg.eigvalsh(bend)[0] < FLAT * counts.sum():
            return None
        step = np.linalg.solve(bend, slope)
        if np.abs(step).max() < TOLERANCE:
            logs = at[:size] + step[:size]
            return logs - logs.mean(), float(np.exp(at[size] + step[size])) if has_ties else 0.0
        for _ in range(MAX_HALVINGS):
            win, tie, better = chances(at + step)
            if better >= fit - ROUNDING * abs(fit):
                break
            step = step / 2
        at, fit = at + step, better
    return None
