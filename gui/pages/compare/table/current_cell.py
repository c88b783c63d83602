"""The current cell of the Compare page's table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.comparison.comparison import CorrelationRow, ScatterPoints
from core.comparison.stand_ins import marked_labels
from core.formatting.numbers import format_correlation, format_p, format_score
from core.operations.correlate import CorrelationData
from core.operations.options import CorrelateRequest
from core.stats.correlation import Correlation
from gui.pages.compare.table.table_content import TableContent
from gui.pages.compare.values import MeasureTable
from gui.style.language import tr

Mark = tuple[str, str]
"""A system's name and a topic's id, empty = all its topics."""


@dataclass(frozen=True, slots=True, eq=False)
class CurrentCell:
    """The current cell and its table.

    visible: labels of the measures that pass the filter. marked: summaries that are marked.
    """

    content: TableContent
    measure: str
    human: str
    table: MeasureTable
    visible: Sequence[str]
    marked: frozenset[Mark] = frozenset()

    @property
    def data(self) -> CorrelationData:
        return self.content.data

    @property
    def column(self) -> int:
        return self.content.humans.index(self.human)

    @property
    def request(self) -> CorrelateRequest:
        return self.content.request

    @property
    def title(self) -> str:
        """The title of the judgement."""
        return self.data.judgements[self.human].title

    @property
    def marked_systems(self) -> frozenset[str]:
        return frozenset(system for system, _ in self.marked)

    def labels(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return labels as figures have them: marked where the measure ran on a stand-in."""
        marked = marked_labels(self.data.comparison.refs)
        return tuple(marked.get(label, label) for label in labels)

    @property
    def measure_label(self) -> str:
        """The label of the measure in figures."""
        return self.labels([self.measure])[0]

    @property
    def rows(self) -> Sequence[CorrelationRow]:
        """The correlations of all measures with the judgement."""
        return self.content.columns[self.column].rows

    def points(self) -> ScatterPoints:
        """Return the points behind the cell, with the coefficient from the table, as it may be slow."""
        points = self.data.comparison.points(self.measure, self.human, self.request.level)
        row = next(row for row in self.rows if row.measure == self.measure)
        known = Correlation(row.value, math.nan, row.n, row.dropped)
        return replace(points, coefficient=self.request.coefficient, correlation=known)

    def is_defined(self, label: str) -> bool:
        """Return whether a measure has a coefficient with the current judgement."""
        return any(row.measure == label and math.isfinite(row.value) for row in self.rows)

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
            words.append(
                tr(
                    "95 % {low} to {high}",
                    low=format_correlation(cell.low),
                    high=format_correlation(cell.high),
                )
            )
        elif cell.no_interval:
            words.append(tr("no interval: {no_interval}", no_interval=cell.no_interval))
        if math.isfinite(cell.p):
            words.append(f"p {format_p(cell.p)} ({self.table.p_method})")
        if math.isfinite(cell.tie_threshold):
            words.append(
                tr("tie threshold {tie_threshold}", tie_threshold=format_score(cell.tie_threshold, 4))
            )
        return words

    def by_strength(self, labels: Sequence[str]) -> list[str]:
        """Return measures by correlation, lower-is-better ones negated; undefined ones last.

        Unranked measures follow all others.
        """
        strength = {row.measure: row.ranked_by for row in self.rows}
        ranked = {row.label: row.cells[self.column].is_ranked for row in self.table.rows}
        return sorted(
            labels,
            key=lambda n: (not ranked.get(n, True), -strength[n] if math.isfinite(strength[n]) else math.inf),
        )
