"""Presenter of the dialog that lets a program propose annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from core.domain.decisions import ProposalKind
from core.errors import PyramidionError
from core.metrics.base.model_requests import ModelRequests
from core.models.runtime.devices import available_device
from core.operations.propose import Proposer, default_metric, planned_requests, propose
from core.operations.score import requests_row, requests_text
from core.ports import ChangeKind, ChangeSet
from gui.background.jobs import JobQueue, OneJob
from gui.pages.propose.view import ProposeDialog
from gui.results.run_dialog import RunDialogPresenter
from gui.results.settings_form import setting_fields
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

TITLES = {
    ProposalKind.PYRAMIDS: tr("Pyramids and matches"),
    ProposalKind.NUGGETS: tr("Nuggets and hits"),
    ProposalKind.RATINGS: tr("Ratings"),
}


def open_proposals(context: Context, parent: QWidget | None) -> ProposePresenter:
    """Return the presenter of a new dialog over a window."""
    view = ProposeDialog([(kind.value, title) for kind, title in TITLES.items()], parent)
    return ProposePresenter(view, context)


class ProposePresenter(RunDialogPresenter):
    """Choose settings and run a proposal."""

    command = "suggest.propose"

    def __init__(self, view: ProposeDialog, context: Context) -> None:
        super().__init__(view, context)
        self._view = view
        self._metrics: dict[ProposalKind, Proposer] = {}
        self._estimated: Proposer | None = None  # whose requests are counted
        self._estimating = OneJob(context.jobs, self)
        for edited in (view.kind_box.chosen, view.topic_box.activated, view.name_field.textEdited):
            edited.connect(view.forget_failure)
        view.topic_box.activated.connect(self._estimate)
        view.shown.connect(self._refresh)
        view.kind_box.chosen.connect(self._show_settings)
        context.changes.changed.connect(self._study_changed)

    def open(self) -> None:
        self._view.begin(self._view.kind_box)

    @Slot()
    def run(self) -> None:
        """Propose with the chosen settings."""
        if not self._may_run():
            return
        metric = self._chosen()
        name = self._view.name_field.text().strip() or metric.name
        device = available_device(self._context.settings.now.device)
        work = propose(self._context.study, metric, name, self._topics(), device)
        cancelled = tr("Cancelled. Finished topics are stored.")
        job = self._start(tr("Proposing annotations"), name, work, cancelled)
        job.finished.connect(lambda made: self._context.show_message(made.sentence(name)))

    @property
    def _kind(self) -> ProposalKind:
        return ProposalKind(self._view.kind)

    def _chosen(self) -> Proposer:
        if self._kind not in self._metrics:
            self._metrics[self._kind] = default_metric(self._kind)
        return self._metrics[self._kind]

    def _choose(self, chosen: Proposer) -> None:
        self._metrics[self._kind] = chosen

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds and self._view.isVisible():
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        heads = self._context.study.texts.topics()
        self._view.show_topics([(head.id, head.name) for head in heads])
        self._show_settings()

    @Slot()
    def _show_settings(self) -> None:
        metric = self._chosen()
        self._view.show_metric(metric.name, metric.about, setting_fields(metric))
        self._estimate()

    @Slot()
    def _estimate(self) -> None:
        """Find out whether the proposals can be made, and what a language model would be asked."""
        self._view.requests_label.show_text("")
        self._estimating.stop()
        metric, topics = self._chosen(), self._topics()
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
        if self._estimated == self._chosen() and isinstance(error, PyramidionError):
            self._view.show_problem(str(error))

    @Slot(object)
    def _show_requests(self, asked: ModelRequests) -> None:
        if self._estimated == self._chosen():
            self._view.show_problem("")
            self._view.requests_label.show_text(requests_text(requests_row(self._chosen(), asked)))

    def _topics(self) -> list[str]:
        chosen = self._view.topic_id
        return [chosen] if chosen else [head.id for head in self._context.study.texts.topics()]
