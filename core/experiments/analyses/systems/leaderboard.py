"""Systems ranked by a judgement or measure, with clusters of those that do not differ significantly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.common_settings import seed_setting
from core.experiments.inputs.measure_inputs import load_judgements, names_in
from core.experiments.inputs.named_matrices import load_matrices
from core.experiments.inputs.topic_filters import judged_on_any, topics_of_set
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.paired_differences import FEWEST, exchange_p, mean_intervals
from core.stats.precision import round_values
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.significance import MOST_DRAWS, holm, required_draws, smallest_p
from core.stats.significance_groups import cluster_ranks
from core.stats.soft_pairwise_accuracy import random_signs

_MOST = 400_000
"""Permutations that still fit into memory with hundreds of topics."""


@register
@dataclass(frozen=True)
class Leaderboard(JudgedExperiment):
    """Rank systems by judgements and measures, with intervals and clusters.

    Formula:
        p(i, j) = (1 + #{|d*| ≥ |d|}) / (1 + B), where d is the sum of the differences of systems i and j over
                  the topics, and d* the same after a random exchange of the two systems in each topic; B is
                  the number of permutations, or 2 m / α for m pairs if that is more, up to 100,000
        cluster = from the best mean down; a new one begins at a system with p < α, adjusted by Holm, against
                  one in the current cluster

    Limits:
        With n topics and m pairs of systems the smallest adjusted p is m · max(2 / 2ⁿ, 1 / (1 + B)); if
        that is not below α, no difference can be significant, and there are no clusters. Two systems in one
        cluster need not be equal. Intervals hold for other topics of the same kind, not for other
        annotators.
    """

    name: ClassVar[str] = "leaderboard"
    title: ClassVar[str] = "Leaderboard of systems"
    about: ClassVar[str] = "Systems by mean, with intervals over topics and clusters of equal significance."

    draws: int = setting(
        10_000,
        "Number of resamples, and of permutations unless the number of pairs requires more.",
        low=100,
        high=_MOST,
        title="Permutations",
    )
    alpha: float = setting(0.05, "Significance level of clusters.", low=0.001, high=0.5, title="Level")
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        return "" if study.texts.topics() else "no texts yet; import a data set"

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        topics = topics_of_set(study, self.set)
        judged, refused = judged_on_any(load_judgements(study, self.judgements), topics)
        ranked, warnings = list(judged.values()), list(refused)
        stand_ins: tuple[str, ...] = ()
        if names := names_in(self.measures):
            loaded = load_matrices(study, names)
            ranked += [one.select(one.systems, topics) for one in loaded.matrices]
            stand_ins, warnings = loaded.stand_ins, [*warnings, *loaded.warnings]
        tables, charts = [], []
        for at, one in enumerate(ranked):
            yield Progress(at, len(ranked), one.label)
            table, chart = self.ranking(one)
            tables.append(table)
            charts.append(chart)
            warnings += [f"{one.label}: {table.note}"] if table.note else []
        policy = (
            f"Mean over topics; 95 % BCa bootstrap interval over topics, {self.draws:,} resamples, seed "
            f"{self.seed}.",
            f"Clusters: differences of every pair by paired permutation of topics, two-sided, {self.draws:,} "
            f"permutations, or 2 / α for each pair if that is more, Holm's adjustment, α = {self.alpha:g}; a "
            "new cluster begins at a system that differs from one in the current cluster.",
            "Only topics with a value of every ranked system are compared.",
        )
        return Result(self.title, tuple(tables), tuple(charts), policy, stand_ins, tuple(warnings))

    def ranking(self, one: ScoreMatrix) -> tuple[Table, Chart]:
        present = [at for at in range(len(one.systems)) if np.isfinite(one.values[at]).any()]
        rows = one.select([one.systems[at] for at in present], one.topics)
        means, common = rows.system_means(), _common(rows)
        ordered = round_values(means, rows.values)
        remark, short = self._too_few(*common.shape)
        ranks = (None,) * len(present) if remark else cluster_ranks(ordered, self._differs(common))
        low, high, reasons = mean_intervals(rows.values, min(self.draws, 9_999), self.seed)
        order = np.argsort(-ordered, kind="stable")
        columns = (
            Column("Rank", "rank", CellKind.COUNT),
            Column("System", "system"),
            Column("Mean", "mean", CellKind.SCORE),
            *interval_ends(CellKind.SCORE),
            Column("Topics", "topics", CellKind.COUNT),
            Column("Cluster", "cluster", CellKind.COUNT),
            Column("Note", "note"),
        )
        cells: list[tuple[Cell, ...]] = [
            (
                1 + int((ordered > ordered[at]).sum()),
                rows.systems[at],
                float(means[at]),
                float(low[at]),
                float(high[at]),
                int(np.isfinite(rows.values[at]).sum()),
                ranks[at],
                "; ".join(filter(None, (reasons[at], short))),
            )
            for at in order
        ]
        names = tuple(rows.systems[at] for at in order)
        bars = Series(
            one.label,
            tuple(float(means[at]) for at in order),
            low=tuple(float(low[at]) for at in order),
            high=tuple(float(high[at]) for at in order),
        )
        title = f"Systems by {one.label}"
        chart = Chart(title, ChartKind.BARS, "system", one.label, (bars,), names, remark)
        return Table(title, columns, tuple(cells), remark), chart

    def _too_few(self, systems: int, topics: int) -> tuple[str, str]:
        """Return why no difference of systems can be significant, in full and in short, empty = one can."""
        pairs = systems * (systems - 1) // 2
        if not pairs:
            return "", ""
        if topics < FEWEST:
            few = f"{pluralize(topics, 'topic')} with a value of every system: too few for clusters."
            return few, "clusters: too few topics"
        of_topics, draws = smallest_p(systems, topics, ResampleUnit.TOPICS, 2**62), self._permutations(pairs)
        least = max(of_topics, 1 / (1 + draws))
        adjusted = min(1.0, least * pairs)
        if adjusted < self.alpha:
            return "", ""
        are_few, needed = of_topics * pairs >= self.alpha, required_draws(pairs, self.alpha)
        short = "topics" if are_few else "permutations"
        remedy = "" if are_few or needed > _MOST else f" Use -s draws={needed}."
        return (
            f"No difference can be significant at {self.alpha:g}: with {pluralize(topics, 'topic')} and "
            f"{draws:,} permutations the smallest p of a pair is {least:.2g}, adjusted over "
            f"{pluralize(pairs, 'pair')} {adjusted:.2g}.{remedy}"
        ), f"clusters: too few {short}"

    def _permutations(self, pairs: int) -> int:
        """Return the number of permutations with which one of these pairs can differ significantly."""
        return max(self.draws, min(required_draws(pairs, self.alpha), MOST_DRAWS))

    def _differs(self, values: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return which pairs differ significantly, shape (systems, systems)."""
        count = len(values)
        differs = np.zeros((count, count), dtype=np.bool_)
        first, second = np.triu_indices(count, 1)
        if len(first):
            signs = random_signs(values.shape[1], self._permutations(len(first)), self.seed)
            p = exchange_p(np.stack((values[first], values[second]), axis=2), signs)
            differs[first, second] = holm(p) < self.alpha
        return differs | differs.T


def _common(one: ScoreMatrix) -> Array:
    """Return the values of the systems that have any, on topics for which all of them have one."""
    values = one.values[np.isfinite(one.values).any(axis=1)]
    return values[:, np.isfinite(values).all(axis=0)]
