"""Positions of rows among their siblings: numbers with gaps, so that an edit changes only its own rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence


def assign_positions(order: Sequence[str], positions: Mapping[str, float]) -> dict[str, float]:
    """Return new positions for the rows that need one to establish `order`.

    positions: of all rows that ever had one among these siblings, including removed ones, so that a restored
    row never shares a position. Rows in the longest increasing subsequence keep theirs.
    """
    taken = sorted(positions.values())
    keeping = _longest_run([item for item in order if item in positions], positions)
    end = max((at for at, item in enumerate(order, 1) if item in keeping), default=0)
    assigned: dict[str, float] = {}
    last: float | None = None
    for at, item in enumerate(order[:end]):
        if item in keeping:
            last = positions[item]
            continue
        last = _just_after(last, taken)
        if last is None:  # no number is left between two: the remaining rows go to the end
            return assigned | _at_end(order[at:], taken)
        assigned[item] = last
        insort(taken, last)
    return assigned | _at_end(order[end:], taken)


def _just_after(last: float | None, taken: Sequence[float]) -> float | None:
    """Return a free position between `last` (None = start) and the next one; None = there is none."""
    if last is None:
        return taken[0] - 1.0
    following = taken[bisect_right(taken, last)]
    middle = last + (following - last) / 2
    return middle if last < middle < following else None


def _at_end(items: Sequence[str], taken: Sequence[float]) -> dict[str, float]:
    top = taken[-1] if taken else 0.0
    return {item: top + step for step, item in enumerate(items, 1)}


def _longest_run(items: Sequence[str], positions: Mapping[str, float]) -> set[str]:
    """Return the longest subsequence of items with increasing positions."""
    ends: list[float] = []
    last: list[str] = []
    before: dict[str, str | None] = {}
    for item in items:
        at = bisect_left(ends, positions[item])
        before[item] = last[at - 1] if at else None
        ends[at : at + 1], last[at : at + 1] = [positions[item]], [item]
    run: set[str] = set()
    item_: str | None = last[-1] if last else None
    while item_ is not None:
        run.add(item_)
        item_ = before[item_]
    return run
