"""Presenter of the Resample page, which runs experiments and recipes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Slot

from core.errors import BadSetting
from core.experiments.available import ExperimentOption, experiment_options, names_of_settings
from core.experiments.experiment import ExperimentRequest
from core.experiments.runner import ExperimentRun, StoredResult, delete_result, read_result, run_experiment
from core.files.allowed_names import allowed_names
from core.files.study_address import command_argument
from core.manual.page import page_key
from core.models.runtime.devices import available_device
from core.operations.options import listed_names
from core.ports import SCORED_CHANGES, ChangeKind
from core.progress import JobSteps
from core.scoring.study_resources import StudyResources
from gui.background.jobs import JobQueue
from gui.pages.resample.view import ResampleView
from gui.results.result_content import experiment_row, missing_result_text, resample_command, result_details
from gui.results.result_controller import DisplayedResult, RunPresenter
from gui.results.settings_form import setting_fields
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context, PageReader
from gui.style.language import tr
from gui.widgets.file_dialogs import ask_where_to_save

PAGE = "resample"

_Found = tuple[tuple[ExperimentOption, ...], frozenset[str], Mapping[str, Sequence[str]]]
"""The experiments, the ids of those with a result in the study, and the names for settings."""


def build(context: Context) -> tuple[ResampleView, ResamplePresenter]:
    view = ResampleView()
    return view, ResamplePresenter(view, context, partial(ask_where_to_save, view))


class ResamplePresenter(RunPresenter):
    """List experiments, change their settings, run them and show their results.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: ResampleView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view = view
        self._options: dict[str, ExperimentOption] = {}
        self._requests: dict[str, ExperimentRequest] = {}  # with the current settings, by key of the option
        self._stored: frozenset[str] = frozenset()
        self._names: Mapping[str, Sequence[str]] = {}
        self._selected = ""
        self._result: StoredResult | None = None
        self._running_key = ""
        self._listing = PageReader(
            view,
            context,
            tr("Listing experiments"),
            self._find_experiments,
            SCORED_CHANGES | {ChangeKind.EXPERIMENTS},
        )
        commands = context.commands
        self._listing.read.connect(self._show_experiments)
        view.experiments.row_chosen.connect(self._select)
        view.details.form.changed.connect(self._change_setting)
        view.details.reset_button.clicked.connect(
            lambda: self._change_request(self._options[self._selected].default)
        )
        view.details.delete_button.clicked.connect(self._delete_result)
        view.experiments.row_opened.connect(self.run)
        view.details.problem.remedy_button.clicked.connect(lambda: self._context.show_page("score"))
        commands.bind("resample.add", self._results.add_to_report, PAGE)
        commands.bind("edit.find", view.search.focus_default, PAGE)
        commands.bind("list.next", lambda: view.experiments.step(1), PAGE)
        commands.bind("list.previous", lambda: view.experiments.step(-1), PAGE)
        self._results.show_empty(tr("Listing experiments…"), can_run=False)
        view.show_running(False, False)

    # Listing

    def _find_experiments(self) -> JobSteps[_Found]:
        study = self._context.study
        options = yield from experiment_options(study)
        stored = frozenset(record.id for record in study.experiments.all() if record.result)
        return options, stored, names_of_settings(study)

    @Slot(object)
    def _show_experiments(self, found: _Found) -> None:
        options, self._stored, self._names = found
        self._options = {option.key: option for option in options}
        for key, option in self._options.items():
            self._requests.setdefault(key, option.default)
        self._show_list()
        if not self._selected and options:
            first = next((option for option in options if not option.problem), options[0])
            self._view.experiments.choose(first.key)
        else:
            self._show_details()
            self._read_result()

    # Actions of the user

    @Slot(object)
    def _select(self, key: str) -> None:
        if key != self._selected:
            self._selected, self._result = key, None
            self._results.reset_part()
            self._show_details()
            self._show_result()
            self._read_result()

    @Slot(str, object)
    def _change_setting(self, key: str, value: object) -> None:
        request = self._requests[self._selected]
        if isinstance(value, tuple):  # chosen from names that the study has
            value = listed_names(value)
        else:
            allowed_names().named(str(value))  # what the user types or chooses is allowed
        try:
            experiment = replace(request.experiment, **{key: value})
        except BadSetting as error:
            self._context.show_message(str(error))
            self._show_details()
            return
        self._change_request(replace(request, experiment=experiment))

    def _change_request(self, request: ExperimentRequest) -> None:
        if request == self._requests[self._selected]:
            return
        self._requests[self._selected] = request
        self._result = None
        self._results.reset_part()
        self._show_list()
        self._show_details()
        self._show_result()
        self._read_result()

    @Slot()
    def run(self) -> None:
        """Run the selected experiment with its current settings; a stored result is computed again."""
        option = self._options.get(self._selected)
        if option is None or self._running.current is not None:
            return
        if option.problem:
            self._context.show_message(option.problem)
            return
        request = self._requests[self._selected]
        study, device = self._context.study, available_device(self._context.settings.now.device)
        work = run_experiment(study, request, StudyResources(study, device), again=self._result is not None)
        self._running_key = self._selected
        self._listing.pause()
        queue = JobQueue.SCORING if request.experiment.scores_texts else JobQueue.RESAMPLING  # for the device
        self._start(request.title, work, queue)

    @Slot()
    def _delete_result(self) -> None:
        """Delete the displayed result from the study. Not during a run, which may read its scores."""
        if self._result is None or self._running.current is not None:
            return
        deleted, self._result = self._result.record.id, None
        self._stored -= {deleted}
        title = self._requests[self._selected].title
        job = self._context.jobs.start(
            tr("Deleting a result"), delete_result(self._context.study, deleted), JobQueue.SCORING
        )
        job.finished.connect(
            lambda _: self._context.show_message(tr("{title}: result deleted.", title=title))
        )
        self._show()

    def _run_finished(self, run: ExperimentRun) -> None:
        self._stored |= {run.record.id}
        if self._is_selected(run.record.id):
            self._result = StoredResult(run.record, run.result)
            self._show_result()
        self._context.show_message(f"{run.result.title}: done.")

    @Slot()
    def _end(self) -> None:
        self._running_key = ""
        super()._end()
        self._listing.resume()

    # Display

    def _show(self) -> None:
        self._show_list()
        self._show_result()

    def _read_result(self) -> None:
        """Read the stored result of the selected experiment, if there is one."""
        if self._selected:
            request = self._requests[self._selected]
            job = self._context.jobs.start(tr("Reading a result"), read_result(self._context.study, request))
            job.finished.connect(partial(self._show_stored, request.experiment.id))

    def _show_stored(self, experiment_id: str, stored: StoredResult | None) -> None:
        """Show a stored result, unless a run has computed a newer one since it was read."""
        if not self._is_selected(experiment_id):
            return
        current = self._result
        if current is None or (stored is not None and stored.record.at >= current.record.at):
            self._result = stored
            self._show_result()

    def _is_selected(self, experiment_id: str) -> bool:
        request = self._requests.get(self._selected)
        return request is not None and request.experiment.id == experiment_id

    def _show_list(self) -> None:
        rows = [
            experiment_row(option, self._requests[key], self._stored, self._running_key)
            for key, option in self._options.items()
        ]
        self._view.show_experiments(rows, f"{len(rows)}")

    def _show_details(self) -> None:
        option = self._options.get(self._selected)
        if option is not None:
            request = self._requests[self._selected]
            fields = setting_fields(request.experiment, self._names)
            page = "experiments/recipes" if option.paper else page_key("experiments", option.key)
            self._view.help_page = page
            self._view.details.show_details(option, request, fields, self._command(option))

    def _show_result(self) -> None:
        option = self._options.get(self._selected)
        can_run = option is not None and not option.problem
        self._view.show_running(self._running.current is not None, can_run)
        self._view.show_delete(self._result is not None, self._running.current is None)
        if self._result is None or option is None:
            is_running = self._running_key == self._selected
            sentence, offers_run = missing_result_text(option, is_running=is_running)
            self._results.show_empty(sentence, can_run=offers_run)
            return
        result, name = self._result, option.key.partition(":")[2]
        command, is_stale = self._command(option), result.is_stale
        self._results.show(DisplayedResult(result.result, result_details(result), name, command, is_stale))

    def _command(self, option: ExperimentOption) -> str:
        chosen, study = self._requests[option.key].experiment, command_argument(self._context.study.path)
        return resample_command(option.key, option.default.experiment, chosen, study)

    @Slot()
    def _follow_notice(self) -> None:
        """Run a stale result again; otherwise show the notes."""
        if self._result is not None and self._result.is_stale:
            self.run()
        else:
            self._results.show_notes()
