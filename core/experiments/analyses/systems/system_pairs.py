"""Measures on pairs of systems: how many they order as the annotators do, and how well close ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.common_settings import seed_setting
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.precision import normalize, round_to_grain
from core.stats.soft_pairwise_accuracy import (
    FEWEST_TOPICS,
    complete_part,
    pairwise_p_values,
    random_signs,
    soft_pairwise_accuracy,
)


@dataclass(frozen=True, slots=True, eq=False)
class PairAccuracies:
    """Accuracies of one measure. by_gap: in each group of pairs, the closest pairs first, shape (groups,)."""

    accuracy: float
    soft: float
    by_gap: Array


@register
@dataclass(frozen=True)
class SystemPairs(JudgedExperiment):
    """Pairwise and soft pairwise accuracy, and accuracy on pairs with close and with distant judgements.

    Formula:
        accuracy      = pairs whose means have the same order on both sides / all pairs
        soft accuracy = 1 − mean |p − q| over the pairs, where p and q are the one-sided p of the measure and
                        of the judgement, by paired permutation of topics (Thompson et al. 2024)

    Limits:
        Pairs share systems, so n pairs are not n independent observations. Soft pairwise accuracy depends
        on the number of topics: compare only values over the same topics. Intervals: `correlate
        --coefficient soft-accuracy`.
    """

    name: ClassVar[str] = "pairs"
    title: ClassVar[str] = "Pairs of systems"
    about: ClassVar[str] = (
        "Share of pairs of systems that a measure orders as the annotators do, soft pairwise accuracy, and "
        "the share among close and distant pairs."
    )

    groups: int = setting(
        3,
        "Groups of pairs by the difference of their judgements, of equal size.",
        low=1,
        high=20,
        title="Groups",
    )
    draws: int = setting(1000, "Number of permutations.", low=100, high=100_000, title="Permutations")
    seed: int = seed_setting()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        tables, charts, warnings = [], [], list(compared.warnings)
        for one in several:
            yield Progress(0, 0, one.judgement.label)
            table, chart, warning = self._of(one)
            tables.append(table)
            charts.append(chart)
            warnings += warning
        policy = (
            "A pair is ordered alike if the differences of both systems' means have the same sign; one that "
            "only one side ties is ordered otherwise.",
            "Soft pairwise accuracy is 1 minus the mean difference of the p of a measure and that of the "
            f"judgement over all pairs; p by paired permutation of topics, one-sided, {self.draws:,} "
            f"permutations, seed {self.seed} (Thompson et al. 2024).",
            "Only systems and topics for which the judgement and the measure have every value.",
            "Groups have equally many pairs, by the difference of the judgement's means.",
        )
        return Result(self.title, tuple(tables), tuple(charts), policy, compared.stand_ins, tuple(warnings))

    def _of(self, one: ComparisonSet) -> tuple[Table, Chart, list[str]]:
        names = [f"group {at + 1}" for at in range(self.groups)]
        names[0] = "closest"
        if self.groups > 1:
            names[-1] = "farthest"
        columns = (
            Column("Measure", "measure"),
            Column("Systems", "systems", CellKind.COUNT),
            Column("Topics", "topics", CellKind.COUNT),
            Column("Pairwise accuracy", "accuracy", CellKind.FINE_CORRELATION),
            Column("Soft pairwise accuracy", "soft_accuracy", CellKind.FINE_CORRELATION),
            *(Column(name, f"group_{at + 1}", CellKind.FINE_CORRELATION) for at, name in enumerate(names)),
        )
        rows: list[tuple[Cell, ...]] = []
        warnings, series = [], []
        for label, scores in zip(one.labels, one.x, strict=True):
            systems, topics = complete_part(scores, one.judgement.values)
            found = self._accuracies(
                scores[np.ix_(systems, topics)], one.judgement.values[np.ix_(systems, topics)]
            )
            if len(topics) < FEWEST_TOPICS:
                warnings.append(
                    f"{label} against {one.judgement.label}: too few topics with every value for soft "
                    f"pairwise accuracy ({len(topics)}; at least {FEWEST_TOPICS} are needed)."
                )
            row = (found.accuracy, found.soft, *map(float, found.by_gap))
            rows.append((label, len(systems), len(topics), *row))
            series.append(Series(label, tuple(map(float, found.by_gap))))
        rows.sort(key=lambda row: -_number(row[4], row[3]))
        title = f"{one.judgement.label}, pairs of systems"
        chart = Chart(title, ChartKind.BARS, "pairs by difference", "accuracy", tuple(series), tuple(names))
        return Table(title, columns, tuple(rows)), chart, warnings

    def _accuracies(self, scores: Array, judged: Array) -> PairAccuracies:
        above = np.triu_indices(len(scores), 1)
        if not len(above[0]) or not scores.shape[1]:
            return PairAccuracies(np.nan, np.nan, np.full(self.groups, np.nan))
        mine, theirs = (_differences(values)[above] for values in (scores, judged))
        is_alike = np.sign(mine) == np.sign(theirs)
        order = np.argsort(np.abs(theirs), kind="stable")
        by_gap = [
            is_alike[part].mean() if len(part) else np.nan for part in np.array_split(order, self.groups)
        ]
        soft = np.nan
        if scores.shape[1] >= FEWEST_TOPICS:
            signs = random_signs(scores.shape[1], self.draws, self.seed)
            p, q = pairwise_p_values(normalize(np.stack((scores, judged)), (1, 2)), signs)
            soft = float(soft_pairwise_accuracy(p[None], q)[0])
        return PairAccuracies(float(is_alike.mean()), soft, np.array(by_gap))


def _differences(values: Array) -> Array:
    """Return the differences of normalized system means, shape (systems, systems)."""
    means = normalize(values).mean(axis=1)
    return round_to_grain(means[:, None] - means)


def _number(*cells: Cell) -> float:
    """Return the first defined number, -1 = none."""
    return next((cell for cell in cells if isinstance(cell, float) and np.isfinite(cell)), -1.0)
