"""Results of an experiment with several conditions, each a sample of draws.

Tables and curves show means with group letters, spreads, and the test behind them: one-way analysis of
variance and Tukey's test at 95 %, as Owczarzak & Dang 2009 report their resampled correlations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, row_means
from core.metrics.base import setting
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Series
from core.stats.correlation import Coefficient, Level
from core.stats.estimators.anova import anova, tukey_rejects
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap
from core.stats.significance_groups import compact_letter_display

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """Condition: a row of a table.

    x: its position on a curve.
    samples: shape (measures, draws), NaN = undefined.
    is_single: a single value without draws, excluded from tests.
    """

    label: str
    x: float
    samples: Array
    is_single: bool = False

    def means(self) -> Array:
        """Return each measure's mean over the defined draws, shape (measures,), NaN = none."""
        return row_means(self.samples)

    def deviations(self) -> Array:
        """Return each measure's standard deviation over the draws, shape (measures,), NaN below two."""
        return np.array([_deviation(row[np.isfinite(row)]) for row in self.samples])

    def bounds(self) -> tuple[Array, Array]:
        """Return the ends of the middle 95 % of each measure's draws, (measures,) each; NaN below two."""
        tails = (1 - CONFIDENCE) / 2
        ends = np.array([_quantiles(row[np.isfinite(row)], tails) for row in self.samples]).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]


def spread_table(title: str, head: Column, measures: Sequence[str], conditions: Sequence[Condition]) -> Table:
    """Return mean, standard deviation and central 95 % of each condition's draws, measure by measure."""
    correlation = (
        Column("Mean", "mean", CellKind.CORRELATION),
        Column("Deviation", "deviation", CellKind.SCORE),
        Column("2.5 %", "low", CellKind.CORRELATION),
        Column("97.5 %", "high", CellKind.CORRELATION),
    )
    columns = (Column("Measure", "measure"), head, *correlation, Column("Draws", "draws", CellKind.COUNT))
    rows: list[tuple[Cell, ...]] = []
    for at, name in enumerate(measures):
        for condition in conditions:
            low, high = condition.bounds()
            numbers = (condition.means()[at], condition.deviations()[at], low[at], high[at])
            draws = int(np.isfinite(condition.samples[at]).sum())
            rows.append((name, condition.label, *map(float, numbers), draws))
    return Table(title, columns, tuple(rows))


def curves(
    title: str,
    x_label: str,
    coefficient: Coefficient,
    measures: Sequence[str],
    conditions: Sequence[Condition],
) -> Chart:
    """Return a chart with a curve of means for each measure and the central 95 % of the draws as a band."""
    drawn = [condition for condition in conditions if math.isfinite(condition.x)]
    x = tuple(condition.x for condition in drawn)
    bounds = [condition.bounds() for condition in drawn]
    means = [condition.means() for condition in drawn]
    series = tuple(
        Series(
            name,
            tuple(float(mean[at]) for mean in means),
            x,
            tuple(float(low[at]) for low, _ in bounds),
            tuple(float(high[at]) for _, high in bounds),
        )
        for at, name in enumerate(measures)
    )
    return Chart(title, ChartKind.CURVES, x_label, coefficient_title(coefficient), series)


def _deviation(values: Array) -> float:
    return float(values.std(ddof=1)) if values.size > 1 else math.nan


def _quantiles(values: Array, tails: float) -> Array:
    return np.quantile(values, [tails, 1 - tails]) if values.size > 1 else np.full(2, np.nan)


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


_MOST_MEASURES = 12  # more measures give too many pairs to list


def significance_letters(conditions: Sequence[Condition], measure: int) -> dict[str, str]:
    """Return letters by condition: conditions that share one do not differ. Empty if none is tested."""
    tested = _tested(conditions)
    groups = [condition.samples[measure] for condition in tested]
    if len(groups) < 2:
        return {}
    means = np.array([condition.means()[measure] for condition in tested])
    return dict(
        zip((c.label for c in tested), compact_letter_display(tukey_rejects(groups), means), strict=True)
    )


def row_letters(conditions: Sequence[Condition], measures: Sequence[str], unit: str) -> str:
    """Return a sentence that names measures that do not differ under each condition; empty if not tested."""
    tested = _tested(conditions)
    if not tested or not 2 <= len(measures) <= _MOST_MEASURES:
        return ""
    sentences = []
    for condition in tested:
        differs = tukey_rejects(list(condition.samples))
        pairs = [
            f"{measures[i]} and {measures[j]}"
            for i, j in combinations(range(len(measures)), 2)
            if not differs[i, j]
        ]
        if pairs:
            sentences.append(f"{', '.join(pairs)} with {condition.label}")
    exceptions = f", except {'; '.join(sentences)}" if sentences else ""
    return f"Measures differ from each other within each number of {unit} (Tukey, 95 %){exceptions}."


def variance_table(title: str, measures: Sequence[str], conditions: Sequence[Condition]) -> Table | None:
    """Return F and p of each measure over the conditions, None for fewer than two testable conditions."""
    tested = _tested(conditions)
    if len(tested) < 2:
        return None
    columns = (
        Column("Measure", "measure"),
        Column("F", "f", CellKind.SCORE),
        Column("Between", "between", CellKind.COUNT),
        Column("Within", "within", CellKind.COUNT),
        Column("p", "p", CellKind.P),
        Column("Caution", "caution"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, name in enumerate(measures):
        test = anova([condition.samples[at] for condition in tested])
        rows.append((name, test.f, test.between, test.within, test.p, "p shrinks with the number of draws"))
    return Table(title, columns, tuple(rows), "One-way analysis of variance over the rows with draws.")


def _tested(conditions: Sequence[Condition]) -> list[Condition]:
    """Return the conditions with at least two defined draws for every measure."""
    return [c for c in conditions if not c.is_single and np.isfinite(c.samples).sum(axis=1).min() > 1]


BINS = 24


def histogram(
    title: str,
    coefficient: Coefficient,
    conditions: Sequence[Condition],
    measures: Sequence[str],
    unit: str = "",
) -> list[Chart]:
    """Return a histogram for each measure, with a series of counts per condition.

    unit: what the conditions count, for the legend.
    """
    charts = []
    for at, measure in enumerate(measures):
        rows = {c.label: c.samples[at][np.isfinite(c.samples[at])] for c in conditions if not c.is_single}
        drawn = {label: row for label, row in rows.items() if row.size}
        if not drawn:
            continue
        every = np.concatenate(list(drawn.values()))
        edges = np.linspace(every.min(), every.max(), BINS + 1)
        if edges[0] == edges[-1]:
            continue
        middles = tuple(((edges[:-1] + edges[1:]) / 2).tolist())
        series = tuple(
            Series(
                f"{unit}: {label}" if unit else label, tuple(map(float, np.histogram(row, edges)[0])), middles
            )
            for label, row in drawn.items()
        )
        name = coefficient_title(coefficient)
        charts.append(Chart(f"{title}, {measure}", ChartKind.HISTOGRAM, name, "draws", series))
    return charts


NONE = "none"
WORDS: Mapping[str, str] = {
    ResampleUnit.SYSTEMS: "systems, resampled with replacement",
    ResampleUnit.TOPICS: "topics, resampled with replacement",
    ResampleUnit.BOTH: "systems and topics, both resampled with replacement",
}


def bootstrap_setting(default: str = ResampleUnit.SYSTEMS) -> Any:
    """Return the setting of the resampling unit.

    Owczarzak & Dang 2009 do not state what they resampled. Two of their runs differ by up to .0023 in the
    mean for one metric (Tables 1 and 7), as expected when systems are resampled; resampled topics would
    differ far less.
    """
    explained = (
        "Units of the full sample that are resampled with replacement, for comparison with the draws; "
        "none = no bootstrap."
    )
    return setting(str(default), explained, choices=(NONE, *map(str, ResampleUnit)), title="Bootstrap")


def bootstrapped(
    x: Array, z: Array, level: Level, coefficient: Coefficient, over: str, draws: int, seed: int
) -> JobSteps[Array]:
    """Return correlations of resamples of the full sample, shape (measures, draws), NaN = undefined.

    x: shape (measures, systems, topics); z: shape (systems, topics); NaN = missing.
    """
    samples = yield from bootstrap(x, z, level, coefficient, ResampleUnit(over), draws=draws, seed=seed)
    return samples.T
