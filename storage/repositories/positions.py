"""Places of rows among their siblings: numbers with gaps, so that an edit touches no row but its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence


def assign_positions(order: Sequence[str], places: Mapping[str, float]) -> dict[str, float]:
    """Places for the rows that need one, so that `order` is their order.

    places: of every row that ever had one among these siblings, removed ones too, so that a row which comes
    back never meets another in its place. Rows of the longest run that is in order already keep theirs.
    """
    taken = sorted(places.values())
    kept = _longest_run([item for item in order if item in places], places)
    end = max((at for at, item in enumerate(order, 1) if item in kept), default=0)
    found: dict[str, float] = {}
    last: float | None = None
    for at, item in enumerate(order[:end]):
        if item in kept:
            last = places[item]
            continue
        last = _just_after(last, taken)
        if last is None:  # no number is left between two: from here on all go to the end
            return found | _at_end(order[at:], taken)
        found[item] = last
        insort(taken, last)
    return found | _at_end(order[end:], taken)


def _just_after(last: float | None, taken: Sequence[float]) -> float | None:
    """A free place between `last` (None = before everything) and the next taken one; None = there is none."""
    if last is None:
        return taken[0] - 1.0
    following = taken[bisect_right(taken, last)]
    middle = last + (following - last) / 2
    return middle if last < middle < following else None


def _at_end(items: Sequence[str], taken: Sequence[float]) -> dict[str, float]:
    top = taken[-1] if taken else 0.0
    return {item: top + step for step, item in enumerate(items, 1)}


def _longest_run(items: Sequence[str], places: Mapping[str, float]) -> set[str]:
    """The most items that stand in rising places already."""
    ends: list[float] = []
    last: list[str] = []
    before: dict[str, str | None] = {}
    for item in items:
        at = bisect_left(ends, places[item])
        before[item] = last[at - 1] if at else None
        ends[at : at + 1], last[at : at + 1] = [places[item]], [item]
    run: set[str] = set()
    item_: str | None = last[-1] if last else None
    while item_ is not None:
        run.add(item_)
        item_ = before[item_]
    return run
