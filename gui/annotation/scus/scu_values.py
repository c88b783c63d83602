"""Rows and tiers of the SCU list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

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
