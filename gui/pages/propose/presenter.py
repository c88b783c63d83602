"""Presenter of the dialog that lets a program propose annotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from core.domain.decisions import ProposalKind
from core.errors import BadSetting, PyramidionError
from core.files.allowed_names import allowed_names
from core.metrics.base.model_requests import ModelRequests
from core.models.runtime.devices import available_device
from core.operations.propose import Proposed, Proposer, default_metric, planned_requests, propose
from core.operations.score import requests_row
from core.ports import ChangeKind, ChangeSet
from core.progress import Progress
from gui.background.jobs import Job, JobQueue, OneJob
from gui.pages.propose.view import ProposeDialog
from gui.results.settings_form import setting_fields
from gui.results.values import SettingField, requests_fact
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.dialog import ToolPresenter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

TITLES = {
    ProposalKind.PYRAMIDS: tr("Pyramids and matches"),
    ProposalKind.NUGGETS: tr("Nuggets and hits"),
    ProposalKind.RATINGS: tr("Ratings"),
}


def open_proposals(context: Context, parent: QWidget | None) -> ProposePresenter:
    """Return the presenter of a new dialog over a window."""
    from gui.widgets.file_dialogs import ask_folder

    view = ProposeDialog([(kind.value, title) for kind, title in TITLES.items()], parent)
    return ProposePresenter(view, context, partial(ask_folder, view))


class ProposePresenter(ToolPresenter):
    """Choose settings and run a proposal.

    ask_folder: asks a question for a folder; None = cancelled.
    """

    def __init__(
        self, view: ProposeDialog, context: Context, ask_folder: Callable[[str], Path | None]
    ) -> None:
        super().__init__(view)
        self.dialog = self._view = view
        self._context, self._ask_folder = context, ask_folder
        self._metrics: dict[ProposalKind, Proposer] = {}
        self._estimated: Proposer | None = None  # whose requests are counted
        self._name = ""  # of the machine annotator of the run
        self._running, self._estimating = OneJob(context.jobs, self), OneJob(context.jobs, self)
        view.topic_box.activated.connect(self._estimate)
        view.shown.connect(self._refresh)
        view.kind_chosen.connect(self._show_metric)
        view.form.changed.connect(self._change_setting)
        view.form.place_requested.connect(self._choose_folder)
        view.run_button.clicked.connect(self.run)
        view.job.stop_button.clicked.connect(self._running.stop)
        context.changes.changed.connect(self._study_changed)

    def open(self) -> None:
        self._view.begin(self._view.kind_box)

    @Slot()
    def run(self) -> None:
        """Propose with the chosen settings."""
        if self._running.current is not None or not self._context.may_edit(_open_again):
            return
        view, metric, study = self._view, self._metric, self._context.study
        topics = self._topics()
        name = view.name_field.text().strip() or metric.name
        device = available_device(self._context.settings.now.device)
        work = propose(study, metric, name, topics, device)
        job = self._running.start(tr("Proposing annotations"), work, JobQueue.SCORING)
        job.progressed.connect(view.job.show_progress)
        self._name = name
        job.finished.connect(self._finish)
        job.cancelled.connect(
            partial(self._context.show_message, tr("Cancelled. Finished topics are stored."))
        )
        job.failed.connect(self._fail)
        job.ended.connect(self._end)
        view.notice.show_message("")
        view.job.show_progress(Progress(0, 0, name))

    @property
    def _kind(self) -> ProposalKind:
        return ProposalKind(self._view.kind)

    @property
    def _metric(self) -> Proposer:
        if self._kind not in self._metrics:
            self._metrics[self._kind] = default_metric(self._kind)
        return self._metrics[self._kind]

    @Slot(object)
    def _finish(self, made: Proposed) -> None:
        self._context.show_message(made.sentence(self._name))

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        if isinstance(error, PyramidionError):
            self._view.notice.show_message(str(error))

    @Slot(object)
    def _end(self, job: Job) -> None:
        self._view.job.show_idle()

    @Slot(str, object)
    def _change_setting(self, key: str, value: object) -> None:
        changes: dict[str, Any] = {key: value}
        try:
            self._metrics[self._kind] = replace(self._metric, **changes)
            allowed_names().named_settings(self._metric)  # nothing in it is stored content
        except BadSetting as error:
            self._context.show_message(str(error))
        self._show_metric()

    @Slot(object)
    def _choose_folder(self, field: SettingField) -> None:
        if (folder := self._ask_folder(tr("Folder: {title}", title=field.title))) is not None:
            self._change_setting(field.key, str(folder))

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds and self._view.isVisible():
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        heads = self._context.study.texts.topics()
        self._view.show_topics([(head.id, head.name) for head in heads])
        self._show_metric()

    @Slot()
    def _show_metric(self) -> None:
        metric = self._metric
        self._view.show_metric(metric.name, metric.about, setting_fields(metric))
        self._estimate()

    @Slot()
    def _estimate(self) -> None:
        """Find out whether the proposals can be made, and what a language model would be asked."""
        self._view.show_requests("")
        self._estimating.stop()
        metric, topics = self._metric, self._topics()
        if not topics:
            self._view.show_problem(tr("There are no topics."))
            return
        work = planned_requests(self._context.study, metric, topics)
        job = self._estimating.start(tr("Counting requests"), work, JobQueue.CHECKING)
        self._estimated = metric
        job.finished.connect(self._show_requests)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _show_problem(self, error: Exception) -> None:
        if self._estimated == self._metric and isinstance(error, PyramidionError):
            self._view.show_problem(str(error))

    @Slot(object)
    def _show_requests(self, asked: ModelRequests) -> None:
        if self._estimated == self._metric:
            row = requests_row(self._metric, asked)
            self._view.show_problem("")
            self._view.show_requests(
                requests_fact(row["requests"], row["prompt_tokens"], row["cost"]) if row else ""
            )

    def _topics(self) -> list[str]:
        chosen = self._view.topic_id
        return [chosen] if chosen else [head.id for head in self._context.study.texts.topics()]


def _open_again(context: Context) -> str:
    context.commands.action("suggest.propose").trigger()
    return ""
