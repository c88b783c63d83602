"""Bootstrap distribution of every correlation over resampled systems, topics or both.

Deutsch, Dror & Roth 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.common_settings import policy, seed_setting
from core.experiments.experiment import Checkpoint
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.experiments.tables.conditions import WORDS, Condition, bootstrapped, histogram
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit

_MOST_HISTOGRAMS = 8


@register
@dataclass(frozen=True)
class BootstrapExperiment(MeasureExperiment):
    """Bootstrap correlations with the same resamples for all measures.

    Formula:
        r*_b = correlation of resample b: as many systems, topics or both as there are, with replacement
        ends = the 2.5 % and 97.5 % quantiles of r*_1, …, r*_B

    Limits:
        The percentile interval is not corrected for bias and skewness; `correlate --interval` gives the BCa
        interval. With fewer than ten systems intervals are too narrow. Resampling topics only says nothing
        about other systems, and the other way round.
    """

    name: ClassVar[str] = "bootstrap"
    title: ClassVar[str] = "Bootstrap of the full sample"
    about: ClassVar[str] = "Distribution of every correlation over resampled systems, topics or both."

    over: str = setting(
        str(ResampleUnit.BOTH),
        "Units resampled with replacement.",
        choices=tuple(map(str, ResampleUnit)),
        title="Drawn",
    )
    draws: int = setting(1000, "Resamples.", low=10, high=100_000, title="Draws")
    seed: int = seed_setting()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        parts = Checkpoint(study, self)
        tables: list[Table] = []
        charts: list[Chart] = []
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        for one in several:
            labels, values = one.labels, one.correlations(level, coefficient)
            drawn = yield from self._resamples(one, parts)
            title = f"{one.judgement.label}: {self.draws:,} resamples"
            tables.append(_table(title, labels, values, drawn))
            charts.append(_bars(title, labels, values, drawn, coefficient))
            charts += histogram(title, coefficient, [drawn], labels[:_MOST_HISTOGRAMS])
        drawn_over = f"{self.draws:,} resamples: {WORDS[self.over]}"
        description = f"{drawn_over}, the same for all measures (seed {self.seed})."
        return Result(
            self.title,
            tuple(tables),
            tuple(charts),
            (policy(level, coefficient), description, _PERCENTILES),
            compared.stand_ins,
            (*cautions_of(several, level, coefficient), *compared.warnings),
        )

    def _resamples(self, one: ComparisonSet, parts: Checkpoint) -> JobSteps[Condition]:
        """Return the correlations of each resample."""
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        key = one.judgement.label[:64]
        samples = parts.get(key)
        if samples is None:
            samples = yield from bootstrapped(
                one.x, one.judgement.values, level, coefficient, self.over, self.draws, self.seed
            )
            parts.keep(key, samples)
        return Condition("resamples", np.nan, samples)


_PERCENTILES = (
    "2.5 % and 97.5 % are quantiles of the resamples (percentile interval). The BCa intervals of `correlate` "
    "and Compare correct them for bias and skewness, so they differ."
)


def _table(title: str, labels: list[str], values: Array, drawn: Condition) -> Table:
    low, high = drawn.bounds()
    columns = (
        Column("Measure", "measure"),
        Column("Full sample", "value", CellKind.FINE_CORRELATION),
        Column("Mean", "mean", CellKind.FINE_CORRELATION),
        Column("Deviation", "deviation", CellKind.SCORE),
        Column("2.5 %", "low", CellKind.FINE_CORRELATION),
        Column("97.5 %", "high", CellKind.FINE_CORRELATION),
        Column("Defined", "defined", CellKind.COUNT),
    )
    numbers = np.stack([values, drawn.means(), drawn.deviations(), low, high], axis=1)
    defined = np.isfinite(drawn.samples).sum(axis=1)
    rows: list[tuple[Cell, ...]] = [
        (label, *map(float, row), int(count))
        for label, row, count in zip(labels, numbers, defined, strict=True)
    ]
    return Table(title, columns, tuple(rows))


def _bars(title: str, labels: list[str], values: Array, drawn: Condition, coefficient: Coefficient) -> Chart:
    y, low, high = (tuple(map(float, side)) for side in (values, *drawn.bounds()))
    name = coefficient_title(coefficient)
    series = Series("full sample", y, low=low, high=high)
    return Chart(title, ChartKind.BARS, "", name, (series,), tuple(labels))
