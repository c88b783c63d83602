"""Correlation by number of topics (Sun & Nenkova 2019, Figure 1)."""

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
    seed_setting,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    load_judgements,
    load_measures,
    missing_data,
    stacked,
    stand_ins_of,
    warnings_of,
)
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_about
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import pluralize
from core.formatting.tables import CellKind, Column, Table
from core.matrix import ScoreMatrix, row_means
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress, raise_if_cancelled
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level, row_coefficients, topic_coefficients
from core.stats.precision import normalize, weighted_sums

Array = NDArray[np.float64]
Whole = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Correlations of measures by number of topics.

    counts: topics per draw, shape (points,).
    values: shape (points, draws, measures), NaN = undefined.
    """

    counts: tuple[int, ...]
    values: Array

    @property
    def means(self) -> Array:
        """Return means over the defined draws, shape (points, measures)."""
        return _over_draws(self.values)[0]

    @property
    def deviations(self) -> Array:
        """Return sample standard deviations (n - 1) over the draws, shape (points, measures)."""
        return _over_draws(self.values)[1]


@register
@dataclass(frozen=True)
class TopicCountCurve(Experiment):
    """Draw topics without replacement, the same draws for every measure.

    Formula:
        r(k) = mean, over draws of k topics, of the correlation of measure and judgement on these topics

    Limits:
        Draws share topics, so the standard deviation falls to 0 for all topics and is no standard error. A
        flat curve shows that more topics of this kind change little, not that the systems are enough.
    """

    name: ClassVar[str] = "articles"
    title: ClassVar[str] = "Topics per system"
    about: ClassVar[str] = "Correlation by number of topics: shows whether enough topics are judged."

    points: int = setting(10, "Number of points, evenly spaced up to all topics.", low=2, high=200)
    draws: int = setting(50, "Number of draws per point.", low=2, high=5_000)
    measures: str = measures_setting()
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        return missing_data(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        measures = load_measures(study, self.measures)
        result = yield from self.over(
            [one.scores for one in measures], load_judgements(study, self.judgements)
        )
        warnings = (*result.warnings, *warnings_of(study, measures))
        return replace(result, stand_ins=stand_ins_of(measures), warnings=warnings)

    def over(self, measures: Sequence[ScoreMatrix], people: dict[str, ScoreMatrix]) -> JobSteps[Result]:
        """Return the curves of these measures, a table and a chart per judgement."""
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        tables, charts = [], []
        for name, judgement in people.items():
            both = stacked(measures, judgement)
            counts = numbers_of_topics(both.shape[2], self.points)
            measured = yield from curve(
                both, judgement.values, level, coefficient, counts, self.draws, self.seed
            )
            labels = [one.label for one in measures]
            tables.append(_table(name, labels, measured))
            charts.append(_chart(name, labels, measured, coefficient))
        drawn = (
            f"Topics are drawn {self.draws} times without replacement for each number; the table gives the "
            f"mean and the standard deviation over the draws. Seed {self.seed}."
        )
        warnings = cautions_about(measures, people, level, coefficient)
        policy_texts = policy(level, coefficient), drawn
        return Result(self.title, tuple(tables), tuple(charts), policy_texts, warnings=warnings)


def numbers_of_topics(topics: int, points: int) -> tuple[int, ...]:
    """Return evenly spaced numbers of topics, ending with all. Raises InputError for too few topics."""
    if topics < 2:
        raise InputError("This study has fewer than two topics. At least two are required.")
    spread = np.linspace(topics / points, topics, points)
    return tuple(dict.fromkeys(max(1, round(float(count))) for count in spread))


def curve(
    x: Array, z: Array, level: Level, coefficient: Coefficient, counts: Sequence[int], draws: int, seed: int
) -> JobSteps[Curve]:
    """Correlate on draws of topics. x: shape (measures, systems, topics); z: (systems, topics)."""
    random = np.random.default_rng(seed)
    topics = z.shape[1]
    each = _by_topic(x, z, coefficient) if level is Level.TOPIC else None
    per_count = []
    for done, count in enumerate(counts):
        yield Progress(done, len(counts), pluralize(count, "topic"))
        chosen = np.argsort(random.random((draws, topics)), axis=1)[:, :count]
        if each is not None:
            per_count.append(_means_over(each, chosen))
        elif level is Level.SYSTEM:
            per_count.append(_of_means(x, z, chosen, coefficient))
        else:
            per_count.append(_of_summaries(x, z, chosen, coefficient))
    return Curve(tuple(counts), np.stack(per_count))


def _of_means(x: Array, z: Array, chosen: Whole, coefficient: Coefficient) -> Array:
    """Return correlations of system means over each draw's topics, shape (draws, measures)."""
    measures, systems, topics = x.shape
    weights = np.zeros((topics, len(chosen)))
    np.put_along_axis(weights.T, chosen, 1.0, axis=1)
    both = np.isfinite(x) & np.isfinite(z)
    counts = (both @ weights).transpose(0, 2, 1)
    means = []
    for side in (x, np.broadcast_to(z, x.shape)):
        values = normalize(np.where(both, side, np.nan), (1, 2)).reshape(-1, topics)
        sums = (
            weighted_sums(weights.T, np.nan_to_num(values)).reshape(-1, measures, systems).transpose(1, 0, 2)
        )
        means.append(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))
    x_rows, z_rows = (side.reshape(measures * len(chosen), systems) for side in means)
    values = row_coefficients(x_rows, z_rows, coefficient)
    return values.reshape(measures, len(chosen)).T


def _of_summaries(x: Array, z: Array, chosen: Whole, coefficient: Coefficient) -> Array:
    """Return correlations over each draw's summaries, shape (draws, measures)."""
    per_topic = []
    x, z = normalize(x, (1, 2)), normalize(z)
    for topics in chosen:
        raise_if_cancelled()
        x_rows = x[:, :, topics].reshape(len(x), -1)
        z_rows = np.broadcast_to(z[:, topics].reshape(1, -1), x_rows.shape)
        both = np.isfinite(x_rows) & np.isfinite(z_rows)
        per_topic.append(
            row_coefficients(np.where(both, x_rows, np.nan), np.where(both, z_rows, np.nan), coefficient)
        )
    return np.stack(per_topic)


def _by_topic(x: Array, z: Array, coefficient: Coefficient) -> Array:
    """Return the coefficient across the systems of each topic, shape (measures, topics)."""
    return np.stack([topic_coefficients(one, z, coefficient) for one in x])


def _means_over(each: Array, chosen: Whole) -> Array:
    """Return means of the defined coefficients over each draw's topics, shape (draws, measures)."""
    return row_means(each[:, chosen]).T


def _over_draws(values: Array) -> tuple[Array, Array]:
    there = np.isfinite(values)
    counts = there.sum(axis=1)
    means = np.where(there, values, 0.0).sum(axis=1) / np.maximum(counts, 1)
    squares = np.where(there, (values - means[:, None]) ** 2, 0.0).sum(axis=1)
    return (
        np.where(counts > 0, means, np.nan),
        np.where(counts > 1, np.sqrt(squares / np.maximum(counts - 1, 1)), np.nan),
    )


def _table(judgement: str, labels: Sequence[str], measured: Curve) -> Table:
    columns = [Column("Topics", "topics", CellKind.COUNT)]
    for label in labels:
        columns.append(Column(label, label, CellKind.FINE_CORRELATION))
        columns.append(Column(f"SD of {label}", f"{label}.sd", CellKind.FINE_CORRELATION))
    pairs = np.stack([measured.means, measured.deviations], axis=-1).reshape(len(measured.counts), -1)
    cells = [(count, *row) for count, row in zip(measured.counts, pairs.tolist(), strict=True)]
    return Table(judgement, tuple(columns), tuple(cells))


def _chart(judgement: str, labels: Sequence[str], measured: Curve, coefficient: Coefficient) -> Chart:
    x = tuple(float(count) for count in measured.counts)
    low, high = measured.means - measured.deviations, measured.means + measured.deviations
    lines = tuple(
        Series(label, tuple(mean.tolist()), x, tuple(below.tolist()), tuple(above.tolist()))
        for label, mean, below, above in zip(labels, measured.means.T, low.T, high.T, strict=True)
    )
    return Chart(judgement, ChartKind.CURVES, "Topics", coefficient_title(coefficient), lines)
