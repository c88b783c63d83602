"""Presenter of the dialog that makes baseline summaries."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Slot

from core.errors import BadSetting, InputError
from core.files.allowed_names import allowed_names
from core.files.study_address import command_argument
from core.models.runtime.devices import available_device
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.systems import registry
from core.systems.base import Summarizer
from core.systems.external import ExternalProgram
from core.systems.run import SystemReport, SystemRequest, check_requests, signatures_of, summarize_study
from gui.background.jobs import Job, JobQueue, OneJob
from gui.pages.summarize.view import SummarizeDialog, SummarizerDetails, SummarizerRow, SystemRow
from gui.results.settings_form import setting_fields
from gui.results.values import SettingField
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.dialog import ToolPresenter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_RELEVANT_CHANGES = frozenset({ChangeKind.TEXTS, ChangeKind.SETTINGS})
NO_DOCUMENTS = tr("No topic has documents to summarize. Import them first.")


def open_summarizers(context: Context, parent: QWidget | None) -> SummarizePresenter:
    """Return the presenter of a new dialog over a window."""
    from gui.widgets.file_dialogs import ask_folder

    view = SummarizeDialog(parent)
    return SummarizePresenter(view, context, partial(ask_folder, view))


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


class SummarizePresenter(ToolPresenter):
    """List summarizers, change their settings, make systems and list those of the study.

    ask_folder: asks a question for a folder; None = cancelled.
    """

    def __init__(
        self, view: SummarizeDialog, context: Context, ask_folder: Callable[[str], Path | None]
    ) -> None:
        super().__init__(view)
        self._ask_folder = ask_folder
        self.dialog = self._view = view
        self._context = context
        self._chosen: dict[str, Summarizer] = {}
        self._names: dict[str, str] = {}  # of the system to make, by summarizer
        self._selected = ""
        self._has_documents = True
        self._running = OneJob(context.jobs, self)
        self._is_outdated = True
        self._connect()

    def _connect(self) -> None:
        view = self._view
        view.shown.connect(self._refresh)
        view.summarizer_chosen.connect(self._select)
        view.form.changed.connect(self._change_setting)
        view.form.place_requested.connect(self._choose_folder)
        view.system_named.connect(self._name_system)
        view.reset_button.clicked.connect(self._reset)
        for requested in (view.list.activated, view.name_field.returnPressed, view.run_button.clicked):
            requested.connect(self.run)
        view.job.stop_button.clicked.connect(self._running.stop)
        self._context.changes.changed.connect(self._study_changed)

    def open(self) -> None:
        self._view.begin(self._view.list)

    @Slot()
    def run(self) -> None:
        """Make a system of the selected summarizer."""
        if self._running.current is not None or not self._selected or not self._context.may_edit(_open_again):
            return
        request = self._request()
        if problem := self._problem(request):
            self._view.notice.show_message(problem)
            return
        device = available_device(self._context.settings.now.device)
        work = summarize_study(self._context.study, [request], device=device)
        job = self._running.start(tr("Making {name}", name=request.name), work, JobQueue.SCORING)
        job.progressed.connect(self._view.job.show_progress)
        job.finished.connect(self._finish)
        cancelled = tr("Cancelled. The summaries made so far are stored.")
        job.cancelled.connect(partial(self._context.show_message, cancelled))
        job.failed.connect(lambda error: self._view.notice.show_message(str(error)))
        job.ended.connect(self._end)
        self._view.job.show_progress(Progress(0, 0, request.name))

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
        self._view.job.show_idle()
        if job.error is None:
            self._show_details()
        self._refresh()

    @Slot(str)
    def _select(self, name: str) -> None:
        self._selected = name
        self._show_details()

    @Slot(str, object)
    def _change_setting(self, key: str, value: object) -> None:
        changes: dict[str, Any] = {key: value}
        try:
            self._chosen[self._selected] = replace(self._chosen[self._selected], **changes)
            allowed_names().named_settings(self._chosen[self._selected])  # nothing in it is stored content
        except BadSetting as error:
            self._context.show_message(str(error))
        self._show_details()

    @Slot(object)
    def _choose_folder(self, field: SettingField) -> None:
        if (folder := self._ask_folder(tr("Folder: {title}", title=field.title))) is not None:
            self._change_setting(field.key, str(folder))

    @Slot(str)
    def _name_system(self, name: str) -> None:
        self._names[self._selected] = name
        self._show_details()

    @Slot()
    def _reset(self) -> None:
        self._chosen[self._selected] = type(self._chosen[self._selected])()
        self._names.pop(self._selected, None)
        self._show_details()

    def _list(self) -> None:
        """List the summarizers on the first show; loading them takes a while."""
        kinds = registry.summarizers()
        self._chosen = {cls.name: cls() for cls in kinds}
        self._view.show_summarizers(
            [
                SummarizerRow(
                    cls.name, cls.about, tr("upper bound") if cls().upper_bound_by else tr("baseline")
                )
                for cls in kinds
            ]
        )
        for message in registry.PLUGINS.failures():
            self._context.show_message(message)

    @Slot()
    def _refresh(self) -> None:
        if not self._chosen and self._view.isVisible():
            self._list()
        if self._is_outdated and self._view.isVisible() and self._running.current is None:
            self._is_outdated = False
            self._has_documents = any(topic.documents for topic in self._context.study.texts.topics())
            job = self._context.jobs.start(tr("Reading systems"), read_systems(self._context.study))
            job.finished.connect(self._view.show_systems)
            self._show_details()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _RELEVANT_CHANGES:
            self._is_outdated = True
            self._refresh()

    def _request(self) -> SystemRequest:
        summarizer = self._chosen[self._selected]
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

    def _show_details(self) -> None:
        if not self._selected:
            return
        summarizer, request = self._chosen[self._selected], self._request()
        self._view.show_details(
            SummarizerDetails(
                summarizer.name,
                summarizer.about,
                summarizer.paper,
                setting_fields(summarizer),
                self._names.get(self._selected, ""),
                _placeholder(summarizer),
                self._problem(request),
                _command(request, command_argument(self._context.study.path)),
            )
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


def _open_again(context: Context) -> str:
    context.commands.action("texts.summarize").trigger()
    return ""
