"""Base of dialogs that stay open and run a job with the settings of a metric or summarizer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import BadSetting, PyramidionError
from core.files.allowed_names import allowed_names
from core.progress import JobSteps, Progress
from gui.background.jobs import Job, JobQueue, OneJob
from gui.results.settings_form import SettingsForm
from gui.results.values import FieldKind, SettingField, choose_place_text
from gui.session.context import Context, again
from gui.style.language import tr
from gui.style.theme import SMALL
from gui.widgets import file_dialogs
from gui.widgets.buttons import edits, plain_button, primary_button
from gui.widgets.dialog import ToolDialog, ToolPresenter
from gui.widgets.layouts import Stretch, hbox
from gui.widgets.notice import JobState, Notice


class RunDialog(ToolDialog):
    """A form of settings, a notice, the state of the job, and the buttons that run it and close the dialog.

    verb: label of the button that runs it.

    Signals:
        shown: the dialog became visible.
    """

    is_kept = True
    shown = Signal()

    def __init__(
        self, title: str, size: tuple[int, int], verb: str, job: JobState, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, size, parent)
        self.form, self.notice, self.job = SettingsForm(), Notice(), job
        self.close_button, self.run_button = plain_button(tr("Close")), primary_button(verb, "play")
        self._verb, self._problem, self._failure = verb, "", ""
        self._buttons = hbox(Stretch(1), self.close_button, self.run_button, spacing=SMALL)
        edits(self.run_button)
        self.close_button.clicked.connect(self.reject)
        job.busy_changed.connect(self._show_busy)

    def show_problem(self, problem: str) -> None:
        """Show why it cannot run; empty = it can."""
        self._problem = problem
        self.notice.show_message(problem or self._failure)
        self._show_busy()

    def show_failure(self, failure: str) -> None:
        """Show why the last run failed, whatever is found out about the next; empty = it did not."""
        self._failure = failure
        self.notice.show_message(self._problem or failure)

    @Slot()
    def forget_failure(self) -> None:
        """Show the failure no longer, as another run is being prepared."""
        self.show_failure("")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def _show_busy(self) -> None:
        is_running = self.job.is_busy
        self.run_button.setText(tr("Running…") if is_running else self._verb)
        self.run_button.setEnabled(not is_running and not self._problem)


class RunDialogPresenter(ToolPresenter):
    """Changes settings and runs the job.

    command: opens the dialog.
    """

    command: str

    def __init__(self, view: RunDialog, context: Context) -> None:
        super().__init__(view)
        self.dialog, self._context = view, context
        self._running = OneJob(context.jobs, self)
        view.form.changed.connect(self._change_setting)
        view.form.place_requested.connect(self._choose_place)
        view.run_button.clicked.connect(self.run)
        view.job.stop_button.clicked.connect(self._running.stop)

    @Slot()
    def run(self) -> None:
        """Start the job with the chosen settings, unless it runs or cannot."""
        raise NotImplementedError

    def _chosen(self) -> Any:
        """Return what has the settings."""
        raise NotImplementedError

    def _choose(self, chosen: Any) -> None:
        """Use what has other settings."""
        raise NotImplementedError

    def _show_settings(self) -> None:
        raise NotImplementedError

    def _may_run(self) -> bool:
        return self._running.current is None and self._context.may_edit(again(self.command))

    def _start(self, title: str, name: str, work: JobSteps[Any], cancelled: str) -> Job:
        """Start the job. name: shown until it reports. cancelled: shown if it is stopped."""
        job = self._running.start(title, work, JobQueue.SCORING)
        job.progressed.connect(self.dialog.job.show_progress)
        job.cancelled.connect(partial(self._context.show_message, cancelled))
        job.failed.connect(self._fail)
        job.ended.connect(self._end)
        self.dialog.job.show_progress(Progress(0, 0, name))
        self.dialog.forget_failure()
        return job

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        if isinstance(error, PyramidionError):
            self.dialog.show_failure(str(error))

    @Slot(object)
    def _end(self, job: Job) -> None:
        self.dialog.job.show_idle()

    @Slot(str, object)
    def _change_setting(self, key: str, value: object) -> None:
        self.dialog.forget_failure()
        try:
            self._choose(replace(self._chosen(), **{key: value}))
            allowed_names().named_settings(self._chosen())  # nothing in it is stored content
        except BadSetting as error:
            self._context.show_message(str(error))
        self._show_settings()

    @Slot(object)
    def _choose_place(self, field: SettingField) -> None:
        if field.kind is FieldKind.FILE:
            place = file_dialogs.ask_file(self.dialog, choose_place_text(field))
        else:
            place = file_dialogs.ask_folder(self.dialog, tr("Folder: {title}", title=field.title))
        if place is not None:
            self._change_setting(field.key, str(place))
