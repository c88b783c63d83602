"""Values shown on the match page."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.study import Text
from gui.style.language import tr


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary to annotate.

    position, total: its number among the topic's summaries.
    system: empty while system names are hidden.
    """

    text: Text
    position: int
    total: int
    system: str = ""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A content unit of the summary, below its SCU or in the list of units outside the pyramid.

    match_id: empty = the SCU is not matched.
    scu_id, label: the SCU that it expresses; empty if it is not in the pyramid.
    words: its text; empty = matched without a span.
    number: its place among the units outside the pyramid; 0 = in the pyramid.
    is_repeat: an earlier unit expresses the same SCU.
    """

    match_id: str
    scu_id: str
    label: str
    weight: int
    words: str
    number: int = 0
    is_repeat: bool = False
    comment: str = ""

    @property
    def shown(self) -> str:
        """The text, or why there is none."""
        return self.words or (
            tr("matched without a span") if self.match_id else tr("not matched in this summary")
        )


@dataclass(frozen=True, slots=True)
class ExpressionRow:
    """A reference's expression of an SCU.

    span: the span of its first part.
    """

    reference_id: str
    letter: str
    words: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """Counts of a summary's units.

    uncovered: the share of words in no unit, in [0, 1].
    """

    units: int
    repeats: int
    outside: int
    uncovered: float


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """A pyramid of the topic that can be matched against."""

    annotator_id: str
    name: str
    scus: int


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A summary with a flag or a note.

    name: its system, or its number while system names are hidden.
    """

    topic_id: str
    summary_id: str
    topic: str
    name: str
    note: str = ""
    is_flagged: bool = True


def score_text(value: float) -> str:
    """Return a score with three decimals; a dash for NaN."""
    return "–" if value != value else f"{value:.3f}"
