"""What the page of matches shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary to annotate. system: empty while names are hidden."""

    id: str
    position: int
    total: int
    content: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A content unit of the summary in the list of units.

    scu_id, label: the SCU that it expresses, empty outside the pyramid. step: of its weight, 0 outside.
    words: empty = matched without a span. is_repeat: an earlier unit expresses the same SCU.
    """

    match_id: str
    scu_id: str
    label: str
    weight: int
    step: int
    words: str
    is_repeat: bool = False
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ExpressionRow:
    """What one reference says for an SCU. span: of its first part."""

    reference_id: str
    letter: str
    words: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """The units of a summary in numbers. uncovered: the share of its words in no unit, in [0, 1]."""

    units: int
    repeats: int
    outside: int
    uncovered: float


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """A pyramid of the topic to match against."""

    annotator_id: str
    name: str
    scus: int


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A summary that was flagged or noted on. name: its system's, or its number while names are hidden."""

    topic_id: str
    summary_id: str
    topic: str
    name: str
    note: str = ""
    is_flagged: bool = True
