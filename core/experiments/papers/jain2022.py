"""Tables and figures of Jain, Mavi, Jangra & Saha 2022 (WIDAR), for any study with judged summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.comparison.stand_ins import stand_in_of
from core.errors import InputError
from core.experiments.analyses.average_rank import heatmap, ranked
from core.experiments.analyses.intercorrelation import JudgementIntercorrelation
from core.experiments.analyses.settings_sweep import (
    SweepAxis,
    SweepResult,
    axis_of,
    grid,
    sweep,
    sweep_result,
)
from core.experiments.analyses.studies.published import OTHERS, WIDARS
from core.experiments.analyses.timing import Row, clock, timing_result
from core.experiments.common_settings import coefficient_setting, judgements_setting, level_setting, policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    MeasureSet,
    MeasureSpec,
    judged_as_published,
    no_judgements,
    score_and_load,
    unknown_metric,
)
from core.experiments.registry import recipe
from core.experiments.tables.cautions import cautions_about
from core.experiments.tables.correlation_tables import Numbers, all_numbers, numbers
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import MARK, Cell, CellKind, Column, Table
from core.metrics import registry
from core.metrics.base import Metric, Resources, setting
from core.ports import MetricConfig, Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level

PAPER = "Jain, Mavi, Jangra & Saha 2022"

ABLATION = (
    MeasureSpec("WIDAR-L", "widar"),
    MeasureSpec("ROUGE-L weighted", "widar:part=weighted"),
    MeasureSpec("without redundancy", "widar:part=coverage"),
    MeasureSpec("without coverage", "widar:part=redundancy"),
    MeasureSpec("ROUGE-L by sentence", "widar:part=sentences"),
    MeasureSpec("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    MeasureSpec("IDSS", "idss"),
)
SIMILARITIES = tuple(
    MeasureSpec(f"ROUGE-{n}-{letter}", f"idss:similarity=rouge-{n.lower()}.{part}")
    for n in ("1", "2", "L")
    for letter, part in (("R", "recall"), ("F", "f"))
)
TIMED = ("BLANC", "SUPERT", "MoverScore", "BERTScore", "SummaQA")
"""Metrics in the order of Table 4."""

_PRINTED = (
    "The paper defines the plain tau, (C − D) / (C + D), but its numbers match tau-b, which counts ties."
)


@dataclass(frozen=True)
class Jain2022Experiment(Experiment):
    """Base of the paper's experiments: Kendall's tau over all summaries, with the mean expert rating."""

    about: ClassVar[str] = (
        "Correlation of WIDAR and its parts with human judgements; missing scores are computed."
    )
    scores_texts: ClassVar[bool] = True

    judgements: str = judgements_setting()
    level: str = level_setting(Level.GLOBAL)
    coefficient: str = coefficient_setting(Coefficient.KENDALL)

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    @property
    def chosen(self) -> tuple[Level, Coefficient]:
        return Level(self.level), Coefficient(self.coefficient)

    def as_published(self) -> tuple[str, ...]:
        """Return notes on differences from the paper's numbers."""
        return (_PRINTED,) if self.chosen == (Level.GLOBAL, Coefficient.KENDALL) else ()


@dataclass(frozen=True)
class Jain2022MeasureTable(Jain2022Experiment):
    """Return a table of measures by judgement."""

    specs: ClassVar[tuple[MeasureSpec, ...]]

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        reading = yield from score_and_load(study, resources, self.specs)
        people = judged_as_published(study, self.judgements, ratings_first=True)
        correlations = [numbers(reading.matrices, z, *self.chosen) for z in people.values()]
        result = _table(self.title, reading, correlations)
        cautions = cautions_about(reading.matrices, people, *self.chosen)
        policies = (*result.policy, *self.as_published())
        return replace(result, policy=policies, warnings=(*cautions, *result.warnings))


@recipe("widar-figure-3", paper=PAPER, title="WIDAR by lambda")
@dataclass(frozen=True)
class Jain2022Figure3(Jain2022Experiment):
    """Figure 3: lambda from 0 to 1, and lambda taken from the mean or maximum of the coverage weights."""

    name: ClassVar[str] = "widar-figure-3"
    title: ClassVar[str] = "WIDAR by lambda"

    metric: str = setting("widar", "WIDAR in the syntax of -m.", title="Metric")
    values: str = setting("0:1:0.1", "Values of lambda, or FIRST:LAST:STEP.", title="Lambda")

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        base, people = _widar(self.metric), judged_as_published(study, self.judgements, ratings_first=True)
        axis, ways = axis_of(base, "lam", self.values), axis_of(base, "weighing", "mean,max")
        fixed = yield from sweep(study, resources, grid(self.metric, [axis]), -1, people, *self.chosen)
        driven = yield from sweep(study, resources, grid(self.metric, [ways]), -1, people, *self.chosen)
        result = sweep_result(self.title, [axis], fixed, *self.chosen)
        table = sweep_result("Lambda from the coverage weights", [ways], driven, *self.chosen).tables[0]
        charts = tuple(_by_judgement(axis, name, fixed, driven, self.chosen[1]) for name in people)
        return replace(result, tables=(*result.tables, table), charts=charts)


@recipe("widar-figure-4", paper=PAPER, title="WIDAR by its two thresholds")
@dataclass(frozen=True)
class Jain2022Figure4(Jain2022Experiment):
    """Figure 4: each threshold alone; `sweep` varies both together, as the paper did next."""

    name: ClassVar[str] = "widar-figure-4"
    title: ClassVar[str] = "WIDAR by its thresholds"

    metric: str = setting("widar", "WIDAR in the syntax of -m.", title="Metric")
    values: str = setting("0:1:0.1", "Values of each threshold, or FIRST:LAST:STEP.", title="Thresholds")

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        base, people = _widar(self.metric), judged_as_published(study, self.judgements, ratings_first=True)
        results = []
        for key in ("theta_1", "theta_2"):
            axis = axis_of(base, key, self.values)
            swept = yield from sweep(study, resources, grid(self.metric, [axis]), -1, people, *self.chosen)
            results.append(sweep_result(f"WIDAR by {key}", [axis], swept, *self.chosen))
        first, second = results
        return Result(
            self.title,
            first.tables + second.tables,
            first.charts + second.charts,
            tuple(dict.fromkeys((*first.policy, *second.policy))),
            warnings=first.warnings,
        )


@recipe("widar-table-2", paper=PAPER, title="Input document similarity by similarity function")
@dataclass(frozen=True)
class Jain2022Table2(Jain2022MeasureTable):
    """Table 2."""

    name: ClassVar[str] = "widar-table-2"
    title: ClassVar[str] = "Similarity of summary and document"
    specs: ClassVar[tuple[MeasureSpec, ...]] = SIMILARITIES


@recipe("widar-table-3", paper=PAPER, title="Correlation of metrics, with ranks and mean")
@dataclass(frozen=True)
class Jain2022Table3(Jain2022Experiment):
    """Table 3."""

    name: ClassVar[str] = "widar-table-3"
    title: ClassVar[str] = "Metrics ranked"

    neural: bool = setting(True, "Also score neural metrics, which is slow without a GPU.", title="Neural")

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        rows = [*(want for want in OTHERS if self.neural or want.label not in _NEURAL), *WIDARS]
        reading = yield from score_and_load(study, resources, rows)
        people = judged_as_published(study, self.judgements, ratings_first=True)
        result = ranked(self.title, reading.matrices, people, *self.chosen)
        policies = (*result.policy, *self.as_published())
        return _with_policy(replace(result, policy=policies), reading)


_NEURAL = ("MoverScore", "SMS", "BERTScore", "S3", "BLANC", "SUPERT", "SummaQA")


@recipe("widar-table-4", paper=PAPER, title="Run time of WIDAR and neural metrics")
@dataclass(frozen=True)
class Jain2022Table4(Experiment):
    """Table 4: a random sample of summaries, one reference each, timed on this machine."""

    name: ClassVar[str] = "widar-table-4"
    title: ClassVar[str] = "Time for 100 summaries"
    about: ClassVar[str] = "Run time of metrics on this machine, measured on a random sample of summaries."

    summaries: int = setting(
        100, "Number of summaries in the sample.", low=1, high=100_000, title="Summaries"
    )
    seed: int = setting(0, "Random seed.", low=0, title="Seed")

    def missing_requirements(self, study: Study) -> str:
        heads = study.texts.topics()
        there = any(head.summaries and head.references for head in heads)
        return "" if there else "This study has no summaries with references yet. Import some first."

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        wants = [*(want for label in TIMED for want in OTHERS if want.label == label), WIDARS[-1]]
        here, missing = [], []
        for want in wants:
            problem = _problem(want, resources)
            here += [] if problem else [want]
            missing += [f"{want.label} is left out: {problem}"] if problem else []
        metrics = [registry.parse(want.spec) for want in here]
        rows = yield from clock(study, resources, metrics, self.summaries, self.seed)
        used = [_timed_stand_in(metric, resources) for metric in metrics]
        named = [
            (f"{want.label}{MARK}" if model else want.label, *row[1:])
            for want, model, row in zip(here, used, rows, strict=True)
        ]
        stand_ins = tuple(
            f"{want.label} was timed with {ran}, a stand-in for {meant}."
            for want, model in zip(here, used, strict=True)
            if model
            for ran, _, meant in (model.removeprefix("stand-in: ").partition(" for "),)
        )
        all_rows = [*named[:-1], *_average(named[:-1]), named[-1]]
        timed = sorted({row[1] for row in rows})
        counts = "–".join(f"{n:,}" for n in dict.fromkeys((timed[0], timed[-1])))
        policy_text = (
            f"{counts} summaries timed, of at most {self.summaries:,} drawn at random (seed {self.seed}); "
            "those of the first sampled topic only warm up. Each is scored against its topic's first "
            f"reference, on this machine ({resources.device}), in one process, with models already loaded."
        )
        result = timing_result(self.title, all_rows, policy_text)
        charts = timing_result(self.title, named, policy_text).charts  # the mean is not drawn as a metric
        return replace(result, charts=charts, stand_ins=stand_ins, warnings=tuple(missing))


def _timed_stand_in(metric: Metric, resources: Resources) -> str:
    signature = metric.signature(resources)
    return stand_in_of(MetricConfig(signature, metric.name, "", metric.spec, metric.measures()))


@recipe("widar-table-5", paper=PAPER, title="Ablation of WIDAR")
@dataclass(frozen=True)
class Jain2022Table5(Jain2022MeasureTable):
    """Table 5: ablation; without redundancy only coverage weights remain, and vice versa."""

    name: ClassVar[str] = "widar-table-5"
    title: ClassVar[str] = "WIDAR and its parts"
    specs: ClassVar[tuple[MeasureSpec, ...]] = ABLATION


@recipe("widar-table-6", paper=PAPER, title="Correlation between dimensions of quality")
def _dimensions() -> JudgementIntercorrelation:
    return JudgementIntercorrelation()


def _average(rows: Sequence[Row]) -> list[Row]:
    """Return the mean of the times as a row, or no row without times."""
    if not rows:
        return []
    seconds, per_100 = (sum(times) / len(rows) for times in zip(*(row[2:] for row in rows), strict=True))
    return [("Mean", rows[0][1], seconds, per_100)]


def _widar(spec: str) -> Metric:
    metric = registry.parse(spec)
    if metric.name != "widar":
        raise InputError(
            f"{spec!r} is not WIDAR. Only WIDAR has these settings; use `sweep` for other metrics."
        )
    return metric


def _table(title: str, reading: MeasureSet, correlations: Sequence[Numbers]) -> Result:
    """Return measures by judgement, and the full numbers behind the table."""
    labels = [one.label for one in reading.measured]
    columns = [Column(each.judgement, each.judgement, CellKind.FINE_CORRELATION) for each in correlations]
    rows: list[tuple[Cell, ...]] = [
        (label, *(one.value for each in correlations if (one := each.of(label)) is not None))
        for label in labels
    ]
    table = Table(title, (Column("Measure", "measure", CellKind.CODE), *columns), tuple(rows))
    values = np.array([[one.value for one in each.correlations] for each in correlations]).T
    chart = heatmap(title, labels, [each.judgement for each in correlations], values, np.isfinite(values))
    policies = (policy(correlations[0].level, correlations[0].coefficient),)
    everything = all_numbers([("", each) for each in correlations])
    return _with_policy(Result(title, (table, everything), (chart,), policies), reading)


def _with_policy(result: Result, reading: MeasureSet) -> Result:
    return replace(
        result, stand_ins=reading.stand_ins, warnings=(*reading.missing, *result.warnings, *reading.warnings)
    )


def _by_judgement(
    axis: SweepAxis, name: str, fixed: SweepResult, driven: SweepResult, coefficient: Coefficient
) -> Chart:
    """Return the curve over lambda, with a line for each way to derive it from the coverage weights."""
    x = axis.numbers
    lines = [Series("fixed", tuple(one.value for one in fixed.correlations[name]), x)]
    for way, one in zip(("mean coverage", "maximum coverage"), driven.correlations[name], strict=True):
        lines.append(Series(way, (one.value,) * len(x), x))
    return Chart(name, ChartKind.CURVES, "Lambda", coefficient_title(coefficient), tuple(lines))


def _problem(want: MeasureSpec, resources: Resources) -> str:
    return unknown_metric(want) or registry.parse(want.spec).unavailable(resources)
