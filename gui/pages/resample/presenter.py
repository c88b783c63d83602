"""What the Resample page does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.errors import BadSetting
from core.experiments.experiment import ExperimentRequest
from core.experiments.runner import ExperimentRun, delete_result, run_experiment
from core.ports import ChangeKind, ChangeSet
from core.scoring.engine_tools import StudyResources
from gui.background.jobs import Job, JobQueue
from gui.results.result_content import (
    AvailableExperiments,
    ExperimentOption,
    StoredResult,
    experiment_details,
    experiment_row,
    find_experiments,
    missing_result_text,
    read_result,
    resample_command,
    result_details,
    result_of_run,
)
from gui.results.result_controller import DisplayedResult, ResultController
from gui.results.setting_fields import join_names
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context
from gui.session.devices import available_device

if TYPE_CHECKING:
    from gui.pages.resample.view import ResampleView

PAGE = "resample"
_CONCERNED = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.SCORES,
        ChangeKind.RATINGS,
        ChangeKind.MATCHES,
        ChangeKind.PYRAMIDS,
        ChangeKind.EXPERIMENTS,
    }
)


def build(context: Context) -> tuple[ResampleView, ResamplePresenter]:
    """The page and what works it."""
    from gui.pages.resample.view import ResampleView
    from gui.widgets.file_dialogs import ask_where_to_save

    view = ResampleView()
    return view, ResamplePresenter(
        view, context, lambda question, suggested, kinds: ask_where_to_save(view, question, suggested, kinds)
    )


class ResamplePresenter(QObject):
    """Lists experiments, sets and runs them, shows what they found.

    ask_path: where to save, None = nowhere.
    """

    def __init__(self, view: ResampleView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._parts = ResultController(view.result, context, ask_path)
        self._offers: dict[str, ExperimentOption] = {}
        self._questions: dict[str, ExperimentRequest] = {}
        self._kept: frozenset[str] = frozenset()
        self._names: Mapping[str, Sequence[str]] = {}
        self._shown = ""
        self._result: StoredResult | None = None
        self._running: Job | None = None
        self._running_key = ""
        self._looking: Job | None = None
        self._is_outdated = True
        self._connect()
        self._parts.show_empty("Listing what can be done…", can_run=False)
        view.show_running(False, False)

    def _connect(self) -> None:
        view, commands = self._view, self._context.commands
        view.shown.connect(self._catch_up)
        view.experiment_chosen.connect(self._choose)
        view.setting_changed.connect(self._set)
        view.reset_requested.connect(self._reset)
        view.forget_requested.connect(self._forget)
        view.run_requested.connect(self.run)
        view.stop_requested.connect(self._stop)
        view.remedy_requested.connect(lambda: self._context.show_page("score"))
        view.notice.remedy_requested.connect(self._heed_notice)
        commands.bind("resample.run", self.run, PAGE)
        commands.bind("resample.save", self._parts.save, PAGE)
        commands.bind("resample.add", self._parts.add_to_report, PAGE)
        commands.bind("edit.copy_table", lambda: self._parts.copy("tsv"), PAGE)
        commands.bind("edit.find", view.focus_find, PAGE)
        commands.bind("list.next", lambda: view.experiments.step(1), PAGE)
        commands.bind("list.previous", lambda: view.experiments.step(-1), PAGE)
        self._context.changes.changed.connect(self._heed)

    # What there is

    @Slot()
    def _catch_up(self) -> None:
        """Look at the study again if it changed while the page was not in front."""
        if self._is_outdated and self._looking is None:
            self._is_outdated = False
            self._looking = self._context.jobs.start(
                "Listing experiments", find_experiments(self._context.study)
            )
            self._looking.finished.connect(self._take_offers)
            self._looking.ended.connect(self._end_looking)

    @Slot(object)
    def _heed(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED or changes.is_external:
            self._is_outdated = True
            if self._view.isVisible() and self._running is None:
                self._catch_up()

    @Slot()
    def _end_looking(self) -> None:
        self._looking = None
        if self._view.isVisible() and self._running is None:
            self._catch_up()

    @Slot(object)
    def _take_offers(self, found: AvailableExperiments) -> None:
        self._offers = {offer.key: offer for offer in found.offers}
        self._kept, self._names = found.kept, found.names
        for key, offer in self._offers.items():
            self._questions.setdefault(key, offer.asked)
        self._show_list()
        if not self._shown and found.offers:
            first = next((o for o in found.offers if not o.problem), found.offers[0])
            self._view.choose_experiment(first.key)
        else:
            self._show_sheet()
            self._read()

    # What the user does

    @Slot(object)
    def _choose(self, key: str) -> None:
        if key != self._shown:
            self._shown, self._result = key, None
            self._parts.begin_anew()
            self._show_sheet()
            self._show_result()
            self._read()

    @Slot(str, object)
    def _set(self, key: str, value: object) -> None:
        question = self._questions[self._shown]
        if isinstance(value, tuple):
            value = join_names(value)
        try:
            experiment = replace(question.experiment, **{key: value})
        except BadSetting as error:
            self._context.show_message(str(error))
            self._show_sheet()
            return
        self._ask(replace(question, experiment=experiment))

    @Slot()
    def _reset(self) -> None:
        self._ask(self._offers[self._shown].asked)

    def _ask(self, question: ExperimentRequest) -> None:
        if question == self._questions[self._shown]:
            return
        self._questions[self._shown] = question
        self._result = None
        self._parts.begin_anew()
        self._show_list()
        self._show_sheet()
        self._show_result()
        self._read()

    @Slot()
    def run(self) -> None:
        """Run the experiment shown, as it is set now; one that the study keeps is run anew."""
        offer = self._offers.get(self._shown)
        if offer is None or self._running is not None:
            return
        if offer.problem:
            self._context.show_message(offer.problem)
            return
        question = self._questions[self._shown]
        study, device = self._context.study, available_device(self._context.settings.now.device)
        work = run_experiment(study, question, StudyResources(study, device), again=self._result is not None)
        self._running_key = self._shown
        self._running = self._context.jobs.start(question.title, work, _lane(question))
        self._running.finished.connect(self._take_outcome)
        self._running.ended.connect(self._end_run)
        self._show_list()
        self._show_result()

    @Slot()
    def _forget(self) -> None:
        """Take the result shown out of the study; a run under way might be reading its scores."""
        if self._result is None or self._running is not None:
            return
        gone, self._result = self._result.experiment_id, None
        self._kept -= {gone}
        title = self._questions[self._shown].title
        job = self._context.jobs.start(
            "Forgetting a result", delete_result(self._context.study, gone), JobQueue.SCORING
        )
        job.finished.connect(lambda _: self._context.show_message(f"{title}: forgotten. Run makes it anew."))
        self._show_list()
        self._show_result()

    @Slot()
    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()

    @Slot(object)
    def _take_outcome(self, outcome: ExperimentRun) -> None:
        self._kept |= {outcome.record.id}
        if self._is_shown(outcome.record.id):
            self._take_result(result_of_run(outcome))
        self._context.show_message(f"{outcome.result.title}: done.")

    @Slot()
    def _end_run(self) -> None:
        self._running, self._running_key = None, ""
        self._is_outdated = True
        self._show_list()
        self._show_result()
        if self._view.isVisible():
            self._catch_up()

    # Showing

    def _read(self) -> None:
        """Look whether the study keeps an answer to the question shown."""
        if self._shown:
            work = read_result(self._context.study, self._questions[self._shown])
            job = self._context.jobs.start("Reading a result", work)
            job.finished.connect(self._take_kept)

    @Slot(object)
    def _take_kept(self, kept: StoredResult) -> None:
        """Show what the study keeps, unless a run has found something newer since it was read."""
        if not self._is_shown(kept.experiment_id):
            return
        now = self._result.record if self._result is not None else None
        if now is None or (kept.record is not None and kept.record.at >= now.at):
            self._result = kept if kept.result is not None else None
            self._show_result()

    def _take_result(self, kept: StoredResult) -> None:
        self._result = kept
        self._show_result()

    def _is_shown(self, experiment_id: str) -> bool:
        question = self._questions.get(self._shown)
        return question is not None and question.experiment.id == experiment_id

    def _show_list(self) -> None:
        lines = [
            experiment_row(offer, self._questions[key], self._kept, self._running_key)
            for key, offer in self._offers.items()
        ]
        self._view.show_experiments(lines, f"{len(lines)}")

    def _show_sheet(self) -> None:
        offer = self._offers.get(self._shown)
        if offer is not None:
            name = self._context.study.path.name
            self._view.show_sheet(experiment_details(offer, self._questions[self._shown], name, self._names))

    def _show_result(self) -> None:
        offer = self._offers.get(self._shown)
        is_able = offer is not None and not offer.problem
        self._view.show_running(self._running is not None, is_able)
        self._view.show_kept(self._result is not None, self._running is None)
        if self._result is None or self._result.result is None or offer is None:
            sentence, can_run = missing_result_text(offer, is_running=self._running_key == self._shown)
            self._parts.show_empty(sentence, can_run=can_run)
            return
        command = resample_command(offer, self._questions[self._shown], self._context.study.path.name)
        name, sheet = self._shown.partition(":")[2], result_details(self._result)
        self._parts.show(DisplayedResult(self._result.result, sheet, name, command, self._result.is_stale))

    @Slot()
    def _heed_notice(self) -> None:
        """Run what is stale again, else show the notes."""
        if self._result is not None and self._result.is_stale:
            self.run()
        else:
            self._parts.show_notes()


def _lane(question: ExperimentRequest) -> JobQueue:
    """One that scores waits for other scoring: they would share the device."""
    return JobQueue.SCORING if question.experiment.scores_texts else JobQueue.RESAMPLING
