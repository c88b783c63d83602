"""In which order SCUs are listed, and which of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gui.annotation.scu_values import ScuRow, Tier, group_by_weight


class ScuOrder(StrEnum):
    """What the list goes by; only by weight it has tiers."""

    WEIGHT = "weight"
    TEXT = "text"
    LABEL = "label"
    AGE = "age"

    @property
    def fact(self) -> str:
        """Its words beside a title."""
        return "in the text's order" if self is ScuOrder.TEXT else f"by {self}"


@dataclass(frozen=True, slots=True)
class ScuFilter:
    """What the list is narrowed to; a field at rest narrows nothing.

    weights: any of these. held_in, lacking_in: places of references, all of which express it or none.
    is_matched: those that the summary holds, or the others.
    """

    wanted: str = ""
    weights: frozenset[int] = frozenset()
    held_in: frozenset[int] = frozenset()
    lacking_in: frozenset[int] = frozenset()
    is_matched: bool | None = None
    has_comment: bool = False

    def lets(self, line: ScuRow) -> bool:
        """Whether an SCU is listed."""
        held = {place for place, holds in enumerate(line.holders) if holds}
        return (
            (not self.wanted or line.answers(self.wanted))
            and (not self.weights or line.weight in self.weights)
            and self.held_in <= held
            and not self.lacking_in & held
            and self.is_matched in (None, line.is_matched)
            and (line.has_comment or not self.has_comment)
        )

    def reasons(self, letters: Sequence[str]) -> list[tuple[str, ScuFilter]]:
        """Each thing that narrows the list, in words, with the filter that it leaves if it goes.

        The words looked for are not among them: their field shows them.
        """
        found = [(f"Weight {w}", replace(self, weights=self.weights - {w})) for w in sorted(self.weights)]
        for place in sorted(self.held_in):
            found.append((f"In {letters[place]}", replace(self, held_in=self.held_in - {place})))
        for place in sorted(self.lacking_in):
            left = replace(self, lacking_in=self.lacking_in - {place})
            found.append((f"Missing in {letters[place]}", left))
        if self.is_matched is not None:
            words = "Matched" if self.is_matched else "Not matched"
            found.append((words, replace(self, is_matched=None)))
        if self.has_comment:
            found.append(("With a comment", replace(self, has_comment=False)))
        return found

    def within(self, references: int) -> ScuFilter:
        """The same filter for a topic with so many references: it names no place beyond them."""
        places = frozenset(range(references))
        return replace(self, held_in=self.held_in & places, lacking_in=self.lacking_in & places)


_KEYS: dict[ScuOrder, Callable[[ScuRow], tuple[object, ...]]] = {
    ScuOrder.TEXT: lambda line: (line.first is None, line.first or ()),
    ScuOrder.LABEL: lambda line: (line.label.casefold(),),
}


def arrange_scus(lines: Iterable[ScuRow], order: ScuOrder, narrowed: ScuFilter) -> tuple[Tier, ...]:
    """The tiers that the list shows; by another order than weight all SCUs stand in one without a head."""
    if order is ScuOrder.WEIGHT:
        return group_by_weight(lines, narrowed.lets)
    every = tuple(lines)
    found = [line for line in every if narrowed.lets(line)]
    if order in _KEYS:
        found.sort(key=_KEYS[order])
    matched = sum(bool(line.is_matched) for line in every)
    return (Tier(0, 1, tuple(found), len(every), matched),) if found else ()
