"""Metric configurations of the Score page and their status in the study; summaries of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from core.comparison.cautions import note_sentences
from core.comparison.staleness_text import run_text
from core.comparison.stand_ins import stand_in_of
from core.errors import InputError, PyramidionError
from core.files.allowed_names import NotAllowed
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need, format_setting, setting_default
from core.operations.score import default_specs, requests_row, requests_text
from core.ports import MetricConfig, Study
from core.progress import JobSteps, Progress
from core.scoring.config import ScoringConfig
from core.scoring.engine import RunProgress, RunReport
from core.scoring.plan import PlannedRun, RefusedRun, ScoringPlan, plan
from core.scoring.study_resources import StudyResources
from gui.pages.score.view import LeftOut, MetricDetails, MetricRow, RunDetails, RunRow, ScoreState
from gui.results.settings_form import setting_fields
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
    metric = entry.metric
    problem = config_status.refusal if config_status is not None else ""
    planned = config_status.planned if config_status is not None else None
    return MetricDetails(
        metric=metric,
        fields=setting_fields(metric),
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
            return tr("{topics} stale", topics=tr("%n topics", "", config_status.stale))
        case ScoreState.PARTLY:
            return tr("{topics} left", topics=tr("%n topics", "", len(run.topics)))
        case ScoreState.SCORED:
            return tr("scored")
    return ""


@dataclass(slots=True)
class ActiveRun:
    """A run and its result.

    progress: the latest progress. report: the result; None = not finished.
    ending: a sentence if the run was cancelled or failed.
    """

    plan: ScoringPlan
    started: datetime
    device: str
    progress: Progress = field(default_factory=lambda: Progress(0, 0))
    report: RunReport | None = None
    ending: str = ""

    def done(self) -> tuple[int, ...]:
        """Return the number of finished topics of each configuration."""
        if isinstance(self.progress, RunProgress) and self.progress.topics:
            return self.progress.topics
        return (0,) * len(self.plan.runs)


def clock(seconds: float) -> str:
    """Return a duration as ``0:07``, ``2:10`` or ``1 h 05``."""
    whole = max(round(seconds), 0)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}"


def planned_details(
    chosen: Sequence[tuple[ConfigEntry, ConfigStatus | None]],
    facts: Sequence[tuple[str, str]],
    ending: str = "",
) -> RunDetails:
    """Return a run that has not started. ending: a sentence on the previous run."""
    known = [(entry, config_status) for entry, config_status in chosen if config_status is not None]
    able = [
        (entry, config_status, config_status.planned)
        for entry, config_status in known
        if config_status.planned is not None
    ]
    waiting = sum(bool(run.topics) for _, _, run in able)
    is_looking = len(known) < len(chosen)
    estimate = sum(run.seconds for _, _, run in able)
    return RunDetails(
        fact=tr("{able} chosen", able=len(able)) if able else "",
        hero=clock(max(estimate, 1.0)) if waiting and not is_looking else "",
        beside=_planned_text(
            len(chosen),
            waiting,
            is_looking=is_looking,
            are_scored=any(run.up_to_date for _, _, run in able),
            ending=ending,
        ),
        share=None,
        facts=tuple(facts),
        lines=tuple(_planned_line(entry, config_status, run) for entry, config_status, run in able),
        left_out=tuple(_left_out(known)),
        can_start=bool(waiting) and not is_looking,
    )


def running_details(
    run: ActiveRun,
    chosen: Sequence[tuple[ConfigEntry, ConfigStatus | None]],
    facts: Sequence[tuple[str, str]],
) -> RunDetails:
    progress, done = run.progress, run.done()
    share = progress.done / progress.total if progress.total else 0.0
    finished = sum(count == len(r.topics) for count, r in zip(done, run.plan.runs, strict=True))
    left = progress.seconds_left
    return RunDetails(
        fact=tr("started {started:%H:%M}", started=run.started),
        hero=clock(left) if left is not None else "…",
        beside=(
            tr("left"),
            tr(
                "{share:.0%} · {finished} of {runs} done",
                share=share,
                finished=finished,
                runs=len(run.plan.runs),
            ).replace("%", " %"),
        ),
        share=share,
        facts=tuple(facts),
        lines=tuple(_running_line(r, count) for r, count in zip(run.plan.runs, done, strict=True)),
        left_out=tuple(_left_out([(e, o) for e, o in chosen if o is not None])),
        is_running=True,
    )


def done_details(
    run: ActiveRun, report: RunReport, next_details: RunDetails, names: Mapping[str, str]
) -> RunDetails:
    """Return a finished run, above what could be run next. names: signature to display name."""
    failed = len(report.failures)
    words = _scored(run, report) + (tr(", {failed} failed", failed=failed) if failed else "")
    failures = (
        LeftOut(f"{names.get(f.signature, f.signature)} · {f.topic}", f.message) for f in report.failures
    )
    refused = (LeftOut(name, why) for name, why in report.refusals.items())
    noted = (([names.get(signature, signature)], notes) for signature, notes in report.notes.items())
    notes = tuple(sentence.replace("`", "") for sentence in note_sentences(noted))
    if next_details.can_start:
        return replace(next_details, facts=(*next_details.facts, (tr("Last run"), words)), notes=notes)
    return replace(
        next_details,
        fact=tr("done {now:%H:%M}", now=datetime.now()),
        hero=clock(report.seconds),
        beside=(tr("taken"), words),
        notes=notes,
        left_out=(*failures, *refused, *next_details.left_out),
    )


def _planned_text(
    chosen: int, waiting: int, *, is_looking: bool, are_scored: bool, ending: str
) -> tuple[str, str]:
    if is_looking:
        return tr("Checking existing scores …"), ending
    if not chosen:
        return tr("Nothing is chosen."), ending or tr("Tick metrics in the list, then press Score.")
    if not waiting and not are_scored:
        return tr("There is nothing to score."), ending or tr("The chosen metrics lack texts or models.")
    if not waiting:
        return tr("Everything chosen is scored."), ending
    return tr("estimated"), ending or tr("{metrics} to score", metrics=tr("%n metrics", "", waiting))


def _planned_line(entry: ConfigEntry, config_status: ConfigStatus, run: PlannedRun) -> RunRow:
    if not run.topics:
        state, status = config_status.state, tr("scored") if run.up_to_date else tr("nothing to score")
    elif run.up_to_date or config_status.stale:
        topics = tr("%n topics", "", len(run.topics))
        is_stale = config_status.stale == len(run.topics)
        what = tr("{topics} stale", topics=topics) if is_stale else tr("{topics} left", topics=topics)
        state, status = ScoreState.PARTLY, f"{what} · {_about(run)}"
    else:
        state, status = ScoreState.NEW, _about(run)
    about = differences(entry.metric), requests_text(requests_row(run.config.metric, run.requests))
    return RunRow(name_of(entry.metric), " · ".join(filter(None, about)), state, status)


def _running_line(run: PlannedRun, done: int) -> RunRow:
    metric, total = run.config.metric, len(run.topics)
    name, about = name_of(metric), differences(metric)
    if done >= total:
        return RunRow(name, about, ScoreState.SCORED, tr("done"))
    if not done:
        return RunRow(name, about, ScoreState.WAITING, tr("waiting"))
    return RunRow(
        name, about, ScoreState.RUNNING, tr("topic {done} of {total}", done=done, total=total), done / total
    )


def _left_out(known: Sequence[tuple[ConfigEntry, ConfigStatus]]) -> list[LeftOut]:
    sentences = []
    for entry, config_status in known:
        name = full_name(entry.metric)
        if isinstance(config_status.run, RefusedRun):
            sentences.append(LeftOut(name, config_status.run.reason, tr("Settings"), entry.key))
            continue
        for reason, count in config_status.run.left_out.items():
            sentences.append(LeftOut(name, tr("%n topics", "", count) + f": {reason}."))
    return sentences


def _scored(run: ActiveRun, report: RunReport) -> str:
    """Return ``37 metrics × 6 topics scored``, or the number of pairs if some are missing."""
    metrics = [r for r in run.plan.runs if r.topics]
    topics = {len(r.topics) for r in metrics}
    if len(topics) == 1 and report.scored == len(metrics) * (most := max(topics)):
        return tr(
            "{metrics} × {topics} scored",
            metrics=tr("%n metrics", "", len(metrics)),
            topics=tr("%n topics", "", most),
        )
    return tr("%n pairs of metric and topic scored", "", report.scored)


def _about(run: PlannedRun) -> str:
    return "< 1 s" if run.seconds < 1 else tr("about {clock}", clock=clock(run.seconds))
