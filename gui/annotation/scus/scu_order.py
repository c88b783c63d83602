"""Sort order and filter of the SCU list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.pyramid import UnitKind
from gui.annotation.scus.scu_values import ScuRow, Tier, group_by_weight
from gui.style.language import in_terms_of, tr


class ScuOrder(StrEnum):
    """Sort orders; only sorting by weight gives tiers."""

    WEIGHT = "weight"
    TEXT = "text"
    LABEL = "label"
    AGE = "age"

    def fact(self, kind: UnitKind = UnitKind.SCU) -> str:
        """Return the description shown next to a title."""
        texts = (tr("by weight"), tr("in text order"), tr("by label"), tr("by age"))
        return in_terms_of(kind, texts[tuple(ScuOrder).index(self)])


@dataclass(frozen=True, slots=True)
class ScuFilter:
    """Filter of the SCU list; default values don't filter.

    query: text that label or expressions must contain.
    weights: any of these weights.
    expressed_in: positions of references, all of which must express the SCU.
    missing_in: positions of references, none of which may express it.
    is_matched: whether the summary must contain the SCU.
    is_to_confirm: only nuggets with occurrences that are not confirmed.
    """

    query: str = ""
    weights: frozenset[int] = frozenset()
    expressed_in: frozenset[int] = frozenset()
    missing_in: frozenset[int] = frozenset()
    is_matched: bool | None = None
    has_comment: bool = False
    is_to_confirm: bool = False

    def accepts(self, line: ScuRow) -> bool:
        """Return whether an SCU passes the filter."""
        expressed = {place for place, expresses in enumerate(line.in_reference) if expresses}
        return (
            (not self.query or line.contains(self.query))
            and (not self.weights or line.weight in self.weights)
            and self.expressed_in <= expressed
            and not self.missing_in & expressed
            and self.is_matched in (None, line.is_matched)
            and (line.has_comment or not self.has_comment)
            and (line.to_confirm > 0 or not self.is_to_confirm)
        )

    def active_parts(
        self, letters: Sequence[str], kind: UnitKind = UnitKind.SCU
    ) -> list[tuple[str, ScuFilter]]:
        """Return each active part of the filter as its label and the filter without it.

        The search query is not included: the search field shows it.
        """
        weight = in_terms_of(kind, tr("Weight"))
        parts = [(f"{weight} {w}", replace(self, weights=self.weights - {w})) for w in sorted(self.weights)]
        for place in sorted(self.expressed_in):
            parts.append(
                (
                    tr("In {letters}", letters=letters[place]),
                    replace(self, expressed_in=self.expressed_in - {place}),
                )
            )
        for place in sorted(self.missing_in):
            left = replace(self, missing_in=self.missing_in - {place})
            parts.append((tr("Missing in {letters}", letters=letters[place]), left))
        if self.is_matched is not None:
            words = tr("Matched") if self.is_matched else tr("Not matched")
            parts.append((words, replace(self, is_matched=None)))
        if self.has_comment:
            parts.append((tr("With a comment"), replace(self, has_comment=False)))
        if self.is_to_confirm:
            parts.append((tr("To confirm"), replace(self, is_to_confirm=False)))
        return parts

    def limited_to(self, references: int) -> ScuFilter:
        """Return the filter without references that a topic with this number of references doesn't have."""
        places = frozenset(range(references))
        return replace(self, expressed_in=self.expressed_in & places, missing_in=self.missing_in & places)


_KEYS: dict[ScuOrder, Callable[[ScuRow], tuple[object, ...]]] = {
    ScuOrder.TEXT: lambda line: (line.first is None, line.first or ()),
    ScuOrder.LABEL: lambda line: (line.label.casefold(),),
}


def arrange_scus(lines: Iterable[ScuRow], order: ScuOrder, scu_filter: ScuFilter) -> tuple[Tier, ...]:
    """Return the tiers to show; in another order than by weight, one tier with all SCUs."""
    if order is ScuOrder.WEIGHT:
        return group_by_weight(lines, scu_filter.accepts)
    every = tuple(lines)
    passing = [line for line in every if scu_filter.accepts(line)]
    if order in _KEYS:
        passing.sort(key=_KEYS[order])
    matched = sum(bool(line.is_matched) for line in every)
    return (Tier(0, 1, tuple(passing), len(every), matched),) if passing else ()
