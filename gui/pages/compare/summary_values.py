"""Values displayed by the summary window."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Why:
    """The explanation of one score. sentence: a message, such as why there is no explanation."""

    measure: str
    sentence: str
    root: WhyNode | None = None
