"""Filters of the systems of a comparison."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from core.comparison.comparison import Comparison
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.matrix import ScoreMatrix
from core.stats.precision import round_values


@dataclass(frozen=True, slots=True)
class Filter:
    """Systems of a comparison.

    systems: names, empty = all.
    weakest: number of systems with the lowest means to exclude.
    below: exclude systems whose mean is more than this many standard deviations below the overall mean, None
    = no rule.
    weak_by: judgement that provides the means, empty = the first.
    """

    systems: tuple[str, ...] = ()
    weakest: int = 0
    below: float | None = None
    weak_by: str = ""


def apply_filter(comparison: Comparison, part: Filter, topics: Collection[str] | None = None) -> Comparison:
    """Return the comparison restricted to the systems of a filter.

    topics: names of those to include; None = all.
    Raises InputError for an unknown system or judgement, or if fewer than three systems are left.
    """
    if (part == Filter() and topics is None) or not comparison.judgements:
        return comparison
    chosen = _of(comparison, _chosen(comparison, part), topics)
    gone = excluded_systems(chosen, part)
    if not gone:
        return chosen
    included = [name for name in _names(chosen) if name not in gone]
    if len(included) < 3:
        left = pluralize(len(included), "system is", "systems are")
        raise InputError(f"Only {left} left after excluding the weakest. Exclude fewer.")
    return _of(chosen, included, None)


def excluded_systems(comparison: Comparison, part: Filter) -> tuple[str, ...]:
    """Return the systems that the filter excludes as weak, weakest first."""
    if not part.weakest and part.below is None:
        return ()
    by = part.weak_by or next(iter(comparison.judgements))
    if by not in comparison.judgements:
        raise InputError(
            f"Judgement {by!r} is not compared here. Available: {', '.join(comparison.judgements)}."
        )
    return weak_systems(comparison.judgements[by], part.weakest, part.below)


def weak_systems(judgement: ScoreMatrix, weakest: int, below: float | None = None) -> tuple[str, ...]:
    """Return systems with low means, lowest first; systems without judgements are not weak.

    weakest, below: see `Filter`; the standard deviation is that of the system means (n - 1).
    """
    means = judgement.system_means()
    order = [
        int(i)
        for i in np.argsort(round_values(means, judgement.values), kind="stable")
        if np.isfinite(means[i])
    ]
    gone = order[:weakest]
    if below is not None and len(order) > 1:
        judged = means[order]
        bound = judged.mean() - below * judged.std(ddof=1)
        gone += [i for i in order[weakest:] if means[i] < bound]
    return tuple(judgement.systems[i] for i in gone)


def _chosen(comparison: Comparison, part: Filter) -> list[str]:
    there = _names(comparison)
    if unknown := [name for name in part.systems if name not in there]:
        raise InputError(f"Unknown system {unknown[0]!r}. Available: {', '.join(there)}.")
    chosen = part.systems or there
    return [name for name in there if name in chosen]


def _names(comparison: Comparison) -> list[str]:
    """Return every system that is scored or judged."""
    sides = (*comparison.judgements.values(), *comparison.scores)
    return list(dict.fromkeys(name for side in sides for name in side.systems))


def _of(comparison: Comparison, systems: Collection[str], topics: Collection[str] | None) -> Comparison:
    sides = (*comparison.judgements.values(), *comparison.scores)
    every = {name for side in sides for name in side.topics}
    return comparison.select(set(systems), every if topics is None else topics)
