"""Tests of every measure against the best one.

Williams' test, recommended by Graham 2015 for measures of the same summaries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.comparison.eligibility import eligible_rows
from core.comparison.families import SELECTION
from core.comparison.inference import CorrelationInputs, adjust_p_values, williams_differences
from core.comparison.options import Adjustment, InferenceOptions, williams_refusal
from core.errors import InputError
from core.experiments.common_settings import level_setting, policy
from core.experiments.inputs.measure_inputs import load_judgements, names_in, with_others
from core.experiments.inputs.named_matrices import MatrixSet, load_matrices
from core.experiments.inputs.topic_filters import judged_on_any, topics_of_set
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_about
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import CLASSIC, Coefficient, Level
from core.stats.types import Alternative


@register
@dataclass(frozen=True)
class AgainstTheBest(JudgedExperiment):
    """Test each measure against the one with the highest Pearson's r.

    Formula:
        t = (r₁ − r₂) · √((n − 1)(1 + r₁₂) / (2 · K · (n − 1)/(n − 3) + ((r₁ + r₂)/2)² · (1 − r₁₂)³))
        K = 1 − r₁² − r₂² − r₁₂² + 2 · r₁ · r₂ · r₁₂, with n − 3 degrees of freedom (Williams 1959)

    Limits:
        Williams' test assumes independent pairs and normal values: it applies to Pearson's r at system
        level, and is reported at other levels to replicate papers only. The best measure was chosen on the
        same data, so p is too small for it. p is not adjusted.
    """

    name: ClassVar[str] = "best"
    title: ClassVar[str] = "Measures compared with the best"
    about: ClassVar[str] = (
        "Three coefficients of every measure, and which measures are significantly worse than the best."
    )

    level: str = level_setting(Level.TOPIC)
    sides: str = setting(
        str(Alternative.GREATER),
        "two = two-sided; greater = one-sided, the best is better, as tested in papers.",
        choices=(str(Alternative.TWO), str(Alternative.GREATER)),
        title="Sides",
    )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        compared = yield from self.compared(study, resources)
        topics, level = topics_of_set(study, self.set), Level(self.level)
        tables, charts = [], []
        judged_by = with_others(self.people(study), compared.labels)
        people, refused = judged_on_any(judged_by, topics)
        for here in people.values():
            table = yield from self._table(here, compared.without(here.label), level)
            tables.append(table)
            charts.append(_bars(table))
        titles = " / ".join(coefficient_title(c) for c in CLASSIC)
        return Result(
            self.title,
            tuple(tables),
            tuple(charts),
            (policy(level, Coefficient.PEARSON), f"Columns: {titles}, all at this level.", self._test(level)),
            (*self.stand_ins(study), *compared.stand_ins),
            (
                *refused,
                *self._cautions(level),
                *compared.left_out,
                *cautions_about(compared.matrices, people, level, Coefficient.PEARSON),
                *compared.warnings,
            ),
        )

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        """Return the judgements."""
        return load_judgements(study, self.judgements)

    def compared(self, study: Study, resources: Resources) -> JobSteps[MatrixSet]:
        """Return the measures."""
        yield Progress(0, 0, "reading scores")
        return load_matrices(study, names_in(self.measures))

    def stand_ins(self, study: Study) -> tuple[str, ...]:
        """Return a sentence for each substitute of a paper's judgement."""
        return ()

    def _table(
        self, judgement: ScoreMatrix, compared: Sequence[ScoreMatrix], level: Level
    ) -> JobSteps[Table]:
        if not compared:
            raise InputError(f"No measures left to compare with {judgement.label}.")
        x = np.array([one.select(judgement.systems, judgement.topics).values for one in compared])
        values = np.array([CorrelationInputs(x, judgement.values, level, c).values() for c in CLASSIC])
        p, best = np.full(len(compared), np.nan), -1
        eligible = eligible_rows(compared, judgement)
        ranked = [i for i, one in enumerate(eligible) if one.is_ranked]
        if np.isfinite(values[0][ranked]).any():
            best = ranked[int(np.nanargmax(values[0][ranked]))]
            others = [i for i in ranked if i != best]
            chance = InferenceOptions(sides=Alternative(self.sides))
            sample = CorrelationInputs(x, judgement.values, level, Coefficient.PEARSON)
            p[others] = yield from williams_differences(sample, [(best, i) for i in others], chance)
        notes = ["best" if i == best else one.note for i, one in enumerate(eligible)]
        return _table_of(judgement.label, [one.label for one in compared], values, p, notes)

    def _test(self, level: Level) -> str:
        sides = "one-sided" if self.sides == Alternative.GREATER else "two-sided"
        n = (
            "the largest number of systems in a topic"
            if level is Level.TOPIC
            else "the number of systems or summaries"
        )
        return f"p: Williams' test of Pearson's r against the best, {sides}, n = {n}, df = n − 3."

    def _cautions(self, level: Level) -> list[str]:
        """Return cautions on the tests."""
        cautions = [f"{SELECTION}."]
        refusal = williams_refusal(level, Coefficient.PEARSON)
        if refusal:
            cautions.append(
                "Williams' test assumes independent pairs, which does not hold at this level. It is reported "
                "for replication of papers only; `correlate --compare best` runs a permutation test."
            )
        return cautions


def _table_of(human: str, labels: Sequence[str], values: Array, p: Array, notes: Sequence[str]) -> Table:
    """Return the table of one judgement. notes: ``top_spans``, or why a measure is not ranked."""
    holm = adjust_p_values(p, Adjustment.HOLM)
    rows: list[tuple[Cell, ...]] = [
        (label, *map(float, values[:, at]), float(p[at]), float(holm[at]), notes[at])
        for at, label in enumerate(labels)
    ]
    numbers = (Column(coefficient_title(c), str(c), CellKind.FINE_CORRELATION) for c in CLASSIC)
    tests = (Column("p", "p", CellKind.P), Column("p, Holm", "p_holm", CellKind.P))
    columns = (Column("Measure", "measure"), *numbers, *tests, Column("", "best"))
    ranked = [i for i, note in enumerate(notes) if "not ranked" not in note]
    highest = _highest([labels[i] for i in ranked], values[:, ranked])
    return Table(f"Correlation with {human}", columns, tuple(rows), highest)


def _highest(labels: Sequence[str], values: Array) -> str:
    """Return a sentence that names the highest measure by each coefficient, printed in bold in papers."""
    best = [
        f"{labels[int(np.nanargmax(row))]} by {coefficient_title(c)}"
        for c, row in zip(CLASSIC, values, strict=True)
        if np.isfinite(row).any()
    ]
    return f"Highest: {'; '.join(best)}." if best else ""


def _bars(table: Table) -> Chart:
    """Return a chart of the three coefficients of every measure."""
    series = tuple(
        Series(column.title, tuple(_number(row[place]) for row in table.rows))
        for place, column in enumerate(table.columns[1:4], 1)
    )
    ticks = tuple(str(row[0]) for row in table.rows)
    return Chart(table.title, ChartKind.BARS, "", "correlation", series, ticks)


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, float | int) else float("nan")
