"""Result of an agreement analysis, for the window, the command line and reports."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.formatting.numbers import format_correlation


class Grouping(StrEnum):
    """What a row of a table is about, besides everything together.

    topic: one topic.
    pair: one pair of annotators.
    unit: one SCU, or one pair of SCUs.
    annotator: one annotator.
    """

    ALL = "all"
    TOPIC = "topic"
    PAIR = "pair"
    UNIT = "unit"
    ANNOTATOR = "annotator"


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One coefficient of one group of items.

    what: scale or kind of annotation, e.g. ``rating.coherence``, ``matches``.
    grouping, group: what the items have in common; the group is empty for all items.
    coefficient: id, see `core.agreement.analysis`.
    value: NaN = undefined, for the reason in `reason`.
    low, high: interval over topics, NaN = none, for the reason in `no_interval`.
    items: number of items (summaries, decisions, SCUs, words, systems) that the value is computed from.
    annotators: names.
    reason: why there is no value, empty = there is one.
    no_interval: why there is no interval, empty = there is one, or none was requested.
    note: remark on a value, e.g. pairs left out of a mean.
    """

    what: str
    grouping: Grouping
    group: str
    coefficient: str
    value: float
    low: float
    high: float
    items: int
    annotators: tuple[str, ...]
    reason: str = ""
    no_interval: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """Return the value with its interval: ``.48 [.32, .61]``."""
        value = format_correlation(self.value)
        if not math.isfinite(self.low):
            return value
        return f"{value} [{format_correlation(self.low)}, {format_correlation(self.high)}]"

    def __post_init__(self) -> None:
        if math.isfinite(self.value) == bool(self.reason):
            raise ValueError(f"{self.what}, {self.coefficient}: a value or a reason is needed, not both")


@dataclass(frozen=True, slots=True)
class AgreementTable:
    """Rows of one or more analyses.

    draws, seed, confidence: of the bootstrap over topics; draws 0 = no intervals.
    notes: remarks on the data, as sentences.
    """

    rows: tuple[AgreementRow, ...]
    draws: int = 0
    seed: int = 0
    confidence: float = 0.95
    notes: tuple[str, ...] = ()

    def select(
        self, what: str | None = None, grouping: Grouping | None = None, coefficient: str | None = None
    ) -> tuple[AgreementRow, ...]:
        """Return the rows of a kind, grouping or coefficient; None = any."""
        return tuple(
            row
            for row in self.rows
            if what in (None, row.what)
            and grouping in (None, row.grouping)
            and coefficient in (None, row.coefficient)
        )

    def extended(self, rows: Sequence[AgreementRow], notes: Sequence[str] = ()) -> AgreementTable:
        """Return the table with more rows and notes."""
        return AgreementTable(
            (*self.rows, *rows), self.draws, self.seed, self.confidence, (*self.notes, *notes)
        )
