"""Rows and tiers of the SCU list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.pyramid import Scu, UnitKind
from core.domain.study import Text
from gui.annotation.match_values import ExpressionRow, UnitRow
from gui.style.language import in_terms_of, tr


@dataclass(frozen=True, slots=True)
class ScuRow:
    """An SCU in the list.

    step: its weight step, 1 to 5.
    in_reference: for each reference of the topic, whether it expresses the SCU.
    is_matched: whether the summary contains it; None = no summary is shown.
    note: remark on the match, for example its number of parts; of a nugget, what is to confirm.
    words: text of its contributors, for searching.
    first: position of the first reference that expresses it and start in that reference; None = no reference.
    details: rows below it: its units in the summary, and the references' words for it.
    contributors: number of its contributors, of a nugget of its confirmed occurrences.
    to_confirm: of a nugget, the number of occurrences that were found automatically.
    """

    scu_id: str
    label: str
    weight: int
    step: int
    in_reference: tuple[bool, ...] = ()
    is_matched: bool | None = None
    note: str = ""
    words: str = ""
    first: tuple[int, int] | None = None
    has_comment: bool = False
    details: tuple[UnitRow | ExpressionRow, ...] = ()
    contributors: int = 0
    to_confirm: int = 0

    def contains(self, query: str) -> bool:
        """Return whether label or words contain a query, ignoring case."""
        return query.casefold() in f"{self.label}\n{self.words}".casefold()


@dataclass(frozen=True, slots=True)
class Tier:
    """The SCUs of one weight.

    lines: the visible ones.
    count, matched: numbers of all SCUs and of matched ones, including hidden ones.
    """

    weight: int
    step: int
    lines: tuple[ScuRow, ...]
    count: int
    matched: int

    def facts(self, kind: UnitKind = UnitKind.SCU) -> tuple[str, ...]:
        """Return the number of SCUs, or of matched SCUs if a summary is shown, and shorter forms of it."""
        if self.lines and self.lines[0].is_matched is not None:
            return tr("{matched} of {count} matched", matched=self.matched, count=self.count), tr(
                "{matched} of {count}", matched=self.matched, count=self.count
            )
        return in_terms_of(kind, tr("%n SCUs", "", self.count)), f"{self.count}"


def group_by_weight(lines: Iterable[ScuRow], is_visible: Callable[[ScuRow], bool]) -> tuple[Tier, ...]:
    """Return visible rows grouped by weight, heaviest first; rows of a tier keep their order."""
    by_weight: dict[int, list[ScuRow]] = {}
    for line in lines:
        by_weight.setdefault(line.weight, []).append(line)
    tiers = []
    for weight in sorted(by_weight, reverse=True):
        every = by_weight[weight]
        visible = tuple(line for line in every if is_visible(line))
        if visible:
            matched = sum(bool(line.is_matched) for line in every)
            tiers.append(Tier(weight, every[0].step, visible, len(every), matched))
    return tuple(tiers)


def named_weight(scu: Scu) -> str:
    """Return label and weight of a unit, as screen readers read them."""
    return tr("{label}, weight {weight}", label=scu.label or tr("no label"), weight=scu.weight)


_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def reference_letters(texts: Sequence[Text]) -> tuple[str, ...]:
    """Return a short name per text: its own name if all are short, else A, B, … Z, AA, AB, …"""
    names = tuple(text.name for text in texts)
    if all(0 < len(name) <= 2 for name in names):
        return names
    return tuple(_letter(place) for place in range(len(texts)))


def first_expression(scu: Scu, references: Iterable[str]) -> tuple[int, int] | None:
    """Return position and start of the first reference that expresses an SCU; None = no reference."""
    starts = {c.reference_id: min(p.start for p in c.parts) for c in scu.contributors if c.parts}
    places = ((place, starts[reference]) for place, reference in enumerate(references) if reference in starts)
    return next(places, None)


def _letter(place: int) -> str:
    rest, letter = divmod(place, len(_ALPHABET))
    return (_letter(rest - 1) if rest else "") + _ALPHABET[letter]


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
