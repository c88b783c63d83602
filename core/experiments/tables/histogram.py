"""Histograms of correlations over draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.experiments.tables.conditions import Condition
from core.formatting.coefficients import coefficient_title
from core.results.result import Chart, ChartKind, Series
from core.stats.correlation import Coefficient

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
