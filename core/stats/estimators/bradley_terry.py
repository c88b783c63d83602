"""Bradley–Terry strengths from paired comparisons, with ties by Davidson's model.

Sources: Bradley and Terry 1952; Davidson 1970; MM algorithm and identifiability: Hunter 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.matrix import Array

TOLERANCE = 1e-10
"""Largest change of a log strength in the last iteration."""

MAX_ITERATIONS = 100_000


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
    Source: Hunter 2004, eqs. 3 and 15; Davidson 1970.
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
    """Return log strengths with mean 0 and ν by the MM algorithm, None = not converged.

    The geometric mean √(p_i p_j) is bounded by the arithmetic mean that touches it at the current estimate.
    """
    points = wins.sum(axis=1) + ties.sum(axis=1) / 2
    tied = ties.sum() / 2
    logs, tie = np.zeros(len(wins)), 1.0 if tied else 0.0
    for _ in range(MAX_ITERATIONS):
        power = np.exp(logs)
        mean = np.exp((logs[:, None] + logs[None, :]) / 2)
        rates = counts / (power[:, None] + power[None, :] + tie * mean)
        tangents = 1 + tie / 2 * np.exp((logs[None, :] - logs[:, None]) / 2)
        new = np.log(points) - np.log((rates * tangents).sum(axis=1))
        new -= new.mean()
        new_tie = tie
        if tied:
            power, mean = np.exp(new), np.exp((new[:, None] + new[None, :]) / 2)
            share = mean / (power[:, None] + power[None, :] + tie * mean)
            new_tie = 2 * tied / float((counts * share).sum())
        step = max(float(np.abs(new - logs).max()), abs(new_tie - tie) / max(tie, 1.0))
        logs, tie = new, new_tie
        if step < TOLERANCE:
            return logs, tie
    return None
