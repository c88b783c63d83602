"""Values displayed on the Match page: summaries and the live score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from gui.annotation.text.marks import Mark
from gui.style.language import tr


@dataclass(slots=True)
class MatchLocation:
    """Ids of the displayed summary, the selected SCU and the selected unit (a match); empty for none."""

    summary_id: str = ""
    scu_id: str = ""
    match_id: str = ""


class EditName(StrEnum):
    """Names of the edits as stored in the history. Their active time counts as time spent on matching."""

    MATCH = "match"
    MATCH_WITHOUT = "match without a span"
    MATCH_AGAIN = "match again"
    UNMATCH = "unmatch"
    ADD_UNIT = "add unit"
    REMOVE_UNIT = "remove unit"
    REASSIGN = "reassign unit"
    COMMENT = "comment on unit"
    REMOVE_PART = "remove part of a match"
    CHANGE_SPAN = "change span of a match"
    REPLACE_SPAN = "replace span of a match"
    FLAG = "flag summary"
    UNFLAG = "take flag off"
    DONE = "mark summary done"
    REOPEN = "reopen summary"
    NOTE = "note on a summary"
    ACCEPT_MATCH = "take suggestion: match"
    ACCEPT_UNIT = "take suggestion: add unit"


SCORE_TITLES = (tr("Original"), tr("Modified"), tr("Comprehensive"), tr("Presence"))
MAIN_SCORE = tr("Modified")


@dataclass(frozen=True, slots=True)
class SummaryBlock:
    """A summary with its marks, state and score.

    system: empty while names are hidden.
    expressed: ids of the SCUs that it expresses, with or without a span.
    """

    id: str
    position: int
    content: str
    system: str = ""
    marks: tuple[Mark, ...] = ()
    expressed: frozenset[str] = frozenset()
    score: str = ""
    is_done: bool = False
    is_flagged: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class WeightBlock:
    """The weight of an SCU as a block.

    step: colour of the weight, from 1 to 5.
    scu_id: empty if the block stands for any of several SCUs, described by `label`.
    """

    weight: int
    step: int
    scu_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A sum of weights. blocks: in descending order of weight."""

    title: str
    blocks: tuple[WeightBlock, ...]

    @property
    def total(self) -> int:
        return sum(block.weight for block in self.blocks)

    @property
    def expression(self) -> str:
        """Return the sum as text, e.g. ``2×4 + 1×1``; 0 without blocks."""
        return expression([block.weight for block in self.blocks])

    def runs(self) -> tuple[tuple[WeightBlock, ...], ...]:
        """Return the blocks grouped by weight."""
        return tuple(tuple(run) for _, run in groupby(self.blocks, key=lambda block: block.weight))


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One of the scores in SCORE_TITLES.

    formula: how it is calculated.
    value: NaN if undefined.
    """

    title: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True)
class LiveScore:
    """Scores of a summary.

    main: the modified score.
    main_fact: how the modified score is calculated; the only text for a pyramid without SCUs.
    rows: the matched weights and the ideal sums.
    scores: all scores, in the order of SCORE_TITLES.
    explanations: sentences on the calculation.
    without_reference: for each reference, its letter and the modified score without it.
    """

    main: float
    main_fact: str
    rows: tuple[BlockRow, ...] = ()
    scores: tuple[ScoreRow, ...] = ()
    explanations: tuple[str, ...] = ()
    without_reference: tuple[tuple[str, float], ...] = ()


def expression(weights: Sequence[int]) -> str:
    """Return weights as a sum of products, the highest weight first."""
    counted = sorted(Counter(weights).items(), reverse=True)
    return " + ".join(f"{count}×{weight}" for weight, count in counted) or "0"


def score_text(value: float) -> str:
    """Return a score with three decimals; a dash for NaN."""
    return "–" if value != value else f"{value:.3f}"
