"""Metric configurations of the Score page and their status in the study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from core.comparison.staleness_text import run_text
from core.comparison.stand_ins import stand_in_of
from core.errors import InputError, PyramidionError
from core.files.allowed_names import NotAllowed
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need, format_setting, setting_default
from core.operations.score import default_specs
from core.ports import MetricConfig, Study
from core.progress import JobSteps, Progress
from core.scoring.config import ScoringConfig
from core.scoring.plan import PlannedRun, RefusedRun, plan
from core.scoring.study_resources import StudyResources
from gui.pages.score.values import MetricDetails, MetricRow, ScoreState
from gui.results.setting_fields import setting_fields
from gui.style.language import tr


@dataclass(slots=True)
class ConfigEntry:
    """One configuration in the list. key: stays the same while its settings change."""

    key: int
    metric: Metric
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class ConfigStatus:
    """The plan of a configuration. changed: what has changed since scoring, a sentence; empty = nothing."""

    run: PlannedRun | RefusedRun
    changed: str = ""

    @property
    def stale(self) -> int:
        """Number of topics whose inputs have changed since scoring."""
        return len(self.run.changes) if isinstance(self.run, PlannedRun) else 0

    @property
    def planned(self) -> PlannedRun | None:
        """The run; None = it cannot run."""
        return self.run if isinstance(self.run, PlannedRun) else None

    @property
    def refusal(self) -> str:
        """Why it cannot run; empty = it can."""
        return self.run.reason if isinstance(self.run, RefusedRun) else ""

    @property
    def to_allow(self) -> NotAllowed | None:
        """The name that the user would have to allow; None = there is none."""
        return self.run.to_allow if isinstance(self.run, RefusedRun) else None

    @property
    def signature(self) -> str:
        """The signature; empty = it cannot run."""
        return self.run.stored.signature if isinstance(self.run, PlannedRun) else ""

    @property
    def state(self) -> ScoreState:
        if isinstance(self.run, RefusedRun):
            return ScoreState.UNABLE
        if not self.run.topics:
            return ScoreState.SCORED if self.run.up_to_date else ScoreState.NEW
        if self.stale:
            return ScoreState.STALE
        return ScoreState.PARTLY if self.run.up_to_date else ScoreState.NEW


class PlanningResources(StudyResources):
    """Resources that do not check the device: a plan needs its speed only."""

    @cached_property
    def device(self) -> str:
        return self.requested_device


def list_metrics(
    stored: Sequence[MetricConfig], models: Sequence[str] = (), language: str = ""
) -> list[Metric]:
    """Return the study's stored configurations and each metric's usual ones, without duplicates, by family.

    models: names of the models trained in the study; they replace the untrained metric.
    language: the language of the study, which decides usual settings.
    """
    trained = [registry.metric("s3", model=name) for name in models]
    bare = {registry.metric("s3")} if trained else set[Metric]()
    usual = [metric for metric in map(registry.parse, default_specs(language)) if metric not in bare]
    known = [*_stored_metrics(stored), *usual, *trained]
    once = list(dict.fromkeys(known))
    order = {cls.name: place for place, cls in enumerate(registry.metrics())}
    return sorted(once, key=lambda metric: order[metric.name])


def plan_configs(
    study: Study, configs: Sequence[ScoringConfig], device: str
) -> JobSteps[dict[Any, ConfigStatus]]:
    """Return the status of each configuration; reads every text once."""
    yield Progress(0, 0, tr("checking existing scores"))
    resources = PlanningResources(study, device)
    try:
        runs = plan(study, configs, resources).entries
    except PyramidionError:
        runs = tuple(_planned_alone(study, config, resources) for config in configs)
    return {
        run.config: ConfigStatus(run, run_text(study, run) if isinstance(run, PlannedRun) else "")
        for run in runs
    }


def name_of(metric: Metric) -> str:
    """Return the name of a configuration's measures before the last dot, as ``rouge-2``."""
    measures = metric.measures()
    return measures[0].rpartition(".")[0] or measures[0]


def differences(metric: Metric) -> str:
    """Return the settings that differ from the defaults, as text; empty = none."""
    return " · ".join(_differences(metric))


def full_name(metric: Metric) -> str:
    """Return a configuration's name and the settings that differ from the defaults."""
    return " ".join(part for part in (name_of(metric), differences(metric)) if part)


def row_of(entry: ConfigEntry, config_status: ConfigStatus | None) -> MetricRow:
    """Return an entry as a row of the list."""
    metric = entry.metric
    changed = differences(metric)
    state = config_status.state if config_status is not None else ScoreState.LOOKING
    return MetricRow(
        key=entry.key,
        name=name_of(metric),
        about=f"{changed} · {metric.about}" if changed else metric.about,
        family=metric.family,
        is_chosen=entry.is_chosen,
        state=state,
        status=_status(metric, config_status) if config_status is not None else "",
        tip=(config_status.refusal or config_status.changed) if config_status is not None else "",
    )


def with_distinct_names(rows: Sequence[MetricRow], entries: Sequence[ConfigEntry]) -> list[MetricRow]:
    """Return the rows, with settings in the names that would be equal otherwise."""
    counts = Counter(row.name for row in rows)
    return [
        replace(row, name=full_name(entry.metric), about=entry.metric.about) if counts[row.name] > 1 else row
        for row, entry in zip(rows, entries, strict=True)
    ]


def row_under_way(row: MetricRow, run: PlannedRun, done: int) -> MetricRow:
    """Return a row during a run. done: number of finished topics."""
    if done >= len(run.topics):
        return replace(row, state=ScoreState.SCORED, status=tr("scored"))
    if not done:
        return replace(row, state=ScoreState.WAITING, status=tr("waiting"))
    return replace(row, state=ScoreState.RUNNING, status=f"{100 * done // len(run.topics)} %")


def details_of(entry: ConfigEntry, config_status: ConfigStatus | None, *, can_remove: bool) -> MetricDetails:
    """Return the details of an entry."""
    metric = entry.metric
    problem = config_status.refusal if config_status is not None else ""
    planned = config_status.planned if config_status is not None else None
    return MetricDetails(
        key=entry.key,
        name=metric.name,
        family=metric.family,
        about=metric.about,
        paper=metric.paper,
        measures=metric.measures(),
        fields=setting_fields(metric),
        is_default=metric == type(metric)(),
        can_remove=can_remove,
        problem=problem,
        remedy=_remedy(metric, config_status) if config_status is not None and problem else "",
        stand_in=_stand_in(planned.stored) if planned is not None else "",
    )


def _remedy(metric: Metric, status: ConfigStatus) -> str:
    """Return the label of the button that resolves a problem; empty = none."""
    if status.to_allow is not None:
        return tr("Allow it")
    if Need.INDEX in metric.needs:
        return tr("Indexes…")
    return tr("Models…") if metric.needs & (MODELS - {Need.LEARNED}) else ""


def _stand_in(stored: MetricConfig) -> str:
    stand_in = stand_in_of(stored)
    return tr("S{stand_in}, which the paper used.", stand_in=stand_in[1:]) if stand_in else ""


def _stored_metrics(stored: Sequence[MetricConfig]) -> Iterator[Metric]:
    """Yield the metrics of stored configurations; imported scores have none."""
    for config in stored:
        try:
            yield registry.parse(config.spec)
        except InputError:
            continue


def _planned_alone(study: Study, config: ScoringConfig, resources: StudyResources) -> PlannedRun | RefusedRun:
    try:
        return plan(study, [config], resources).entries[0]
    except PyramidionError as error:
        return RefusedRun(config, str(error))


def _differences(metric: Metric) -> Iterator[str]:
    for f in fields(metric):
        value = getattr(metric, f.name)
        if value == setting_default(f):
            continue
        title = (f.metadata.get("title") or f.name).lower()
        if value is True:
            yield title
        else:
            yield tr("no {title}", title=title) if value is False else f"{title} {format_setting(value)}"


def _status(metric: Metric, config_status: ConfigStatus) -> str:
    run = config_status.run
    if isinstance(run, RefusedRun):
        return tr("Needs a model") if metric.needs & MODELS else tr("Cannot run")
    match config_status.state:
        case ScoreState.STALE:
            return tr("{topics} stale", topics=_topics(config_status.stale))
        case ScoreState.PARTLY:
            return tr("{topics} left", topics=_topics(len(run.topics)))
        case ScoreState.SCORED:
            return tr("scored")
    return ""


def _topics(count: int) -> str:
    return tr("%n topics", "", count)
