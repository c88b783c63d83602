"""What the window of one summary shows."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.study import Span


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text to read. key: role and name, as ``reference:A``, which evidence names too."""

    key: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class SummaryTexts:
    """A summary beside the texts that it is held against."""

    title: str
    fact: str
    summary: ReadText
    others: tuple[ReadText, ...]


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One number of a summary. rank: among the systems of its topic, in words."""

    name: str
    value: float
    rank: str
    systems: int


@dataclass(frozen=True, slots=True)
class Highlight:
    """A stretch of a text that moved the score. weight: 0 to 1, of the strongest."""

    key: str
    span: Span
    weight: float


@dataclass(frozen=True, slots=True)
class WhyNode:
    """A step of the account of a score. how: what it does with what is below it.

    counts: whether it moves the number above it; of what only the largest counts, the others do not.
    """

    label: str
    how: str
    value: str
    highlights: tuple[Highlight, ...]
    children: tuple[WhyNode, ...]
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Why:
    """The account of one score. sentence: what is to be known, as that it cannot be given."""

    measure: str
    sentence: str
    root: WhyNode | None = None
