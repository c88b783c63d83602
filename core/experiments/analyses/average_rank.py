"""Correlations of measures with several judgements, ranked and averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.eligibility import eligible_rows, ranking_notes
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
    policy,
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
from core.experiments.tables.study_comparison_tables import competition_ranks, with_unranked
from core.formatting.tables import CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics.base import Resources
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level, correlate_many

Array = NDArray[np.float64]

RANKED = (
    "Rank 1 is the highest correlation; values equal to 3 decimals share the better rank. "
    "Lower-is-better metrics are negated."
)


@register
@dataclass(frozen=True)
class AverageRank(Experiment):
    """Rank measures by their mean correlation with several judgements and by their mean rank.

    Formula:
        mean      = Σ_j r_j(m) / J over the judgements j
        mean rank = Σ_j rank_j(m) / J, where rank_j = 1 + number of higher correlations, at three decimals

    Limits:
        A mean over judgements weights similar judgements together more than others. Differences are not
        tested; see `best` and `correlate --compare`.
    """

    name: ClassVar[str] = "ranking"
    title: ClassVar[str] = "Ranking over judgements"
    about: ClassVar[str] = "Correlation of every measure with every judgement, with means and ranks."

    measures: str = measures_setting()
    judgements: str = judgements_setting()
    level: str = level_setting(Level.GLOBAL)
    coefficient: str = coefficient_setting(Coefficient.KENDALL)

    def missing_requirements(self, study: Study) -> str:
        return missing_data(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 1, "correlating")
        measures, people = load_measures(study, self.measures), load_judgements(study, self.judgements)
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        result = ranked(self.title, [one.scores for one in measures], people, level, coefficient)
        warnings = (*result.warnings, *warnings_of(study, measures))
        return replace(result, stand_ins=stand_ins_of(measures), warnings=warnings)


def ranked(
    title: str,
    measures: Sequence[ScoreMatrix],
    people: Mapping[str, ScoreMatrix],
    level: Level,
    coefficient: Coefficient,
) -> Result:
    """Return measures by judgement with ranks, as a table and a heatmap.

    Measures computed from a judgement's own annotations, and incomplete ones, are listed below without ranks.
    """
    labels, values = [one.label for one in measures], correlations(measures, people, level, coefficient)
    parts = {name: eligible_rows(measures, z) for name, z in people.items()}
    marks = [
        dict.fromkeys(part[i].mark for part in parts.values() if not part[i].is_ranked)
        for i in range(len(measures))
    ]
    above = [i for i, each in enumerate(marks) if not each]
    below = [i for i, each in enumerate(marks) if each]
    table = with_unranked(
        ranked_table(title, [labels[i] for i in above], list(people), values[above]),
        [labels[i] for i in below], values[below], [", ".join(marks[i]) for i in below],
    )  # fmt: skip
    is_ranked = np.array([[one.is_ranked for one in part] for part in parts.values()], dtype=np.bool_).T
    chart = heatmap(title, labels, list(people), values, is_ranked)
    cautions = cautions_about(measures, people, level, coefficient)
    warnings = tuple(dict.fromkeys((*ranking_notes(labels, parts), *cautions)))
    return Result(title, (table,), (chart,), (policy(level, coefficient), RANKED), warnings=warnings)


def correlations(
    measures: Sequence[ScoreMatrix], people: Mapping[str, ScoreMatrix], level: Level, coefficient: Coefficient
) -> Array:
    """Return correlations of measures with judgements, shape (measures, judgements), NaN = undefined."""
    columns = [
        [one.value for one in correlate_many(stacked(measures, z), z.values, level, coefficient)]
        for z in people.values()
    ]
    return np.array(columns, dtype=np.float64).reshape(len(people), len(measures)).T


def ranked_table(
    title: str, labels: Sequence[str], judgements: Sequence[str], values: Array, shares: Array | None = None
) -> Table:
    """Return each measure's value and rank by judgement, the mean value with its rank, and the mean rank.

    values: shape (measures, judgements). A mean requires a value for every judgement.
    shares: weight of each judgement in the means, summing to 1; None = equal.
    """
    whole = np.asarray(np.isfinite(values).all(axis=1))
    count = values.shape[1]
    counts = np.full(count, 1 / max(count, 1)) if shares is None else shares
    means = np.where(whole, np.where(whole[:, None], values, 0.0) @ counts, np.nan)
    all_values = np.column_stack([values, means])
    ranks = competition_ranks(all_values)
    average = np.where(whole, np.where(whole[:, None], ranks[:, :-1], 0.0) @ counts, np.nan)
    columns = [Column("Measure", "measure", CellKind.CODE)]
    for name in (*judgements, "mean"):
        columns.append(Column(name.capitalize() if name == "mean" else name, name, CellKind.FINE_CORRELATION))
        heading = "Rank by mean" if name == "mean" else f"Rank ({name})"
        columns.append(Column(heading, f"{name}.rank", CellKind.COUNT))
    pairs = np.stack([all_values, ranks], axis=-1).reshape(len(values), 2 * (count + 1))
    rows = [
        (label, *(_rank(cell) if at % 2 else cell for at, cell in enumerate(row)), mean)
        for label, row, mean in zip(labels, pairs.tolist(), average.tolist(), strict=True)
    ]
    return Table(title, (*columns, Column("Mean of ranks", "mean_rank", CellKind.SCORE)), tuple(rows))


def heatmap(
    title: str, labels: Sequence[str], judgements: Sequence[str], values: Array, is_ranked: NDArray[np.bool_]
) -> Chart:
    """Return a table with a row per measure and a column per judgement.

    Cells of unranked measures are empty.
    """
    drawn = np.where(is_ranked, values, np.nan)
    rows = tuple(Series(label, tuple(row)) for label, row in zip(labels, drawn.tolist(), strict=True))
    note = _EMPTY if (np.isfinite(values) & ~is_ranked).any() else ""
    return Chart(title, ChartKind.HEATMAP, "", "", rows, tuple(judgements), note=note)


_EMPTY = "Empty cells are not ranked: computed from the same annotations, or incomplete."


def _rank(cell: float) -> int | None:
    return int(cell) if cell == cell else None
