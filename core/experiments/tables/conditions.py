"""Results of an experiment with several conditions, each a sample of draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.results.result import Chart, ChartKind, Series
from core.stats.correlation import Coefficient

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
        defined = np.isfinite(self.samples)
        totals = np.where(defined, self.samples, 0.0).sum(axis=1)
        counts = defined.sum(axis=1)
        return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)

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
