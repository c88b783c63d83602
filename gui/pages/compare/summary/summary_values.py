"""Values displayed by the summary window."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.domain.study import Span


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text to read. key: role and name, as ``reference:A``, to which evidence refers."""

    key: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class SummaryTexts:
    """A summary with the texts that it is compared with."""

    title: str
    fact: str
    summary: ReadText
    others: tuple[ReadText, ...]


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One score of a summary. rank: among the systems of its topic, as text."""

    name: str
    value: float
    rank: str
    systems: int


@dataclass(frozen=True, slots=True)
class Highlight:
    """A span that contributed to the score. weight: 0 to 1, relative to the strongest."""

    key: str
    span: Span
    weight: float


@dataclass(frozen=True, slots=True)
class WhyNode:
    """A term of the explanation of a score. how: the operation on its children.

    counts: whether it contributes to its parent; under a maximum only the largest does.
    """

    label: str
    how: str
    value: str
    highlights: tuple[Highlight, ...]
    children: tuple[WhyNode, ...]
    counts: bool = True


def all_highlights(node: WhyNode) -> tuple[Highlight, ...]:
    """Return the highlights of a node and of its contributing descendants."""
    counting = (child for child in node.children if child.counts)
    below = (highlight for child in counting for highlight in all_highlights(child))
    return (*node.highlights, *below)


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a score that can be left out.

    without: the score without it. contribution: score minus that. other: its contribution to the score of the
    system that is compared with, NaN = it has no such part, or no system is compared with.
    """

    name: str
    value: float
    without: float
    contribution: float
    highlights: tuple[Highlight, ...]
    other: float = math.nan

    @property
    def label(self) -> str:
        """Its name without the value that it belongs to."""
        return self.name.partition(" › ")[2] or self.name

    @property
    def difference(self) -> float:
        """Its contribution here minus there; a part that the other system lacks contributes nothing there."""
        return self.contribution - (0.0 if math.isnan(self.other) else self.other)


@dataclass(frozen=True, slots=True)
class Why:
    """The explanation of one score.

    sentence: a message, such as why there is no explanation.
    parts: the largest contribution, or difference to the other system, first.
    against: the other system, empty = none.
    is_pending: whether the explanation is still to come.
    highlights: all spans that count.
    """

    measure: str
    sentence: str
    root: WhyNode | None = None
    parts: tuple[PartRow, ...] = ()
    against: str = ""
    is_pending: bool = False
    highlights: tuple[Highlight, ...] = ()
