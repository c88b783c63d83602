"""Power of studies of other sizes to distinguish two measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.comparison.eligibility import eligible_rows
from core.errors import InputError
from core.experiments.common_settings import policy, seed_setting
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.inputs.topic_filters import whole_numbers
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.power import Power, power

_UNITS = (ResampleUnit.SYSTEMS, ResampleUnit.TOPICS)
_MOST_COMPARED = 5
_SMALLEST, _LARGEST = 3, 10_000


@register
@dataclass(frozen=True)
class PowerCurves(MeasureExperiment):
    """Simulate studies of other sizes, and estimate how often they detect the difference of two measures.

    Formula:
        d*(n)    = difference of both correlations in a simulated study: n systems or topics, with replacement
        power(n) = share of simulated studies with sign(d) · d*(n) > 1.96 · sd(d*(n))
        required = smallest n with the requested power, interpolated on a logarithmic scale

    Limits:
        Takes the observed difference as the true one, which is optimistic where it is large by chance: read
        the numbers for both ends of its interval. Sizes beyond the study's own repeat its systems or
        topics. The other unit stays as it is.
    """

    name: ClassVar[str] = "power"
    title: ClassVar[str] = "Required numbers of systems and topics"
    about: ClassVar[str] = (
        "How many systems or topics are needed to detect that a measure correlates better than another, "
        "with an interval, and the power of studies of each size."
    )

    compare: str = setting(
        "", "Measure to compare the others with, such as rouge-2.f. Empty = the best one.", title="Compare"
    )
    sizes: str = setting(
        "",
        "Numbers of systems or topics, separated by commas. Empty = multiples of this study's.",
        title="Sizes",
    )
    target: float = setting(0.8, "Power that is aimed at.", low=0.5, high=0.99, title="Power")
    draws: int = setting(
        1000, "Number of simulated studies of each size.", low=100, high=100_000, title="Simulated studies"
    )
    seed: int = seed_setting()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        names = names_in(self.measures)
        compared = load_matrices(study, [*names, *names_in(self.compare)] if names else [])
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        tables, charts, warnings = [], [], []
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        for one in several:
            pairs, notes = self._pairs(one, level, coefficient)
            warnings += notes
            found: dict[ResampleUnit, list[Power]] = {}
            for unit in _UNITS if pairs else ():
                found[unit] = yield from power(
                    one.x, one.judgement.values, level, coefficient, unit, pairs, self._tried(),
                    target=self.target, draws=self.draws, seed=self.seed,
                )  # fmt: skip
            if pairs:
                tables += [self._required(one, pairs, found), _powers(one, pairs, found)]
                charts += _curves(one, pairs, found, self.target)
        if not tables:
            raise InputError(" ".join(warnings) or "Nothing can be compared.")
        policy_texts = (
            policy(level, coefficient),
            f"Studies of each size are simulated {self.draws:,} times (seed {self.seed}) by drawing "
            f"systems, or topics, of this study with replacement; the other unit stays as it is. The "
            f"observed difference is taken as the true one.",
            "A simulated study detects the difference if it is further from 0 than 1.96 standard deviations "
            f"of the simulated differences. Required = smallest size with a power of {self.target:.0%}, "
            f"interpolated.",
            "Low and high: the same for both ends of the 95 % BCa interval of the difference, which is "
            "uncertain. Empty = more than the largest size that was tried, or unknown, as with a single "
            "topic; no size is enough where the interval contains 0.",
        )
        warnings += cautions_of(several, level, coefficient)
        return Result(
            self.title, tuple(tables), tuple(charts), policy_texts, compared.stand_ins,
            (*warnings, *compared.warnings),
        )  # fmt: skip

    def _tried(self) -> list[int] | None:
        """Return the requested sizes, None = multiples of the study's. Raises InputError."""
        sizes = whole_numbers(self.sizes)
        if sizes and sizes[0] < _SMALLEST:
            raise InputError(f"{sizes[0]} is too small a study: at least {_SMALLEST} are needed (`sizes`).")
        if sizes and sizes[-1] > _LARGEST:
            raise InputError(
                f"{sizes[-1]:,} is too large a study to simulate: at most {_LARGEST:,} (`sizes`)."
            )
        return sizes or None

    def _pairs(
        self, one: ComparisonSet, level: Level, coefficient: Coefficient
    ) -> tuple[list[tuple[int, int]], list[str]]:
        """Return the pairs of measures to compare, and sentences on those that are not."""
        values, label = one.correlations(level, coefficient), one.judgement.label
        eligible = eligible_rows(one.matrices, one.judgement)
        ranked = [at for at, row in enumerate(eligible) if row.is_ranked and np.isfinite(values[at])]
        if self.compare:
            (wanted,) = names_in(self.compare)[:1]
            first = next((at for at in ranked if one.labels[at].rstrip("†") == wanted), None)
            if first is None:
                return [], [f"{label}: {wanted} is incomplete, undefined or not scored."]
        else:
            first = max(ranked, key=lambda at: values[at], default=None)
        others = sorted((at for at in ranked if at != first), key=lambda at: -values[at])
        if first is None or not others:
            return [], [f"{label}: fewer than two measures can be compared."]
        notes = []
        if len(others) > _MOST_COMPARED and not names_in(self.measures):
            notes.append(f"{label}: only the next {_MOST_COMPARED} measures are compared; select others.")
            others = others[:_MOST_COMPARED]
        return [(first, at) for at in others], notes

    def _required(
        self, one: ComparisonSet, pairs: list[tuple[int, int]], found: dict[ResampleUnit, list[Power]]
    ) -> Table:
        columns = (
            Column("Measure", "measure"),
            Column("Compared with", "compared_with"),
            Column("Over", "over"),
            Column("This study", "here", CellKind.COUNT),
            Column("Difference", "difference", CellKind.FINE_CORRELATION),
            *interval_ends(CellKind.FINE_CORRELATION, "difference_"),
            Column("Required", "required", CellKind.COUNT),
            *interval_ends(CellKind.COUNT, "required_", ("Low", "High")),
            Column("Largest tried", "largest", CellKind.COUNT),
        )
        own = dict(zip(_UNITS, _judged(one), strict=True))
        rows: list[tuple[Cell, ...]] = [
            (
                one.labels[pairs[at][0]], one.labels[pairs[at][1]], str(unit), own[unit], each.difference,
                each.low, each.high, each.needed, each.needed_low, each.needed_high, each.sizes[-1],
            )
            for unit, powers in found.items()
            for at, each in enumerate(powers)
        ]  # fmt: skip
        title = f"{one.judgement.label}: numbers required for a power of {self.target:.0%}"
        note = (
            "Empty: more than the largest size that was tried, unknown, or none, as the interval contains 0."
        )
        return Table(title, columns, tuple(rows), note)


def _judged(one: ComparisonSet) -> tuple[int, int]:
    """Return the numbers of judged systems and topics."""
    there = np.isfinite(one.judgement.values)
    return int(there.any(axis=1).sum()), int(there.any(axis=0).sum())


def _powers(
    one: ComparisonSet, pairs: list[tuple[int, int]], found: dict[ResampleUnit, list[Power]]
) -> Table:
    columns = (
        Column("Measure", "measure"),
        Column("Compared with", "compared_with"),
        Column("Over", "over"),
        Column("Size", "size", CellKind.COUNT),
        Column("Power", "power", CellKind.FINE_CORRELATION),
        Column("Smallest difference", "power_low", CellKind.FINE_CORRELATION),
        Column("Largest difference", "power_high", CellKind.FINE_CORRELATION),
    )
    rows: list[tuple[Cell, ...]] = [
        (one.labels[pairs[at][0]], one.labels[pairs[at][1]], str(unit), size, *chances)
        for unit, powers in found.items()
        for at, each in enumerate(powers)
        for size, *chances in zip(each.sizes, each.chances, each.least, each.most, strict=True)
    ]
    note = "Power for the observed difference, and for both ends of its interval."
    return Table(f"{one.judgement.label}: power by size", columns, tuple(rows), note, is_detail=True)


def _curves(
    one: ComparisonSet, pairs: list[tuple[int, int]], found: dict[ResampleUnit, list[Power]], target: float
) -> list[Chart]:
    charts = []
    for (unit, powers), own in zip(found.items(), _judged(one), strict=True):
        with_band = len(powers) == 1  # bands of several curves hide each other
        series = tuple(
            Series(
                one.labels[pairs[at][1]],
                each.chances,
                tuple(map(float, each.sizes)),
                tuple(value if np.isfinite(value) else 0.0 for value in each.least) if with_band else (),
                each.most if with_band else (),
            )
            for at, each in enumerate(powers)
        )
        ends = (float(powers[0].sizes[0]), float(powers[0].sizes[-1]))
        aim = Series(f"{target:.0%}", (target, target), ends)
        title = f"{one.judgement.label}: power to distinguish {one.labels[pairs[0][0]]} by number of {unit}"
        band = "Band: power for both ends of the interval of the difference." if with_band else ""
        note = f"This study: {own} {unit}. {band}".strip()
        series = (*series, aim)
        charts.append(Chart(title, ChartKind.CURVES, str(unit), "power", series, note=note))
    return charts
