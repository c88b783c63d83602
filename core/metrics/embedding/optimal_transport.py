"""Optimal transport between weighted points.

Each pair of texts is a linear program that is solved exactly (Bonneel et al. 2011, network simplex, by
POT).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.domain.study import Span, Text
from core.metrics.base import Array, Evidence, Explanation
from core.progress import raise_if_cancelled

MAX_STEPS = 10_000_000
"""Steps of the simplex, far beyond what any text needs."""

ROUNDING = 1e-12
"""Shares below are what subtractions leave over: no move that people should see."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPoints:
    """A text's mass at points of a space.

    points: shape (points, dimension). shares: of the mass, shape (points,), above 0, their sum 1; both are
    empty for a text without mass. names, places: each point's words and where these stand.
    """

    role: Literal["summary", "reference"]
    text: Text
    points: Array
    shares: Array
    names: tuple[str, ...]
    places: tuple[tuple[Span, ...], ...]

    @property
    def is_empty(self) -> bool:
        return not self.shares.size


@dataclass(frozen=True, slots=True)
class TransportStep:
    """Mass moved from one point to another. share: of the mass; cost: per unit."""

    mine: int
    theirs: int
    share: float
    cost: float


def weighted_points(
    role: Literal["summary", "reference"],
    text: Text,
    points: Array,
    weights: Array,
    names: Sequence[str],
    places: Sequence[tuple[Span, ...]],
) -> WeightedPoints:
    """Return the weighted points of a text, without points of weight 0. weights: shape (points,), >= 0."""
    kept = np.flatnonzero(weights > 0)
    shares = weights[kept] / weights[kept].sum() if kept.size else np.zeros(0)
    listed = kept.tolist()
    return WeightedPoints(
        role, text, points[kept], shares, tuple(names[i] for i in listed), tuple(places[i] for i in listed)
    )


def euclidean(mine: Array, theirs: Array, *, squared: bool = False) -> Array:
    """Return the distances of all pairs of points, shape (mine, theirs)."""
    lengths = np.square(mine).sum(axis=1)[:, None] + np.square(theirs).sum(axis=1)[None, :]
    found: Array = np.maximum(lengths - 2 * mine @ theirs.T, 0.0)
    return found if squared else np.sqrt(found)


def transport_costs(
    mine: Sequence[WeightedPoints], theirs: Sequence[WeightedPoints], *, squared: bool
) -> Array:
    """Return the minimum transport cost of each pair of texts, shape (mine, theirs); NaN without mass."""
    found = np.full((len(mine), len(theirs)), np.nan)
    columns = np.concatenate([one.points for one in theirs]) if theirs else np.zeros((0, 0))
    ends = np.cumsum([0, *(len(one.points) for one in theirs)])
    for i, one in enumerate(mine):
        if one.is_empty:
            continue
        to_all = euclidean(one.points, columns.reshape(-1, one.points.shape[1]), squared=squared)
        for j, other in enumerate(theirs):
            if not other.is_empty:
                raise_if_cancelled()  # a plan for two long texts takes a good part of a second
                costs = to_all[:, ends[j] : ends[j + 1]]
                found[i, j] = float((_flows(one.shares, other.shares, costs) * costs).sum())
    return found


def transport_plan(mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool) -> list[TransportStep]:
    """Return the optimal transport steps between two texts that have mass, in the order of `mine`."""
    costs = euclidean(mine.points, theirs.points, squared=squared)
    flows = _flows(mine.shares, theirs.shares, costs)
    pairs = np.argwhere(flows > ROUNDING).tolist()
    return [TransportStep(i, j, float(flows[i, j]), float(costs[i, j])) for i, j in pairs]


def step_evidence(mine: WeightedPoints, theirs: WeightedPoints, move: TransportStep) -> tuple[Evidence, ...]:
    """The words of both ends of a move."""
    ends = ((mine, move.mine), (theirs, move.theirs))
    return tuple(
        Evidence(side.role, side.text.name, span, move.share)
        for side, point in ends
        for span in side.places[point]
    )


def explain_moves(
    label: str, mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool, is_saved: bool
) -> Explanation:
    """The cost of moving one text's mass to another's as a tree; is_saved: 1 minus the cost instead.

    As shares add up to 1, what is saved is the sum over moves of share × (1 − distance).
    """
    terms = tuple(_terms(mine, theirs, squared=squared, is_saved=is_saved))
    return Explanation(label, "sum", children=terms)


def _terms(
    mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool, is_saved: bool
) -> Iterator[Explanation]:
    for move in transport_plan(mine, theirs, squared=squared):
        kept = (
            Explanation("1 − distance", value=1 - move.cost)
            if is_saved
            else Explanation("distance", value=move.cost)
        )
        factors = (Explanation("share of the mass", value=move.share), kept)
        label = f"{mine.names[move.mine]} → {theirs.names[move.theirs]}"
        yield Explanation(label, "product", children=factors, evidence=step_evidence(mine, theirs, move))


def _flows(mine: Array, theirs: Array, costs: Array) -> Array:
    """Return the mass moved by the optimal plan, shape (mine, theirs)."""
    from ot import emd  # its import takes seconds

    plan: Array = emd(mine, theirs, np.ascontiguousarray(costs), numItermax=MAX_STEPS)
    return plan
