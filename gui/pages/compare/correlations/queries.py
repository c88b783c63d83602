"""Correlation queries of the Compare page and their results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison.comparison import Comparison, CorrelationRow
from core.comparison.families import family_of
from core.comparison.filters import NO_FILTER, Filter
from core.comparison.measures import MeasureRef
from core.comparison.options import Variants
from core.errors import InputError
from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.precision import round_to_grain
from gui.pages.compare.correlations.study_data import ComparisonData

AT_ONCE_NS = 4e7
"""Estimated nanoseconds of work between two checks for cancellation and partial results."""

_NS_PER_CELL = {
    Coefficient.ACCURACY: 250.0,
    Coefficient.SOFT_ACCURACY: 2000.0,
    Coefficient.PEARSON: 10.0,
    Coefficient.SPEARMAN: 20.0,
}
_NS_OF_TAUS = 50.0


@dataclass(frozen=True, slots=True)
class CorrelationQuery:
    """The correlations of one column of the table."""

    level: Level
    coefficient: Coefficient
    human: str
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    scope: Filter = NO_FILTER

    @property
    def method(self) -> tuple[Level, Coefficient, UndefinedPolicy]:
        """The level, the coefficient and the treatment of undefined correlations."""
        return self.level, self.coefficient, self.undefined


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationColumn:
    """The correlations of a query.

    rows: one per measure, in order. refusal: why there are none, where undefined values are an error.
    coming: places of the rows that are not known yet.
    """

    question: CorrelationQuery
    rows: Sequence[CorrelationRow]
    refusal: str = ""
    coming: frozenset[int] = frozenset()


def best_of(answer: CorrelationColumn, comparison: Comparison, variants: Variants) -> tuple[int, ...]:
    """Return the places of the strongest of a family of tests; several if tied.

    Measures of errors are strong where they are low. Only measures that are ranked against the judgement
    are in the family.
    """
    family = list(family_of(comparison.refs, variants, comparison.ranked(answer.question.human)))
    better = np.full(len(answer.rows), np.nan)
    better[family] = round_to_grain(np.array([row.ranked_by for row in answer.rows]))[family]
    if not np.isfinite(better).any():
        return ()
    return tuple(np.flatnonzero(better == np.nanmax(better)).tolist())


class PartialResult:
    """Columns computed measure by measure by a job's thread and read by the window.

    first: indexes of the measures to compute first.
    """

    def __init__(
        self, numbers: ComparisonData, questions: Sequence[CorrelationQuery], first: Sequence[int] = ()
    ) -> None:
        self.numbers, self.questions = numbers, tuple(questions)
        count = len(numbers.comparison.refs)
        self._order = list(dict.fromkeys([*first, *range(count)]))
        self._rows: list[list[CorrelationRow | None]] = [[None] * count for _ in self.questions]
        self._refusals = [""] * len(self.questions)

    def work(self) -> JobSteps[list[CorrelationColumn]]:
        """Correlate every measure with each requested judgement."""
        parts = list(self._parts())
        for done, places in enumerate(parts):
            yield Progress(done, len(parts), "correlating")
            everything = len(places) == len(self._order)
            part = self.numbers.comparison if everything else self.numbers.comparison.part(places)
            for column, question in enumerate(self.questions):
                rows, refusal = _answered(part, question)
                self._refusals[column] = self._refusals[column] or refusal
                for place, row in zip(places, rows, strict=True):
                    self._rows[column][place] = row
        return self.answers()

    def answers(self) -> list[CorrelationColumn]:
        """Return the columns with all rows computed so far."""
        return [self._answer(column) for column in range(len(self.questions))]

    def _answer(self, column: int) -> CorrelationColumn:
        found, question = list(self._rows[column]), self.questions[column]
        coming = frozenset(place for place, row in enumerate(found) if row is None)
        rows = [
            row or _unknown(ref, question)
            for row, ref in zip(found, self.numbers.comparison.refs, strict=True)
        ]
        return CorrelationColumn(question, rows, self._refusals[column], coming)

    def _parts(self) -> Iterator[list[int]]:
        """Yield the places of measures to compute together: all if that is quick, else in small groups."""
        question = self.questions[0]
        cells = max((one.values.size for one in self.numbers.comparison.scores), default=1)
        slow = _NS_PER_CELL.get(question.coefficient, _NS_OF_TAUS) * cells * len(self.questions)
        size = max(1, int(AT_ONCE_NS / slow))
        if size >= len(self._order):
            yield list(range(len(self._order)))
            return
        for at in range(0, len(self._order), size):
            yield sorted(self._order[at : at + size])


def _answered(comparison: Comparison, question: CorrelationQuery) -> tuple[list[CorrelationRow], str]:
    """Return a row for each measure, and the error message if undefined values are an error."""
    against = (question.human, question.level, question.coefficient)
    try:
        return comparison.rows_against(*against, question.undefined), ""
    except InputError as error:
        skipped = comparison.rows_against(*against)
        return [replace(row, value=np.nan) for row in skipped], str(error)


def _unknown(ref: MeasureRef, question: CorrelationQuery) -> CorrelationRow:
    """Return the row of a measure whose coefficient is not computed yet."""
    against = (question.human, question.level, question.coefficient)
    return CorrelationRow(ref.label, ref.signature, ref.family, *against, math.nan, 0, 0)
