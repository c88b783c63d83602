"""Tables and curves of conditions: means with group letters, spreads, and the test behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.experiments.tables.conditions import Condition, curves, spread_table
from core.experiments.tables.group_differences import row_letters, significance_letters, variance_table
from core.formatting.tables import Cell, CellKind, Column, Table
from core.results.result import Chart
from core.stats.correlation import Coefficient

LETTERS = "For one measure, means that share a letter do not differ significantly (ANOVA, then Tukey, 95 %)."
DRAWS_TESTED = (
    "The tests treat draws from one study as independent samples, so p shrinks with their number: with "
    "enough draws nearly every difference is significant. They are computed as in the paper, for replication "
    "only."
)
"""Caution on an analysis of variance of resampled correlations."""


@dataclass(frozen=True, slots=True)
class ConditionTables:
    """Conditions as tables and a chart. notices: a sentence each."""

    tables: tuple[Table, ...]
    chart: Chart
    notices: tuple[str, ...] = ()


def condition_tables(
    title: str,
    head: Column,
    unit: str,
    coefficient: Coefficient,
    measures: Sequence[str],
    conditions: Sequence[Condition],
    notices: Sequence[str] = (),
) -> ConditionTables:
    """Build the tables of one judgement. head: title of their column. unit: what a condition counts."""
    variance = variance_table(f"{title}: analysis of variance", measures, conditions)
    chart = curves(title, unit, coefficient, measures, conditions)
    if variance is not None:
        variance = replace(variance, note=f"{variance.note} {DRAWS_TESTED}")
        chart = replace(chart, note=" ".join(filter(None, (chart.note, f"Tests: {DRAWS_TESTED}"))))
        notices = (*notices, DRAWS_TESTED)
    tables = (
        means_table(title, head, unit, measures, conditions),
        spread_table(f"{title}: spread of the draws", head, measures, conditions),
        *([variance] if variance else []),
    )
    return ConditionTables(tables, chart, tuple(notices))


def means_table(
    title: str, head: Column, unit: str, measures: Sequence[str], conditions: Sequence[Condition]
) -> Table:
    """Return a row per condition: each measure's mean correlation, and group letters if tested."""
    letters = [significance_letters(conditions, at) for at in range(len(measures))]
    columns = [head]
    for name, marks in zip(measures, letters, strict=True):
        columns.append(Column(name, name, CellKind.FINE_CORRELATION))
        columns += [Column("group", f"{name} alike")] if marks else []
    rows = [_row(condition, letters) for condition in conditions]
    together = row_letters(conditions, measures, unit)
    caution = DRAWS_TESTED if any(letters) or together else ""
    sentences = (LETTERS if any(letters) else "", together, caution)
    return Table(title, tuple(columns), tuple(rows), " ".join(sentence for sentence in sentences if sentence))


def _row(condition: Condition, letters: Sequence[dict[str, str]]) -> tuple[Cell, ...]:
    cells: list[Cell] = [condition.label]
    for mean, marks in zip(condition.means(), letters, strict=True):
        cells.append(float(mean))
        cells += [marks.get(condition.label, "")] if marks else []
    return tuple(cells)
