"""Sweep over one or two settings of a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from itertools import product
from math import prod
from typing import Any, ClassVar

from core.errors import InputError
from core.experiments.common_settings import coefficient_setting, judgements_setting, level_setting, policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    MeasureSpec,
    load_judgements,
    measured,
    names_in,
    no_judgements,
    score_configs,
    stacked,
    unknown_metric,
    warnings_of,
)
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_about
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Metric, Resources, format_setting, setting, setting_default
from core.names import resolve_name
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Result, Series
from core.scoring.config import ScoringConfig
from core.scoring.plan import RefusedRun
from core.settings import parse_settings
from core.stats.correlation import Coefficient, Correlation, Level, correlate_many

MOST_CONFIGURATIONS = 400
"""Maximum number of configurations.

More are likely a typo, since each is scored on every topic and stored.
"""


@dataclass(frozen=True, slots=True)
class SweepAxis:
    """Setting and its parsed values."""

    key: str
    values: tuple[Any, ...]

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return the values if all are numbers, including layers, which are text; otherwise none."""
        try:
            return tuple(float(text) for text in self.texts)
        except ValueError:
            return ()

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(format_setting(value) for value in self.values)


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Result of a sweep. correlations: by judgement, one per metric in the grid's order."""

    metrics: tuple[Metric, ...]
    correlations: Mapping[str, tuple[Correlation, ...]]
    warnings: tuple[str, ...] = ()


@register
@dataclass(frozen=True)
class SettingsSweep(Experiment):
    """Sweep settings of a metric.

    Configurations are stored like all others, so that a stopped run resumes.

    Formula:
        r(v) = correlation of the judgement with the metric whose setting has the value v

    Limits:
        The best value is chosen on the same data, so its correlation is too high for new data: confirm it
        on another study or set of topics.
    """

    name: ClassVar[str] = "sweep"
    title: ClassVar[str] = "Metric settings"
    about: ClassVar[str] = "Correlation with human judgements for every value of one or two settings."
    scores_texts: ClassVar[bool] = True

    metric: str = setting("widar", "Metric in the syntax of -m: NAME or NAME:key=value,...", title="Metric")
    measure: str = setting("", "Measure of the metric, such as widar-l.f. Empty = the last.", title="Measure")
    vary: str = setting("lam", "Setting to vary.", title="Setting")
    values: str = setting("0:1:0.1", "Its values, separated by commas, or FIRST:LAST:STEP.", title="Values")
    second: str = setting("", "Second setting to vary. Empty = none.", title="Second setting")
    second_values: str = setting("", "Values of the second setting.", title="Second values")
    judgements: str = judgements_setting()
    level: str = level_setting(Level.GLOBAL)
    coefficient: str = coefficient_setting(Coefficient.KENDALL)

    def unused(self) -> dict[str, str]:
        return {} if self.second else {"second_values": "an empty second setting"}

    def missing_requirements(self, study: Study) -> str:
        if problem := unknown_metric(MeasureSpec(self.metric, self.metric)):
            return f"{self.metric} cannot be scored: {problem}"
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        base = registry.parse(self.metric)
        axes = [axis_of(base, self.vary, self.values)]
        if self.second:
            axes.append(axis_of(base, self.second, self.second_values))
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        people = load_judgements(study, self.judgements)
        place = place_of(base, self.measure)
        swept = yield from sweep(study, resources, grid(self.metric, axes), place, people, level, coefficient)
        return sweep_result(
            f"{base.name}: {' × '.join(axis.key for axis in axes)}", axes, swept, level, coefficient
        )


def place_of(metric: Metric, measure: str) -> int:
    """Return the index of a measure among the metric's, the last by default. Raises InputError."""
    names = metric.measures()
    if not measure:
        return len(names) - 1
    return names.index(resolve_name(f"measure of {metric.name}", measure, names))


def axis_of(metric: Metric, key: str, listed: str) -> SweepAxis:
    """Parse a setting's values. Raises InputError, or BadSetting if they do not fit the metric."""
    texts = _values(metric, key, listed)
    if not texts:
        raise InputError(f"{metric.name}: no values given for {key}.")
    return SweepAxis(
        key, tuple(parse_settings(metric.name, type(metric), {key: text})[key] for text in texts)
    )


def grid(metric: str, axes: Sequence[SweepAxis]) -> tuple[Metric, ...]:
    """Return the metric with every combination of values, the last axis varying fastest.

    metric: in the syntax of -m.
    """
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_CONFIGURATIONS:
        raise InputError(
            f"{count:,} configurations are too many: each is scored on every topic. Reduce the values "
            f"to at most {MOST_CONFIGURATIONS} combinations."
        )
    return registry.parse_varied(metric, {axis.key: axis.texts for axis in axes})


def sweep(
    study: Study,
    resources: Resources,
    metrics: Sequence[Metric],
    place: int,
    people: Mapping[str, ScoreMatrix],
    level: Level,
    coefficient: Coefficient,
) -> JobSteps[SweepResult]:
    """Score each of these metrics and correlate one of its measures, given by index.

    Raises InputError if a metric cannot run.
    """
    configs = [ScoringConfig(metric) for metric in metrics]
    plan = yield from score_configs(study, resources, configs)
    entries = {entry.config: entry for entry in plan.entries}
    measures = []
    for config in configs:
        run = entries[config]
        if isinstance(run, RefusedRun):
            raise InputError(run.reason)
        measures.append(measured(study, run.stored, config.metric.spec, run.stored.measures[place]))
    matrices = [one.scores for one in measures]
    return SweepResult(
        tuple(metrics),
        {
            name: tuple(correlate_many(stacked(matrices, z), z.values, level, coefficient))
            for name, z in people.items()
        },
        (*cautions_about(matrices, people, level, coefficient), *warnings_of(study, measures)),
    )


def sweep_result(
    title: str, axes: Sequence[SweepAxis], swept: SweepResult, level: Level, coefficient: Coefficient
) -> Result:
    """Return a sweep as a table with curves, bars or, for two settings, a heatmap per judgement."""
    charts = [_line(title, axes[0], swept, coefficient)] if len(axes) == 1 else _maps(axes, swept)
    return Result(
        title,
        (_table(title, axes, swept),),
        tuple(charts),
        (policy(level, coefficient), *_best(axes, swept)),
        warnings=swept.warnings,
    )


def _table(title: str, axes: Sequence[SweepAxis], swept: SweepResult) -> Table:
    heads = [Column(axis.key, axis.key, CellKind.CODE) for axis in axes]
    heads += [Column(name, name, CellKind.FINE_CORRELATION) for name in swept.correlations]
    rows: list[tuple[Cell, ...]] = []
    for at, point in enumerate(product(*(axis.texts for axis in axes))):
        rows.append((*point, *(each[at].value for each in swept.correlations.values())))
    return Table(title, (*heads, Column("n", "n", CellKind.COUNT)), tuple(_with_n(rows, swept)))


def _with_n(rows: Sequence[tuple[Cell, ...]], swept: SweepResult) -> list[tuple[Cell, ...]]:
    counts = zip(*swept.correlations.values(), strict=True)
    return [(*row, min(one.n for one in each)) for row, each in zip(rows, counts, strict=True)]


def _line(title: str, axis: SweepAxis, swept: SweepResult, coefficient: Coefficient) -> Chart:
    x = axis.numbers
    kind = ChartKind.CURVES if x else ChartKind.BARS
    lines = tuple(
        Series(name, tuple(one.value for one in each), x) for name, each in swept.correlations.items()
    )
    return Chart(title, kind, axis.key, coefficient_title(coefficient), lines, () if x else axis.texts)


def _maps(axes: Sequence[SweepAxis], swept: SweepResult) -> list[Chart]:
    down, across = axes
    wide = len(across.values)
    return [
        Chart(
            name,
            ChartKind.HEATMAP,
            across.key,
            down.key,
            tuple(
                Series(text, tuple(one.value for one in each[at * wide : (at + 1) * wide]))
                for at, text in enumerate(down.texts)
            ),
            across.texts,
        )
        for name, each in swept.correlations.items()
    ]


def _best(axes: Sequence[SweepAxis], swept: SweepResult) -> list[str]:
    """Return the best values for each judgement, with a caution that they were chosen on the same data."""
    points = [
        ", ".join(f"{axis.key}={text}" for axis, text in zip(axes, point, strict=True))
        for point in product(*(axis.texts for axis in axes))
    ]
    best = []
    for name, each in swept.correlations.items():
        defined = [at for at, one in enumerate(each) if one.value == one.value]
        if defined:
            best.append(
                f"highest correlation with {name} at {points[max(defined, key=lambda at: each[at].value)]}"
            )
    return (
        [f"{'; '.join(best)}. These values were selected on the same data, so they are optimistic."]
        if best
        else []
    )


def _values(metric: Metric, key: str, listed: str) -> list[str]:
    """Return values as texts; ranges are computed in decimals, so that 0:1:0.1 contains exactly 0.3."""
    parts = listed.split(":")
    if len(parts) != 3:
        return names_in(listed)
    try:
        first, last, step = (Decimal(part.strip()) for part in parts)
    except InvalidOperation:
        if _is_text(metric, key):
            return names_in(listed)
        raise InputError(
            f"{listed!r} is not a valid range. Write FIRST:LAST:STEP, such as 0:1:0.1."
        ) from None
    if step <= 0 or last < first:
        raise InputError(f"{listed!r} is an empty range. STEP must be positive and LAST at least FIRST.")
    count = int((last - first) / step) + 1
    return [str(first + step * i) for i in range(min(count, MOST_CONFIGURATIONS + 1))]


def _is_text(metric: Metric, key: str) -> bool:
    return any(f.name == key and isinstance(setting_default(f), str) for f in fields(metric))
