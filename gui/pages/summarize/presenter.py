"""Presenter of the dialog that makes baseline summaries."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Slot

from core.errors import InputError
from core.files.study_address import command_argument
from core.models.runtime.devices import available_device
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.systems import registry
from core.systems.base import Summarizer
from core.systems.external import ExternalProgram
from core.systems.run import SystemReport, SystemRequest, check_requests, signatures_of, summarize_study
from gui.background.jobs import Job
from gui.pages.summarize.view import SummarizeDialog, SystemRow
from gui.results.run_dialog import RunDialogPresenter
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_RELEVANT_CHANGES = frozenset({ChangeKind.TEXTS, ChangeKind.SETTINGS})
NO_DOCUMENTS = tr("No topic has documents to summarize. Import them first.")


def open_summarizers(context: Context, parent: QWidget | None) -> SummarizePresenter:
    """Return the presenter of a new dialog over a window."""
    view = SummarizeDialog(parent)
    return SummarizePresenter(view, context)


def read_systems(study: Study) -> JobSteps[list[SystemRow]]:
    """Return every system with the number and mean length of its summaries; reads all texts."""
    lengths: dict[str, list[int]] = {system.name: [] for system in study.texts.systems()}
    made = signatures_of(study)
    for place, topic in enumerate(study.texts.load()):
        yield Progress(place, 0, topic.name)
        for text in topic.summaries:
            lengths.setdefault(text.name, []).append(len(text.content.split()))
    return [
        SystemRow(name, len(of), float(np.mean(of)) if of else 0.0, registry.short(by) if by else "")
        for name, of in lengths.items()
        for by in [made.get(name, "")]
    ]


class SummarizePresenter(RunDialogPresenter):
    """List summarizers, change their settings, make systems and list those of the study."""

    command = "texts.summarize"

    def __init__(self, view: SummarizeDialog, context: Context) -> None:
        super().__init__(view, context)
        self._view = view
        self._summarizers: dict[str, Summarizer] = {}  # with their settings, by name
        self._names: dict[str, str] = {}  # of the system to make, by summarizer
        self._selected = ""
        self._has_documents = self._is_outdated = True
        view.shown.connect(self._refresh)
        for edited in (view.list.row_chosen, view.name_field.textEdited, view.reset_button.clicked):
            edited.connect(view.forget_failure)
        view.list.row_chosen.connect(self._select)
        view.name_field.textEdited.connect(self._name_system)
        view.reset_button.clicked.connect(self._reset)
        for requested in (view.list.activated, view.name_field.returnPressed):
            requested.connect(self.run)
        context.changes.changed.connect(self._study_changed)

    def open(self) -> None:
        self._view.begin(self._view.list)

    @Slot()
    def run(self) -> None:
        """Make a system of the selected summarizer."""
        if not self._selected or not self._may_run():
            return
        request = self._request()
        if problem := self._problem(request):
            self._view.show_problem(problem)
            return
        device = available_device(self._context.settings.now.device)
        work = summarize_study(self._context.study, [request], device=device)
        cancelled = tr("Cancelled. The summaries made so far are stored.")
        job = self._start(tr("Making {name}", name=request.name), request.name, work, cancelled)
        job.finished.connect(self._finish)

    @Slot(object)
    def _finish(self, reports: Sequence[SystemReport]) -> None:
        (report,) = reports
        text = tr(
            "{name}: {summaries} made.", name=report.name, summaries=tr("%n summaries", "", report.made)
        )
        if report.kept:
            text += tr(" {kept:,} were there already.", kept=report.kept)
        if report.cut:
            text += tr(" For {cut:,} the end of the documents did not fit in the model.", cut=report.cut)
        if report.without:
            text += tr(
                " There is none of {without}, as nothing was found.",
                without=tr("%n topics", "", len(report.without)),
            )
        self._context.show_message(text)

    @Slot(object)
    def _end(self, job: Job) -> None:
        super()._end(job)
        if job.error is None:
            self._show_settings()
        self._refresh()

    @Slot(object)
    def _select(self, row: Summarizer | None) -> None:
        if row is not None:
            self._selected = row.name
            self._show_settings()

    def _chosen(self) -> Summarizer:
        return self._summarizers[self._selected]

    def _choose(self, chosen: Summarizer) -> None:
        self._summarizers[self._selected] = chosen

    @Slot(str)
    def _name_system(self, name: str) -> None:
        self._names[self._selected] = name.strip()
        self._show_settings()

    @Slot()
    def _reset(self) -> None:
        self._choose(type(self._chosen())())
        self._names.pop(self._selected, None)
        self._show_settings()

    def _list(self) -> None:
        """List the summarizers on the first show; loading them takes a while."""
        kinds = registry.summarizers()
        self._summarizers = {cls.name: cls() for cls in kinds}
        self._view.show_summarizers(list(self._summarizers.values()))
        for message in registry.PLUGINS.failures():
            self._context.show_message(message)

    @Slot()
    def _refresh(self) -> None:
        if not self._summarizers and self._view.isVisible():
            self._list()
        if self._is_outdated and self._view.isVisible() and self._running.current is None:
            self._is_outdated = False
            self._has_documents = any(topic.documents for topic in self._context.study.texts.topics())
            job = self._context.jobs.start(tr("Reading systems"), read_systems(self._context.study))
            job.finished.connect(self._view.show_systems)
            self._show_settings()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _RELEVANT_CHANGES:
            self._is_outdated = True
            self._refresh()

    def _request(self) -> SystemRequest:
        summarizer = self._chosen()
        return SystemRequest(self._names.get(self._selected) or _placeholder(summarizer), summarizer)

    def _problem(self, request: SystemRequest) -> str:
        """Return why the system cannot be made, with the remedy; empty = it can."""
        if not self._has_documents:
            return NO_DOCUMENTS
        try:
            check_requests(self._context.study, [request])
        except InputError as error:
            return str(error).replace(": NAME=SUMMARIZER.", ".")
        return ""

    def _show_settings(self) -> None:
        if not self._selected:
            return
        summarizer, request = self._chosen(), self._request()
        self._view.show_details(
            summarizer,
            self._names.get(self._selected, ""),
            _placeholder(summarizer),
            self._problem(request),
            _command(request, command_argument(self._context.study.path)),
        )


def _placeholder(summarizer: Summarizer) -> str:
    return "program" if isinstance(summarizer, ExternalProgram) else summarizer.spec


def _command(request: SystemRequest, study: str) -> str:
    if isinstance(request.summarizer, ExternalProgram):
        chosen = "--command " + shlex.quote(f"{request.name}={request.summarizer.command}")
    else:
        spec = request.summarizer.spec
        chosen = "--with " + shlex.quote(spec if request.name == spec else f"{request.name}={spec}")
    return f"pyramidion summarize {shlex.quote(study)} {chosen}"
