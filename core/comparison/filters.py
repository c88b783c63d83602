"""Which systems and topics of a comparison take part: those chosen, without the weak ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.comparison.comparison import Comparison
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.matrix import ScoreMatrix


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice of systems and topics.

    systems: names, empty = all. weakest: so many systems of the lowest mean are left out. below: systems
    whose mean lies more than so many standard deviations under the mean of all are left out, None = no such
    rule. weak_by: the judgement whose means these are, empty = the first. topics: names, None = all.
    """

    systems: tuple[str, ...] = ()
    weakest: int = 0
    below: float | None = None
    weak_by: str = ""
    topics: frozenset[str] | None = None


NO_FILTER = Filter()


def apply_filter(comparison: Comparison, part: Filter) -> Comparison:
    """The comparison with this part of its systems and topics alone.

    Raises InputError on a system or judgement that is not there, or where fewer than three systems are left.
    """
    if part == NO_FILTER or not comparison.judgements:
        return comparison
    chosen = _of(comparison, _chosen(comparison, part.systems), part.topics)
    gone = excluded_systems(chosen, part)
    if not gone:
        return chosen
    kept = [name for name in _names(chosen) if name not in gone]
    if len(kept) < 3:
        left = pluralize(len(kept), "system is", "systems are")
        raise InputError(f"Only {left} left without the weak ones. Leave out fewer.")
    return _of(chosen, kept, None)


def excluded_systems(comparison: Comparison, part: Filter) -> tuple[str, ...]:
    """The systems that are weak by the part's rules, the weakest first."""
    if not part.weakest and part.below is None:
        return ()
    by = part.weak_by or next(iter(comparison.judgements))
    if by not in comparison.judgements:
        raise InputError(f"{by!r} is not compared here; there are: {', '.join(comparison.judgements)}.")
    return weak_systems(comparison.judgements[by], part.weakest, part.below)


def weak_systems(judgement: ScoreMatrix, weakest: int, below: float | None = None) -> tuple[str, ...]:
    """Systems of low mean, the lowest first; those that are not judged are not weak.

    weakest, below: as `Part` has them; the deviation is that of the systems' means, n - 1 below.
    """
    means = judgement.system_means()
    order = [int(i) for i in np.argsort(means, kind="stable") if np.isfinite(means[i])]
    gone = order[:weakest]
    if below is not None and len(order) > 1:
        judged = means[order]
        bound = judged.mean() - below * judged.std(ddof=1)
        gone += [i for i in order[weakest:] if means[i] < bound]
    return tuple(judgement.systems[i] for i in gone)


def _chosen(comparison: Comparison, systems: Sequence[str]) -> list[str]:
    there = _names(comparison)
    if unknown := [name for name in systems if name not in there]:
        raise InputError(f"No system named {unknown[0]!r} takes part; there are: {', '.join(there)}.")
    return [name for name in there if not systems or name in systems]


def _names(comparison: Comparison) -> list[str]:
    """Every system that is scored or judged."""
    sides = (*comparison.judgements.values(), *comparison.scores)
    return list(dict.fromkeys(name for side in sides for name in side.systems))


def _of(comparison: Comparison, systems: Collection[str], topics: Collection[str] | None) -> Comparison:
    sides = (*comparison.judgements.values(), *comparison.scores)
    every = {name for side in sides for name in side.topics}
    return comparison.select(set(systems), every if topics is None else topics)
