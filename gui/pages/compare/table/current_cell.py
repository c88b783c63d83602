"""The current cell of the Compare page's table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.comparison.comparison import ScatterPoints
from core.formatting.numbers import format_correlation, format_p, format_score
from core.stats.correlation import Correlation
from gui.pages.compare.correlations.inference import Method
from gui.pages.compare.correlations.queries import CorrelationQuery
from gui.pages.compare.correlations.study_data import ComparisonData
from gui.pages.compare.table.table_content import TableContent
from gui.pages.compare.values import MeasureTable


@dataclass(frozen=True, slots=True, eq=False)
class CurrentCell:
    """The current cell and its table.

    visible: labels of the measures that pass the filter.
    """

    content: TableContent
    measure: str
    human: str
    table: MeasureTable
    visible: Sequence[str]
    method: Method

    @property
    def numbers(self) -> ComparisonData:
        return self.content.numbers

    @property
    def column(self) -> int:
        return self.content.humans.index(self.human)

    @property
    def question(self) -> CorrelationQuery:
        return self.content.answers[self.column].question

    def points(self) -> ScatterPoints:
        """Return the points behind the cell, with the coefficient from the table, as it may be slow."""
        question = self.question
        points = self.numbers.comparison.points(self.measure, self.human, question.level)
        row = next(row for row in self.content.answers[self.column].rows if row.measure == self.measure)
        known = Correlation(row.value, math.nan, row.n, row.dropped)
        return replace(points, coefficient=question.coefficient, correlation=known)

    def is_defined(self, label: str) -> bool:
        """Return whether a measure has a coefficient with the current judgement."""
        rows = self.content.answers[self.column].rows
        return any(row.measure == label and math.isfinite(row.value) for row in rows)

    def rivals(self) -> tuple[str, str] | None:
        """Return the best measure and the current one, or else the second best; None = fewer than two."""
        ranked = [label for label in self.ranked_labels() if self.is_defined(label)]
        if len(ranked) < 2:
            return None
        return ranked[0], self.measure if self.measure in ranked[1:] else ranked[1]

    def ranked_labels(self) -> list[str]:
        """Return the measures that are ranked for the current judgement, the highest first."""
        rows = self.table.rows
        return self.by_strength([row.label for row in rows if row.cells[self.column].is_ranked])

    def inference_text(self) -> list[str]:
        """Return the interval of the cell and p by the same procedure, and accuracy's threshold for ties.

        Without intervals p is labelled with the coefficient's own test.
        """
        cell = next((row.cells[self.column] for row in self.table.rows if row.label == self.measure), None)
        if cell is None:
            return []
        words = []
        if cell.has_interval:
            words.append(f"95 % {format_correlation(cell.low)} to {format_correlation(cell.high)}")
        elif cell.no_interval:
            words.append(f"no interval: {cell.no_interval}")
        if math.isfinite(cell.p):
            words.append(f"p {format_p(cell.p)} ({self.table.p_method})")
        if math.isfinite(cell.tie_threshold):
            words.append(f"tie threshold {format_score(cell.tie_threshold, 4)}")
        return words

    def by_strength(self, labels: Sequence[str]) -> list[str]:
        """Return measures by correlation, lower-is-better ones negated; undefined ones last.

        Unranked measures follow all others.
        """
        rows, refs = self.content.answers[self.column].rows, self.numbers.comparison.refs
        strength = {ref.label: row.ranked_by for ref, row in zip(refs, rows, strict=True)}
        ranked = {row.label: row.cells[self.column].is_ranked for row in self.table.rows}
        return sorted(
            labels,
            key=lambda n: (not ranked.get(n, True), -strength[n] if math.isfinite(strength[n]) else math.inf),
        )
