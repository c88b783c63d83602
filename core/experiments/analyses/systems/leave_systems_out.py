"""Influence of single systems, or of the weakest ones, on correlations.

A few systems far below the others raise every measure's correlation. The correlation without them shows
better how well a measure distinguishes good systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.common_settings import policy
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import compare_with_judgements, load_matrices
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level
from core.stats.precision import round_values

ONE, WEAKEST = "one", "weakest"
FEWEST_LEFT = 8
"""Minimum number of systems that remain: fewer lie on nearly any line."""

FEWEST_OF_FEW = 4
"""Minimum number of systems that remain in a study with no more than `FEWEST_LEFT`."""


@register
@dataclass(frozen=True)
class LeaveSystemsOut(MeasureExperiment):
    """Leave out each system in turn, or the weakest one by one by mean judgement.

    Formula:
        influence(s) = r without system s − r of all systems

    Limits:
        Correlations of few systems vary by chance. The weakest systems are chosen by the judgement that is
        then correlated: a lower correlation without them is expected, as the range of the values is
        smaller.
    """

    name: ClassVar[str] = "leave-out"
    title: ClassVar[str] = "Fewer systems"
    about: ClassVar[str] = (
        "Correlations without each system in turn, or without the 1, 2, 3, … weakest systems."
    )

    order: str = setting(
        WEAKEST,
        "one = each system in turn; weakest = the 1, 2, … systems with the lowest mean judgement.",
        choices=(ONE, WEAKEST),
        title="Left out",
    )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        tables, charts = [], []
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        for one in several:
            here, gone = one.judgement, removals(one.judgement, self.order)
            values = []
            for at, names in enumerate(gone):
                yield Progress(at, len(gone), f"{here.label} · without {len(names)}")
                values.append(one.on(_without(here, names)).correlations(level, coefficient))
            tables.append(self._table(here, gone, one.labels, np.array(values)))
            charts.append(self._chart(here, gone, one.labels, np.array(values), coefficient))
        rule = (
            "Systems are left out in order of increasing mean judgement."
            if self.order == WEAKEST
            else "Each row leaves out one system; the first row leaves out none."
        )
        policy_texts = (policy(level, coefficient), rule)
        warnings = (*cautions_of(several, level, coefficient), *compared.warnings)
        return Result(self.title, tuple(tables), tuple(charts), policy_texts, compared.stand_ins, warnings)

    def _table(
        self, judgement: ScoreMatrix, gone: Sequence[tuple[str, ...]], labels: Sequence[str], values: Array
    ) -> Table:
        left = Column("Systems", "systems", CellKind.COUNT)
        columns = (
            Column("Left out", "left_out"),
            left,
            *(Column(name, name, CellKind.FINE_CORRELATION) for name in labels),
        )
        count = _judged(judgement)
        rows: list[tuple[Cell, ...]] = [
            (self._label_of(names), count - len(names), *map(float, row))
            for names, row in zip(gone, values, strict=True)
        ]
        return Table(f"{judgement.label} without some systems", columns, tuple(rows))

    def _label_of(self, names: tuple[str, ...]) -> str:
        if not names:
            return "none"
        return names[0] if self.order == ONE or len(names) == 1 else f"… and {names[-1]}"

    def _chart(
        self,
        judgement: ScoreMatrix,
        gone: Sequence[tuple[str, ...]],
        labels: Sequence[str],
        values: Array,
        coefficient: Coefficient,
    ) -> Chart:
        title, name = f"{judgement.label} without some systems", coefficient_title(coefficient)
        if self.order == WEAKEST:
            count = _judged(judgement)
            x = tuple(float(count - len(names)) for names in reversed(gone))
            lines = tuple(
                Series(label, tuple(map(float, values[::-1, at])), x) for at, label in enumerate(labels)
            )
            note = f"Right end: all {count} systems; further left without the 1, 2, … weakest systems."
            return Chart(title, ChartKind.CURVES, "n (systems)", name, lines, note=note)
        moved = np.abs(values[1:] - values[0])
        most = np.nanmax(np.where(np.isfinite(moved), moved, 0.0), axis=1, initial=0.0)
        ticks = tuple(names[0] for names in gone[1:])
        bars = Series("largest change of any measure", tuple(map(float, most)))
        return Chart(title, ChartKind.BARS, "system left out", f"change of {name}", (bars,), ticks)


def removals(judgement: ScoreMatrix, order: str) -> list[tuple[str, ...]]:
    """Return the systems left out in each row, starting with none.

    At least `FEWEST_LEFT` systems remain, or `FEWEST_OF_FEW` in a small study.
    """
    means = judgement.system_means()
    there = [
        at
        for at in np.argsort(round_values(means, judgement.values), kind="stable")
        if np.isfinite(means[at])
    ]
    names = [judgement.systems[at] for at in there]
    fewest = FEWEST_LEFT if len(names) > FEWEST_LEFT else FEWEST_OF_FEW
    if len(names) <= fewest:
        return [()]
    if order == ONE:
        return [(), *((name,) for name in sorted(names))]
    return [tuple(names[:count]) for count in range(len(names) - fewest + 1)]


def _judged(judgement: ScoreMatrix) -> int:
    """Return how many systems are judged."""
    return int(np.isfinite(judgement.values).any(axis=1).sum())


def _without(judgement: ScoreMatrix, names: Sequence[str]) -> ScoreMatrix:
    """Return the judgement without these systems."""
    return judgement.only(set(judgement.systems) - set(names))
