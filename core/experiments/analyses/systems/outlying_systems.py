"""Outlying systems by the median absolute deviation, and correlations without them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.common_settings import coefficient_setting, policy
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level
from core.stats.precision import round_values

_SCALE = 0.6745
"""Third quartile of the standard normal distribution."""


def robust_z(values: Array) -> Array:
    """Return 0.6745 (x − median) / MAD of each value (Iglewicz & Hoaglin 1993), shape (n,).

    NaN where missing, or where more than half of the values are equal.
    """
    middle = np.nanmedian(values) if np.isfinite(values).any() else np.nan
    deviation = np.nanmedian(np.abs(values - middle)) if np.isfinite(middle) else np.nan
    if not deviation:
        return np.full(values.shape, np.nan)
    return _SCALE * (values - middle) / deviation


@register
@dataclass(frozen=True)
class OutlyingSystems(JudgedExperiment):
    """Find systems far from the others, and correlate without them (Mathur, Baldwin & Cohn 2020).

    Formula:
        z(s) = 0.6745 · (mean(s) − median) / MAD, where MAD = median |mean(s) − median| over the systems

    Limits:
        Needs MAD > 0: if more than half of the systems have the same mean, no system is outlying. With few
        systems the median and MAD are uncertain. The limit of 2.5 is a convention.
    """

    name: ClassVar[str] = "outliers"
    title: ClassVar[str] = "Outlying systems"
    about: ClassVar[str] = (
        "Systems whose mean judgement is far from the median of all, and correlations with and without them."
    )

    limit: float = setting(
        2.5, "Distance from the median, in robust standard deviations, beyond which a system is left out.",
        low=0.5, high=20.0, title="Limit",
    )  # fmt: skip
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        coefficient, tables, notes = Coefficient(self.coefficient), [], []
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        for one in several:
            yield Progress(0, 0, one.judgement.label)
            z = robust_z(round_values(one.judgement.system_means(), one.judgement.values))
            tables += [self._systems(one, z), self._correlations(one, z, coefficient)]
            if np.isfinite(one.judgement.system_means()).any() and not np.isfinite(z).any():
                notes.append(
                    f"{one.judgement.label}: more than half of the systems have the same mean, so none is "
                    "outlying."
                )
        policy_texts = (
            policy(Level.SYSTEM, coefficient),
            "z = 0.6745 (mean − median of means) / median absolute deviation; systems with |z| > "
            f"{self.limit:g} are left out (Mathur, Baldwin & Cohn 2020).",
        )
        warnings = (*cautions_of(several, Level.SYSTEM, coefficient), *compared.warnings, *notes)
        return Result(self.title, tuple(tables), (), policy_texts, compared.stand_ins, warnings)

    def _systems(self, one: ComparisonSet, z: Array) -> Table:
        means = one.judgement.system_means()
        ordered = round_values(-np.nan_to_num(means, nan=-np.inf), one.judgement.values)
        columns = (
            Column("System", "system"),
            Column("Mean", "mean", CellKind.SCORE),
            Column("z", "z", CellKind.CORRELATION),
            Column("Outlying", "outlying"),
        )
        rows: list[tuple[Cell, ...]] = [
            (
                one.judgement.systems[at],
                float(means[at]),
                float(z[at]),
                "yes" if abs(z[at]) > self.limit else "no" if np.isfinite(z[at]) else "",
            )
            for at in np.argsort(ordered, kind="stable")
            if np.isfinite(means[at])
        ]
        return Table(f"{one.judgement.label} of each system", columns, tuple(rows))

    def _correlations(self, one: ComparisonSet, z: Array, coefficient: Coefficient) -> Table:
        kept = {
            name
            for name, distance in zip(one.judgement.systems, z, strict=True)
            if not abs(distance) > self.limit
        }
        judged = int(np.isfinite(one.judgement.values).any(axis=1).sum())
        gone = len(one.judgement.systems) - len(kept)
        whole = one.correlations(Level.SYSTEM, coefficient)
        rest = one.on(one.judgement.only(kept)).correlations(Level.SYSTEM, coefficient)
        columns = (
            Column("Measure", "measure"),
            Column("All systems", "all", CellKind.FINE_CORRELATION),
            Column("Without outlying ones", "without", CellKind.FINE_CORRELATION),
            Column("Difference", "difference", CellKind.FINE_CORRELATION),
        )
        rows = tuple(
            (label, float(before), float(after), float(after - before))
            for label, before, after in zip(one.labels, whole, rest, strict=True)
        )
        note = f"{judged} systems; {pluralize(gone, 'outlying one')} left out."
        return Table(f"{one.judgement.label}, with and without outlying systems", columns, rows, note)
