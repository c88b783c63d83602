"""Correlations between measures, and between judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
    policy,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    NO_SCORES,
    load_judgements,
    load_measures,
    no_judgements,
    stand_ins_of,
    warnings_of,
)
from core.experiments.registry import register
from core.formatting.tables import CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level, correlate_many

Array = NDArray[np.float64]


@register
@dataclass(frozen=True)
class MeasureIntercorrelation(Experiment):
    """Compute the correlation matrix of measures.

    Formula:
        r(i, j) = correlation of measures i and j on the summaries that have both
        order   = leaves of average-linkage clustering by 1 − r(i, j)

    Limits:
        A high correlation of two measures does not mean that both agree with annotators. Measures of one
        metric (precision, recall, F) are similar by definition.
    """

    name: ClassVar[str] = "measures"
    title: ClassVar[str] = "Metric–metric correlation"
    about: ClassVar[str] = "Correlation between every two measures."

    measures: str = measures_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    order: str = setting(
        "alike",
        "alike = clustered, similar measures next to each other; given = in the order of scoring.",
        choices=("alike", "given"),
        title="Order",
    )

    def missing_requirements(self, study: Study) -> str:
        return "" if study.scores.configs() else NO_SCORES

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        measures = load_measures(study, self.measures)
        matrices = [one.scores for one in measures]
        labels = [one.label for one in measures]
        chosen = Level(self.level), Coefficient(self.coefficient)
        values = yield from square(matrices, *chosen)
        if self.order == "alike":
            order = alike(values)
            labels, values = [labels[i] for i in order], values[np.ix_(order, order)]
        result = matrix_result(self.title, "Measure", labels, values, *chosen)
        warnings = tuple(warnings_of(study, measures))
        return replace(result, stand_ins=stand_ins_of(measures), warnings=warnings)


@register
@dataclass(frozen=True)
class JudgementIntercorrelation(Experiment):
    """Compute the correlation matrix of judgements.

    Formula:
        r(i, j) = correlation of judgements i and j on the summaries that have both

    Limits:
        Cells of the matrix can rest on different summaries. Judgements by the same annotators are
        correlated by their habits too.
    """

    name: ClassVar[str] = "judgements"
    title: ClassVar[str] = "Judgement–judgement correlation"
    about: ClassVar[str] = "Correlation between every two judgements."

    judgements: str = judgements_setting()
    level: str = level_setting(Level.GLOBAL)
    coefficient: str = coefficient_setting(Coefficient.KENDALL)

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        people = load_judgements(study, self.judgements)
        if len(people) < 2:
            raise InputError(
                f"The study has only {next(iter(people))}. At least two judgements are required."
            )
        chosen = Level(self.level), Coefficient(self.coefficient)
        values = yield from square(list(people.values()), *chosen)
        return matrix_result(self.title, "Judgement", list(people), values, *chosen)


def square(matrices: Sequence[ScoreMatrix], level: Level, coefficient: Coefficient) -> JobSteps[Array]:
    """Return the correlation of every pair, shape (n, n); the diagonal is 1 for non-constant values."""
    systems = tuple(dict.fromkeys(name for one in matrices for name in one.systems))
    topics = tuple(dict.fromkeys(name for one in matrices for name in one.topics))
    x = np.stack([one.select(systems, topics).values for one in matrices])
    values = np.full((len(matrices), len(matrices)), np.nan)
    for at, one in enumerate(x):
        yield Progress(at, len(x), matrices[at].label)
        row = correlate_many(x[at:], one, level, coefficient)
        values[at, at:] = values[at:, at] = [each.value for each in row]
    return values


def alike(values: Array) -> list[int]:
    """Return an order with similar items adjacent.

    The leaves of an average-linkage tree over 1 - correlation.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    if len(values) < 3:
        return list(range(len(values)))
    apart = np.where(np.isfinite(values), 1 - values, 2.0)
    np.fill_diagonal(apart, 0.0)
    distances = squareform(np.maximum(apart, 0.0), checks=False)
    order: list[int] = leaves_list(optimal_leaf_ordering(linkage(distances, "average"), distances)).tolist()
    return order


def matrix_result(
    title: str, head: str, labels: Sequence[str], values: Array, level: Level, coefficient: Coefficient
) -> Result:
    """Return a correlation matrix as a table and a heatmap."""
    columns = [Column(label, label, CellKind.FINE_CORRELATION) for label in labels]
    rows = tuple((label, *row) for label, row in zip(labels, values.tolist(), strict=True))
    table = Table(title, (Column(head, head.lower(), CellKind.CODE), *columns), rows)
    lines = tuple(Series(label, tuple(row)) for label, row in zip(labels, values.tolist(), strict=True))
    chart = Chart(title, ChartKind.HEATMAP, "", "", lines, tuple(labels))
    return Result(title, (table,), (chart,), (policy(level, coefficient),))
