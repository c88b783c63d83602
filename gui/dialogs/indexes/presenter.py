"""Presenter of the index dialog: lists, builds, uploads and removes indexes, and puts them into words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from core.errors import BadImport, PyramidionError
from core.files.study_address import StudyAddress
from core.formatting.numbers import format_known_bytes
from core.ports import Study
from core.progress import Progress
from core.retrieval.index_provider import index_provider
from core.retrieval.index_store import IndexRequest, IndexStore, StoredIndex
from core.retrieval.protocols import STUDY_INDEX
from gui.background.jobs import Job, JobQueue, Jobs, OneJob, one_step
from gui.dialogs.indexes.view import OWN, Building, IndexDetails, UploadChoice, analysis_text
from gui.style.language import tr
from gui.widgets.dialog import ToolPresenter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.dialogs.indexes.view import IndexesDialog

Ask = Callable[[Collection[str], StudyAddress | None, int], IndexRequest | None]
Listing = tuple[tuple[StoredIndex, ...], int | None]
"""Every stored index, and the number of documents of the open study (None = no study is open)."""

_MAX_PROBLEMS = 5


def indexes(parent: QWidget, jobs: Jobs, store: IndexStore, study: Study | None) -> IndexesPresenter:
    """Return the index dialog over a window, with its presenter."""
    from gui.dialogs.indexes.view import IndexesDialog, ask_build, ask_removal, ask_upload

    view = IndexesDialog(parent)
    return IndexesPresenter(
        view,
        jobs,
        store,
        partial(ask_build, parent=view),
        partial(ask_removal, parent=view),
        study,
        partial(ask_upload, parent=view),
    )


class IndexesPresenter(ToolPresenter):
    """Connects the dialog to the indexes stored on this computer.

    ask: asks what to build, None = cancelled.
    confirm: asks whether the index of this name may be deleted.
    study: the open study, None = no study is open.
    ask_address: asks where to upload the index of this name, None = cancelled.

    Signals:
        changed: an index was added or removed.
        message: a sentence for the status bar.
    """

    changed = Signal()
    message = Signal(str)

    def __init__(
        self,
        view: IndexesDialog,
        jobs: Jobs,
        store: IndexStore,
        ask: Ask,
        confirm: Callable[[str], bool],
        study: Study | None = None,
        ask_address: Callable[[str], UploadChoice | None] = lambda _: None,
    ) -> None:
        super().__init__(view)
        self._view, self._jobs, self._store = view, jobs, store
        self._ask, self._confirm, self._study = ask, confirm, study
        self._ask_address = ask_address
        self._indexes: tuple[StoredIndex, ...] = ()
        self._study_documents: int | None = None
        self._current = ""
        self._building: Building | None = None
        self._job = OneJob(jobs, self)
        view.table.row_chosen.connect(self._show_row)
        view.build_button.clicked.connect(self.build)
        view.details.upload_button.clicked.connect(self.upload)
        view.job.stop_button.clicked.connect(self._job.stop)
        view.details.remove_button.clicked.connect(self._remove)

    def open(self) -> None:
        self._view.begin(self._view.table)
        self._list()

    @Slot()
    def build(self) -> None:
        """Ask what to build and build it, unless an index is being built."""
        if self._building is not None:
            return
        study = self._study.path if self._study is not None else None
        request = self._ask([one.name for one in self._indexes], study, self._study_documents or 0)
        if request is None:
            return
        self._view.notice.show_message("")
        self._building = Building(request.name, Progress(0, 0, tr("Reading…")))
        title = tr("Building the index {name}", name=request.name)
        job = self._job.start(title, self._store.build(request), JobQueue.INDEXING)
        job.finished.connect(self._take_index)
        self._follow(job)

    @Slot()
    def upload(self) -> None:
        """Ask for a server and upload the selected index, unless an index is being built or uploaded."""
        name = self._current
        if self._building is not None or not name or name == STUDY_INDEX:
            return
        choice = self._ask_address(name)
        if choice is None:
            return
        self._view.notice.show_message("")
        self._building = Building(name, Progress(0, 0, tr("Connecting…")), is_upload=True)
        work = self._store.uploading(name, choice.address, choice.mu, replaces=choice.replaces)
        job = self._job.start(tr("Uploading the index {name}", name=name), work, JobQueue.INDEXING)
        job.finished.connect(self._take_upload)
        self._follow(job)

    def _follow(self, job: Job) -> None:
        """Show the progress and the end of a build or upload."""
        job.progressed.connect(self._progress)
        job.failed.connect(self._show_problem)
        job.ended.connect(self._end_building)
        self._show()

    def _list(self) -> None:
        job = self._jobs.start(tr("Listing indexes"), one_step(self._read_listing), JobQueue.READING)
        job.finished.connect(self._take_listing)
        job.failed.connect(self._show_problem)

    def _read_listing(self) -> Listing:
        topics = None if self._study is None else self._study.texts.topics()
        own = None if topics is None else sum(topic.documents for topic in topics)
        return tuple(self._store.list_indexes()), own

    @Slot(object)
    def _take_listing(self, listing: Listing) -> None:
        self._indexes, self._study_documents = listing
        self._show()

    @Slot(object)
    def _show_row(self, row: StoredIndex | None) -> None:
        if row is not None:
            self._current = row.name
            self._show_details()

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if self._building is not None:
            self._building = replace(self._building, progress=progress)
            self._view.show_building(self._building)

    @Slot(object)
    def _take_index(self, index: StoredIndex) -> None:
        self._current = index.name
        sentence = tr(
            "The index {name} is built: {documents}, {tokens}, {format_known_bytes}.",
            name=index.name,
            documents=tr("%n documents", "", index.documents),
            tokens=tr("%n words", "", index.tokens),
            format_known_bytes=format_known_bytes(index.bytes),
        )
        self.message.emit(sentence)
        self.changed.emit()

    @Slot(object)
    def _take_upload(self, address: str) -> None:
        self.message.emit(
            tr("The index is uploaded. As SERA's index, choose the server {address}.", address=address)
        )
        self.changed.emit()

    @Slot(object)
    def _end_building(self, _: object) -> None:
        self._building = None
        self._show()
        self._list()

    @Slot()
    def _remove(self) -> None:
        name = self._current
        if not name or name == STUDY_INDEX or not self._confirm(name):
            return
        try:
            self._store.remove(name)
        except PyramidionError as error:
            self._show_problem(error)
        self._current = ""
        self.changed.emit()
        self._list()

    @Slot(object)
    def _show_problem(self, error: Exception) -> None:
        if isinstance(error, BadImport):
            problems = [str(problem) for problem in error.problems[:_MAX_PROBLEMS]]
            more = len(error.problems) - len(problems)
            self._view.notice.show_message(
                "\n".join([*problems, tr("And {more:,} more.", more=more)] if more else problems)
            )
        elif isinstance(error, PyramidionError):
            self._view.notice.show_message(str(error))

    def _show(self) -> None:
        own = self._study_documents
        first = () if own is None else (StoredIndex(STUDY_INDEX, Path(), own),)
        rows = (*first, *self._indexes)
        current = self._current or (rows[0].name if rows else "")
        self._view.show_indexes(rows, tr("%n indexes", "", len(self._indexes)))
        self._view.show_building(self._building)
        if current:
            self._view.table.choose(lambda row: row.name == current)
        self._show_details()

    def _show_details(self) -> None:
        one = next((one for one in self._indexes if one.name == self._current), None)
        is_own = self._current == STUDY_INDEX and self._study_documents is not None
        self._view.show_details(
            details_of(one, self._study_documents or 0) if one is not None or is_own else None
        )


def details_of(one: StoredIndex | None, own: int) -> IndexDetails:
    """Return the details of an index. one: None = the documents of the open study."""
    if one is None:
        sentence = tr(
            "SERA searches these documents unless another index is chosen. They are indexed when it runs."
        )
        none = () if own else (tr("The study has no documents. Import documents or build an index."),)
        return IndexDetails(OWN, tr("%n documents", "", own), (sentence, *none))
    if one.problem:
        return IndexDetails(
            one.name, "", (tr("Folder: {place}", place=one.place),), one.problem, can_remove=True
        )
    lines = (
        tr("To use it, choose {name} as the index of SERA on the Score page.", name=one.name),
        tr(
            "Text analysis: {analysis_text}. Built {made} from {origin}.",
            analysis_text=analysis_text(one.analysis),
            made=one.made,
            origin=", ".join(one.sources),
        ),
        *one.notes,
        tr("Folder: {place}", place=one.place),
    )
    command = f"pyramidion index upload {one.name} https://localhost:9200"
    return IndexDetails(one.name, tr("%n documents", "", one.documents), lines, "", command, True)


def index_choices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the values of a setting that names an index, and their titles; the study's own comes first."""
    names = tuple(index_provider().names())
    return (STUDY_INDEX, *names), (OWN, *names)
