"""Lines of the list of SCUs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScuRow:
    """An SCU in the list.

    step: of its weight, 1 to 5. holders: per reference of the topic, whether it expresses the SCU.
    is_matched, note: whether the summary holds it and by how many parts; None where no summary is shown.
    words: of its contributors, to find it by. first: place of the reference that expresses it first, and
    where in it; None = no reference does. said: per reference that expresses it, its letter and words, for a
    list that is not next to the references.
    """

    scu_id: str
    label: str
    weight: int
    step: int
    holders: tuple[bool, ...] = ()
    is_matched: bool | None = None
    note: str = ""
    words: str = ""
    first: tuple[int, int] | None = None
    has_comment: bool = False
    said: tuple[tuple[str, str], ...] = ()

    def answers(self, wanted: str) -> bool:
        """Whether label or words hold what is looked for, whatever the case."""
        return wanted.casefold() in f"{self.label}\n{self.words}".casefold()


@dataclass(frozen=True, slots=True)
class Tier:
    """The SCUs of one weight. count: of all of them, also those that a search leaves out."""

    weight: int
    step: int
    lines: tuple[ScuRow, ...]
    count: int
    matched: int

    @property
    def fact(self) -> str:
        """How many SCUs it has, or how many of them are matched."""
        return self.facts[0]

    @property
    def facts(self) -> tuple[str, ...]:
        """The fact, and shorter ways to write it where there is little room."""
        if self.lines and self.lines[0].is_matched is not None:
            return f"{self.matched} of {self.count} matched", f"{self.matched} of {self.count}"
        return f"{self.count} SCU" if self.count == 1 else f"{self.count} SCUs", f"{self.count}"


def group_by_weight(lines: Iterable[ScuRow], is_shown: Callable[[ScuRow], bool]) -> tuple[Tier, ...]:
    """Lines by weight, heaviest first, each tier in the order given; only those that are to be shown."""
    by_weight: dict[int, list[ScuRow]] = {}
    for line in lines:
        by_weight.setdefault(line.weight, []).append(line)
    tiers = []
    for weight in sorted(by_weight, reverse=True):
        every = by_weight[weight]
        found = tuple(line for line in every if is_shown(line))
        if found:
            matched = sum(bool(line.is_matched) for line in every)
            tiers.append(Tier(weight, every[0].step, found, len(every), matched))
    return tuple(tiers)
