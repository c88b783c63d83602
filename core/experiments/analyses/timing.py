"""Run time of metrics, stored with the scores or measured now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import InputError
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import NO_SCORES
from core.experiments.registry import register
from core.formatting.tables import CellKind, Column, Table
from core.metrics.base import Metric, Resources
from core.ports import MetricConfig, Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.scoring.config import ScoringConfig
from core.scoring.study_resources import StudyResources


@register
@dataclass(frozen=True)
class TimePerMetric(Experiment):
    """Report the stored scoring time.

    It includes other load on the machine and, for the first topic, loading of models.

    Formula:
        seconds per 100 summaries = 100 · seconds of all topics / summaries scored

    Limits:
        Measured once, when the scores were computed, on the machine used then. Do not compare runs on
        different machines or devices. Imported scores have no time.
    """

    name: ClassVar[str] = "time"
    title: ClassVar[str] = "Time per metric"
    about: ClassVar[str] = "How long each metric took to score this study."

    def missing_requirements(self, study: Study) -> str:
        return "" if any(not config.is_imported for config in study.scores.configs()) else NO_SCORES

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        configs = [config for config in study.scores.configs() if not config.is_imported]
        rows = []
        for done, config in enumerate(configs):
            yield Progress(done, len(configs), config.metric)
            rows.append(_row(study, config))
        rows.sort(key=lambda row: -row[-1])
        return timing_result(self.title, rows, _STORED)


Row = tuple[str, int, float, float]
"""Row of the table: metric, summaries scored, total seconds, seconds per 100 summaries."""

_STORED = (
    "Seconds stored when each topic was scored, on the machine used then, against all selected "
    "references; the first topic includes loading the model."
)


def timing_result(title: str, rows: Sequence[Row], policy: str) -> Result:
    """Return times as a table and bars."""
    columns = (
        Column("Metric", "metric", CellKind.CODE),
        Column("Summaries", "summaries", CellKind.COUNT),
        Column("Seconds", "seconds", CellKind.SCORE),
        Column("Seconds per 100", "seconds_per_100", CellKind.SCORE),
    )
    chart = Chart(
        title,
        ChartKind.BARS,
        "",
        "Seconds for 100 summaries",
        (Series("Seconds", tuple(row[-1] for row in rows)),),
        tuple(row[0] for row in rows),
    )
    return Result(title, (Table(title, columns, tuple(rows)),), (chart,), (policy,))


def clock(
    study: Study, resources: Resources, metrics: Sequence[Metric], summaries: int, seed: int
) -> JobSteps[list[Row]]:
    """Time metrics on a random sample of summaries, each against its topic's first reference.

    No encodings or tokens of other metrics are reused. The first sampled topic is scored before the clock
    starts, so that loading and compiling do not count; it is timed only if it is the only one.
    """
    topics = _drawn(study, summaries, seed)
    rows: list[Row] = []
    for done, metric in enumerate(metrics):
        yield Progress(done, len(metrics), f"loading {metric.name}")
        own = StudyResources(study, resources.device)
        fit = [topic for topic in topics if not ScoringConfig(metric).missing_requirements(topic, own)]
        if not fit:
            reason = ScoringConfig(metric).missing_requirements(topics[0], own)
            raise InputError(f"{metric.name} cannot be timed: {reason}.")
        metric.score(metric.prepare(fit[0], own))
        timed, seconds = fit[1:] or fit, 0.0
        for at, topic in enumerate(timed):
            began = time.perf_counter()
            metric.score(metric.prepare(topic, own))
            seconds += time.perf_counter() - began
            yield Progress(done + (at + 1) / len(timed), len(metrics), f"{metric.name} · {topic.name}")
        count = sum(len(topic.summaries) for topic in timed)
        rows.append((metric.spec, count, seconds, 100 * seconds / count))
    return rows


def _drawn(study: Study, summaries: int, seed: int) -> list[TopicTexts]:
    """Return topics with the sampled summaries and one reference each.

    Raises InputError if there are none.
    """
    there = [
        (topic.id, place)
        for topic in study.texts.load()
        if topic.references
        for place in range(len(topic.summaries))
    ]
    if not there:
        raise InputError("This study has no summaries with references yet. Import some first.")
    chosen = np.random.default_rng(seed).permutation(len(there))[:summaries]
    requested: dict[str, list[int]] = {}
    for at in sorted(chosen.tolist()):
        requested.setdefault(there[at][0], []).append(there[at][1])
    return [
        replace(
            topic,
            references=topic.references[:1],
            summaries=tuple(topic.summaries[place] for place in requested[topic.id]),
        )
        for topic in study.texts.load(list(requested))
    ]


def _row(study: Study, config: MetricConfig) -> Row:
    blocks = study.scores.blocks(config.signature)
    summaries, seconds = sum(len(block.systems) for block in blocks), sum(block.seconds for block in blocks)
    return config.spec, summaries, seconds, 100 * seconds / summaries if summaries else float("nan")
