"""Presenter of the Score page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import BadSetting, InputError
from core.files.allowed_names import NameKind, allowed_names
from core.formatting.numbers import format_count
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need
from core.metrics.learned.model_store import model_names
from core.models.runtime.devices import available_device, likely_devices
from core.ports import ChangeKind, ChangeSet, MetricConfig, Study, language_of
from core.progress import JobSteps, Progress
from core.scoring.config import ScoringConfig
from core.scoring.engine import RunReport
from core.scoring.experiment_scores import listed_configs, score_and_promote
from core.scoring.plan import PlannedRun, ScoringPlan
from core.scoring.process_pool import cores, local_workers
from core.scoring.study_resources import StudyResources
from gui.background.jobs import Job, JobQueue, Jobs, OneJob
from gui.background.turn_queue import TurnQueue
from gui.pages.score.configurations import (
    ActiveRun,
    ConfigEntry,
    ConfigStatus,
    details_of,
    done_details,
    full_name,
    list_metrics,
    plan_configs,
    planned_details,
    row_of,
    row_under_way,
    running_details,
    with_distinct_names,
)
from gui.pages.score.training import AskTraining, TrainingController, ask_training
from gui.pages.score.view import MetricRow, ScoreState, ScoreView
from gui.results.values import FieldKind, SettingField, choose_place_text
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.controls import Choice
from gui.widgets.file_dialogs import ask_file, ask_folder

PAGE = "score"
_CONCERNED = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.SCORES,
        ChangeKind.PYRAMIDS,
        ChangeKind.MATCHES,
        ChangeKind.PEOPLE,
        ChangeKind.SETTINGS,
    }
)


@dataclass(frozen=True, slots=True)
class StudySurvey:
    """Contents of a study for scoring. topics: ids in order; metrics: to list; language: of its texts."""

    topics: tuple[str, ...]
    authors: tuple[str, ...]
    words: str
    texts: str
    metrics: tuple[Metric, ...]
    stored: tuple[MetricConfig, ...]
    language: str = ""

    def suggests(self, metric: Metric) -> bool:
        """Return whether a metric is chosen by default.

        These are the metrics of earlier runs; without any, all but neural metrics, which can take hours,
        and those that must be named (`Metric.is_usual`).
        """
        if not self.stored:
            return metric.is_usual and metric.needs.isdisjoint(MODELS)
        return any(config.metric == metric.name for config in self.stored)


def build(context: Context) -> tuple[ScoreView, ScorePresenter]:
    view = ScoreView([Choice(device.name, device.title) for device in likely_devices()])
    return view, ScorePresenter(
        view, context, partial(ask_folder, view), partial(ask_file, view), partial(ask_training, parent=view)
    )


class ScorePresenter(QObject):
    """Lists configurations, plans them and runs the chosen ones.

    ask_folder, ask_file: ask for a path with a question; None = nothing was chosen.
    ask_training: ask what to train; None = nothing.
    """

    def __init__(
        self,
        view: ScoreView,
        context: Context,
        ask_folder: Callable[[str], Path | None],
        ask_file: Callable[[str], Path | None],
        ask_training: AskTraining,
    ) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._ask_folder, self._ask_file = ask_folder, ask_file
        self._study = context.study
        self._keys = count()
        self._entries: list[ConfigEntry] = []
        self._statuses: dict[ScoringConfig, ConfigStatus] = {}
        self._survey: StudySurvey | None = None
        self._references: tuple[str, ...] = ()
        self._humans = False
        self._device = available_device(context.settings.now.device)
        self._current_key: int | None = None
        self._planning: Job | None = None
        self._running = RunController(context.study, context.jobs, self)
        self._training = TrainingController(context, ask_training, view)
        self._is_outdated = True
        self._turns = TurnQueue(self)
        view.device_box.choose(self._device)
        self._connect()
        self._show()

    def _connect(self) -> None:
        view, commands = self._view, self._context.commands
        view.shown.connect(self._catch_up)
        view.metrics.row_chosen.connect(self._show_entry)
        view.metrics.toggled.connect(self._toggle)
        view.details.form.changed.connect(self._set)
        view.details.form.place_requested.connect(self._pick_place)
        view.details.another_button.clicked.connect(self._add_another)
        view.details.reset_button.clicked.connect(self._reset)
        view.details.remove_button.clicked.connect(self._remove)
        view.preset_chosen.connect(self._choose_preset)
        view.references_box.chosen.connect(self._choose_references)
        view.humans_box.toggled.connect(self._choose_humans)
        view.device_box.chosen.connect(self._choose_device)
        view.run_button.clicked.connect(self.run)
        view.stop_button.clicked.connect(self._running.job.stop)
        view.training_button.clicked.connect(self._training.start)
        for requested in (view.models_button.clicked, view.details.problem.remedy_button.clicked):
            requested.connect(self._open_remedy)
        commands.bind("score.run", self.run, PAGE)
        commands.bind("score.stop", self._running.job.stop, PAGE)
        commands.bind("score.train", self._training.start, PAGE)
        commands.bind("edit.find", view.search.focus_default, PAGE)
        self._context.changes.changed.connect(self._on_changed)
        self._running.moved.connect(self._follow_run)
        self._running.ended.connect(self._end_run)

    # What there is

    @Slot()
    def _catch_up(self) -> None:
        """Read the study again if it changed while the page was hidden."""
        if self._is_outdated and self._running.job.current is None:
            self._is_outdated = False
            job = self._context.jobs.start(tr("Reading the study"), survey_study(self._study))
            job.finished.connect(self._take_survey)

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED or changes.is_external:
            self._is_outdated = True
            if self._view.isVisible():
                self._catch_up()

    @Slot(object)
    def _take_survey(self, survey: StudySurvey) -> None:
        is_first = self._survey is None
        chosen = self._drop_settings_of_another_language(survey)
        self._survey = survey
        known = {entry.metric for entry in self._entries}
        for metric in survey.metrics:
            if metric not in known:
                is_chosen = (is_first and survey.suggests(metric)) or metric.name in chosen
                self._entries.append(ConfigEntry(next(self._keys), metric, is_chosen))
        authors = [Choice(author, author) for author in survey.authors]
        self._view.show_study(survey.words, authors, self._references)
        self._statuses.clear()
        self._show_metrics()
        self._turns.add(self._show_run, self._show_current)
        for message in registry.PLUGINS.failures() if is_first else ():
            self._context.show_message(message)
        self._plan_unknown()

    def _drop_settings_of_another_language(self, survey: StudySurvey) -> set[str]:
        """Remove configurations of another language; return the names of the chosen ones among them."""
        before = self._survey
        if before is None or before.language == survey.language:
            return set()
        gone = set(before.metrics) - set(survey.metrics)
        dropped = [entry for entry in self._entries if entry.metric in gone]
        self._entries = [entry for entry in self._entries if entry.metric not in gone]
        if self._current_key in {entry.key for entry in dropped}:
            self._current_key = None
        return {entry.metric.name for entry in dropped if entry.is_chosen}

    def _plan_unknown(self) -> None:
        """Plan the configurations whose status is unknown; one job at a time."""
        unknown = [c for c in map(self._config, self._entries) if c not in self._statuses]
        if self._planning is not None or self._running.job.current is not None or not unknown:
            return
        work = plan_configs(self._study, unknown, self._device)
        self._planning = self._context.jobs.start(tr("Planning"), work)
        self._planning.finished.connect(self._take_statuses)
        self._planning.ended.connect(self._end_planning)

    @Slot(object)
    def _take_statuses(self, statuses: dict[ScoringConfig, ConfigStatus]) -> None:
        self._statuses |= statuses

    @Slot()
    def _end_planning(self) -> None:
        self._planning = None
        self._show_run()
        self._turns.add(self._show_current, self._show_metrics)
        self._plan_unknown()

    def _show_current(self) -> None:
        if self._current_key is None and self._entries:
            self._view.metrics.choose(self._entries[0].key)
        else:
            self._show_details()

    # What the user does

    @Slot(object)
    def _show_entry(self, key: int) -> None:
        self._current_key = key
        self._show_details()

    @Slot(object)
    def _toggle(self, key: int) -> None:
        entry = next(entry for entry in self._entries if entry.key == key)
        config_status = self._config_status(entry)
        if config_status is not None and config_status.refusal and not entry.is_chosen:
            self._context.show_message(config_status.refusal)
            return
        entry.is_chosen = not entry.is_chosen
        self._show()

    @Slot(str, object)
    def _set(self, key: str, value: Any) -> None:
        entry = self._current
        if entry is None:
            return
        try:
            metric = replace(entry.metric, **{key: value})
        except BadSetting as error:
            self._context.show_message(str(error))
            self._show_details()
            return
        allowed_names().named(str(value))  # what the user types or chooses is allowed
        if key == metric.program_setting:
            allowed_names().allow(NameKind.COMMAND, value)
        self._change(entry, metric)

    @Slot()
    def _open_remedy(self) -> None:
        """Open the dialog for what the current configuration lacks, or allow its server or program."""
        entry = self._current
        config_status = self._config_status(entry) if entry is not None else None
        if config_status is not None and (to_allow := config_status.to_allow) is not None:
            try:
                allowed_names().allow(to_allow.kind, to_allow.name)
            except InputError as error:
                self._context.show_message(str(error))
            self.plan_again()
            return
        lacks_index = entry is not None and Need.INDEX in entry.metric.needs
        self._context.commands.action("score.indexes" if lacks_index else "score.models").trigger()

    @Slot(object)
    def _pick_place(self, field: SettingField) -> None:
        if field.kind is FieldKind.INDEX:
            self._context.commands.action("score.indexes").trigger()
            return
        ask = self._ask_file if field.kind is FieldKind.FILE else self._ask_folder
        place = ask(choose_place_text(field))
        if place is not None:
            self._set(field.key, str(place))

    @Slot()
    def _add_another(self) -> None:
        entry = self._current
        if entry is not None:
            self._insert_after(entry, entry.metric, is_chosen=True)

    @Slot()
    def _reset(self) -> None:
        entry = self._current
        if entry is not None:
            self._change(entry, type(entry.metric)())

    @Slot()
    def _remove(self) -> None:
        entry = self._current
        if entry is None:
            return
        place = self._entries.index(entry)
        self._entries.remove(entry)
        self._current_key = self._entries[max(place - 1, 0)].key
        self._show()
        self._view.metrics.choose(self._current_key)

    @Slot(str)
    def _choose_preset(self, preset: str) -> None:
        """Choose the metrics of a preset that can run, and no others."""
        if self._survey is None:
            return
        for entry in self._entries:
            config_status = self._config_status(entry)
            can_run = config_status is not None and not config_status.refusal
            entry.is_chosen = can_run and is_in(preset, entry.metric, self._survey)
        self._show()

    @Slot(object)
    def _choose_references(self, authors: Sequence[str]) -> None:
        everyone = self._survey is not None and set(authors) == set(self._survey.authors)
        self._references = () if everyone else tuple(sorted(authors))
        self._show()
        self._show_details()
        self._plan_unknown()

    @Slot(bool)
    def _choose_humans(self, humans: bool) -> None:
        self._humans = humans
        self._show()
        self._show_details()
        self._plan_unknown()

    @Slot(str)
    def _choose_device(self, device: str) -> None:
        self._device = device
        self._context.settings.change(device=device)
        self._statuses.clear()
        self._show()
        self._plan_unknown()

    def plan_again(self) -> None:
        """Plan every configuration again, as what it needs may have changed."""
        self._statuses.clear()
        self._plan_unknown()

    # The run

    @Slot()
    def run(self) -> None:
        """Score the chosen configurations that are not up to date."""
        if self._running.job.current is not None or self._survey is None:
            return
        plan = self._plan(self._survey)
        if not plan.steps:
            self._context.show_message(
                tr("There is nothing to score: choose a metric that has unscored topics.")
            )
            return
        self._running.start(plan, self._device)
        self._follow_run()

    @Slot()
    def _follow_run(self) -> None:
        self._show_run()
        self._turns.add(self._show_metrics)

    @Slot(str)
    def _end_run(self, sentence: str) -> None:
        self._context.show_message(sentence)
        self._statuses.clear()
        self._is_outdated = True
        self._catch_up()
        self._show()

    def _plan(self, survey: StudySurvey) -> ScoringPlan:
        """Return the plan of the chosen configurations that can run, without duplicates."""
        runs: dict[ScoringConfig, PlannedRun] = {}
        for entry, config_status in self._chosen():
            run = config_status.planned if config_status is not None else None
            if run is not None and run.topics:
                runs[self._config(entry)] = run
        requested = {topic for run in runs.values() for topic in run.topics}
        return ScoringPlan(tuple(runs.values()), tuple(t for t in survey.topics if t in requested))

    # Showing

    @Slot()
    def _show(self) -> None:
        self._show_metrics()
        self._show_run()

    def _show_metrics(self) -> None:
        is_running, latest = self._running.job.current is not None, self._running.latest
        under_way = zip(latest.plan.runs, latest.done(), strict=True) if is_running and latest else ()
        done = {run.config: (run, count) for run, count in under_way}
        rows = with_distinct_names([self._row(entry, done) for entry in self._entries], self._entries)
        chosen = sum(row.is_chosen for row in rows)
        unable = sum(row.state is ScoreState.UNABLE for row in rows)
        self._view.show_metrics(
            rows,
            tr("{chosen} of {rows} chosen", chosen=chosen, rows=len(rows)) if rows else "",
            tr("{unable} cannot run yet", unable=unable) if unable else "",
            is_complete=all(row.state is not ScoreState.LOOKING for row in rows),
        )

    def _show_run(self) -> None:
        facts, run = self._facts(), self._running.latest
        if run is not None and self._running.job.current is not None:
            self._view.show_run(running_details(run, self._chosen(), facts))
            return
        details = planned_details(self._chosen(), facts, run.ending if run is not None else "")
        if run is not None and run.report is not None:
            details = done_details(run, run.report, details, _names(run.plan))
        self._view.show_run(details)

    def _show_details(self) -> None:
        entry = self._current
        if entry is None:
            return
        alike = sum(type(other.metric) is type(entry.metric) for other in self._entries)
        config_status = self._config_status(entry)
        self._view.show_details(details_of(entry, config_status, can_remove=alike > 1))
        self._view.details.show_signature(config_status.signature if config_status is not None else "")

    def _row(self, entry: ConfigEntry, done: Mapping[ScoringConfig, tuple[PlannedRun, int]]) -> MetricRow:
        """Return the row of an entry. done: numbers of finished topics in the present run."""
        row, under_way = row_of(entry, self._config_status(entry)), done.get(self._config(entry))
        return row if under_way is None else row_under_way(row, *under_way)

    def _facts(self) -> list[tuple[str, str]]:
        if self._survey is None:
            return []
        chosen = ", ".join(self._references) if self._references else tr("all authors")
        chosen += tr(", as systems too") if self._humans else ""
        device = {d.name: d.title for d in likely_devices()}.get(self._device, self._device)
        return [(tr("Device"), device), (tr("Texts"), self._survey.texts), (tr("References"), chosen)]

    # Entries

    def _config(self, entry: ConfigEntry) -> ScoringConfig:
        uses_references = Need.REFERENCES in entry.metric.needs
        return ScoringConfig(entry.metric, self._references if uses_references else (), self._humans)

    def _config_status(self, entry: ConfigEntry) -> ConfigStatus | None:
        return self._statuses.get(self._config(entry))

    def _chosen(self) -> list[tuple[ConfigEntry, ConfigStatus | None]]:
        return [(entry, self._config_status(entry)) for entry in self._entries if entry.is_chosen]

    @property
    def _current(self) -> ConfigEntry | None:
        return next((entry for entry in self._entries if entry.key == self._current_key), None)

    def _change(self, entry: ConfigEntry, metric: Metric) -> None:
        """Change an entry's settings; a scored configuration keeps its row and the change gets a new one."""
        config_status = self._config_status(entry)
        if metric == entry.metric:
            return
        run = config_status.planned if config_status is not None else None
        if run is not None and run.up_to_date:
            self._insert_after(entry, metric, is_chosen=True)
            return
        entry.metric = metric
        self._show()
        self._show_details()
        self._plan_unknown()

    def _insert_after(self, entry: ConfigEntry, metric: Metric, *, is_chosen: bool) -> None:
        new = ConfigEntry(next(self._keys), metric, is_chosen)
        self._entries.insert(self._entries.index(entry) + 1, new)
        self._show()
        self._view.metrics.choose(new.key)
        self._plan_unknown()


def _names(plan: ScoringPlan) -> dict[str, str]:
    """Return the display name of each signature."""
    return {run.stored.signature: full_name(run.config.metric) for run in plan.runs}


def survey_study(study: Study) -> JobSteps[StudySurvey]:
    """Read what a study offers for scoring, without its texts."""
    yield Progress(0, 0, "")
    heads, stored = study.texts.topics(), tuple(listed_configs(study))
    references, summaries = sum(h.references for h in heads), sum(h.summaries for h in heads)
    language = language_of(study)
    systems, authors = len(study.texts.systems()), tuple(study.texts.reference_authors())
    return StudySurvey(
        topics=tuple(head.id for head in heads),
        authors=authors,
        words=tr(
            "{topics} · {systems} · {references}",
            topics=tr("%n topics", "", len(heads)),
            systems=tr("%n systems", "", systems),
            references=tr("%n references", "", len(authors)),
        ),
        texts=tr(
            "{summaries} summaries, {references} references",
            summaries=format_count(summaries),
            references=format_count(references),
        ),
        metrics=tuple(list_metrics(stored, model_names(study), language)),
        stored=stored,
        language=language,
    )


def is_in(preset: str, metric: Metric, survey: StudySurvey) -> bool:
    """Return whether a configuration belongs to a preset, even if it cannot run."""
    match preset:
        case "quick":
            return survey.suggests(metric)
        case "summeval":
            return metric.is_in_summeval
        case "reference-free":
            return metric.has_direction and not metric.needs & {Need.REFERENCES, Need.PYRAMIDS}
        case _:
            return True


class RunController(QObject):
    """Runs plans. A loaded encoder is reused by later runs.

    Signals:
        moved: the progress has changed.
        ended: a sentence on the result.
    """

    moved = Signal()
    ended = Signal(str)

    def __init__(self, study: Study, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._study, self.job = study, OneJob(jobs, self)
        self._tools: dict[str, StudyResources] = {}
        self._sentence = ""
        self.latest: ActiveRun | None = None

    def start(self, plan: ScoringPlan, device: str) -> None:
        resources = self._tools.setdefault(device, StudyResources(self._study, device)).with_fresh_caches()
        self.latest = ActiveRun(plan, datetime.now(), device)
        workers = local_workers(self._study, plan, max(1, cores() - 1), are_nice=True)
        work = score_and_promote(self._study, plan, resources, workers)
        job = self.job.start(tr("Scoring"), work, JobQueue.SCORING)
        job.progressed.connect(self._move)
        job.finished.connect(self._finish)
        job.cancelled.connect(partial(self._stop_short, tr("Cancelled; finished topics are stored.")))
        job.failed.connect(lambda error: self._stop_short(tr("Stopped: {error}", error=error)))
        job.ended.connect(self._end)

    @Slot(object)
    def _move(self, progress: Progress) -> None:
        if self.latest is not None:
            self.latest.progress = progress
            self.moved.emit()

    @Slot(object)
    def _finish(self, report: RunReport) -> None:
        if self.latest is not None:
            self.latest.report = report
        self._sentence = tr("{scored:,} pairs of metric and topic scored.", scored=report.scored)

    @Slot()
    def _end(self) -> None:  # no lambda: the job may end after this object
        self.ended.emit(self._sentence)

    def _stop_short(self, sentence: str) -> None:
        self._sentence = sentence
        if self.latest is not None:
            self.latest.ending = sentence
