"""Optimal transport between weighted points.

Each pair of texts is a linear program that is solved exactly (Bonneel et al. 2011, network simplex, by
POT).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.domain.study import Span, Text
from core.metrics.base import Array, Evidence, Explanation
from core.progress import raise_if_cancelled

MAX_STEPS = 10_000_000
"""Maximum number of simplex iterations, far more than any text needs."""

ROUNDING = 1e-12
"""Shares below this are rounding errors and not listed as moves."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedPoints:
    """The mass of a text, distributed over points.

    points: shape (points, dimension).
    shares: positive, sum 1, shape (points,); empty for a text without mass.
    names, places: words of each point, and their spans.
    lack: the reason for having no mass, a key of ``REASONS``; empty = there is some.
    """

    role: Literal["summary", "reference"]
    text: Text
    points: Array
    shares: Array
    names: tuple[str, ...]
    places: tuple[tuple[Span, ...], ...]
    lack: str = ""

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
    used = np.flatnonzero(weights > 0)
    shares = weights[used] / weights[used].sum() if used.size else np.zeros(0)
    listed = used.tolist()
    lack = "" if used.size else "zero_weights" if len(weights) else "no_units"
    return WeightedPoints(
        role,
        text,
        points[used],
        shares,
        tuple(names[i] for i in listed),
        tuple(places[i] for i in listed),
        lack,
    )


def mass_notes(texts: Iterable[WeightedPoints]) -> dict[str, int]:
    """Return how many texts have no mass, by the reason."""
    return dict(Counter(text.lack for text in texts if text.lack))


def euclidean(mine: Array, theirs: Array, *, squared: bool = False) -> Array:
    """Return the distances of all pairs of points, shape (mine, theirs)."""
    lengths = np.square(mine).sum(axis=1)[:, None] + np.square(theirs).sum(axis=1)[None, :]
    distances: Array = np.maximum(lengths - 2 * mine @ theirs.T, 0.0)
    return distances if squared else np.sqrt(distances)


def transport_costs(
    mine: Sequence[WeightedPoints], theirs: Sequence[WeightedPoints], *, squared: bool
) -> Array:
    """Return the minimum transport cost of each pair of texts, shape (mine, theirs); NaN without mass."""
    totals = np.full((len(mine), len(theirs)), np.nan)
    columns = np.concatenate([one.points for one in theirs]) if theirs else np.zeros((0, 0))
    ends = np.cumsum([0, *(len(one.points) for one in theirs)])
    for i, one in enumerate(mine):
        if one.is_empty:
            continue
        to_all = euclidean(one.points, columns.reshape(-1, one.points.shape[1]), squared=squared)
        for j, other in enumerate(theirs):
            if not other.is_empty:
                raise_if_cancelled()  # two long texts take up to a second
                costs = to_all[:, ends[j] : ends[j + 1]]
                totals[i, j] = float((_flows(one.shares, other.shares, costs) * costs).sum())
    return totals


def transport_plan(mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool) -> list[TransportStep]:
    """Return the optimal transport steps between two texts that have mass, in the order of `mine`."""
    costs = euclidean(mine.points, theirs.points, squared=squared)
    flows = _flows(mine.shares, theirs.shares, costs)
    pairs = np.argwhere(flows > ROUNDING).tolist()
    return [TransportStep(i, j, float(flows[i, j]), float(costs[i, j])) for i, j in pairs]


def step_evidence(mine: WeightedPoints, theirs: WeightedPoints, move: TransportStep) -> tuple[Evidence, ...]:
    """Return the words at both ends of a move."""
    ends = ((mine, move.mine), (theirs, move.theirs))
    return tuple(
        Evidence(side.role, side.text.name, span, move.share)
        for side, point in ends
        for span in side.places[point]
    )


def explain_moves(
    label: str, mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool, is_similarity: bool
) -> Explanation:
    """Explain the cost of moving one text's mass to another's, or 1 minus the cost.

    Shares sum to 1, so 1 minus the cost is the sum over moves of share × (1 − distance).
    """
    terms = tuple(_terms(mine, theirs, squared=squared, is_similarity=is_similarity))
    return Explanation(label, "sum", children=terms)


def _terms(
    mine: WeightedPoints, theirs: WeightedPoints, *, squared: bool, is_similarity: bool
) -> Iterator[Explanation]:
    for move in transport_plan(mine, theirs, squared=squared):
        value = (
            Explanation("1 − distance", value=1 - move.cost)
            if is_similarity
            else Explanation("distance", value=move.cost)
        )
        factors = (Explanation("share of the mass", value=move.share), value)
        label = f"{mine.names[move.mine]} → {theirs.names[move.theirs]}"
        yield Explanation(label, "product", children=factors, evidence=step_evidence(mine, theirs, move))


def _flows(mine: Array, theirs: Array, costs: Array) -> Array:
    """Return the mass moved by the optimal plan, shape (mine, theirs)."""
    from ot import emd  # its import takes seconds

    plan: Array = emd(mine, theirs, np.ascontiguousarray(costs), numItermax=MAX_STEPS)
    return plan
