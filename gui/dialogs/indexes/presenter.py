"""Presenter of the index dialog: lists, builds, uploads and removes search indexes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import BadImport, PyramidionError
from core.ports import Study
from core.progress import JobSteps, Progress
from core.retrieval.analysis import Analysis, Stemmer
from core.retrieval.index_store import (
    ARCHIVE_SUFFIXES,
    ARTICLE_SUFFIXES,
    NAME_PATTERN,
    TABLE_SUFFIXES,
    DocumentColumns,
    IndexRequest,
    IndexStore,
    StoredIndex,
)
from core.retrieval.protocols import STUDY_INDEX
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.indexes.rows import STEMMERS, built_message, details_of, rows_of
from gui.dialogs.indexes.values import BuildChoice, BuildChoices, Building, UploadChoice
from gui.style.language import tr
from gui.widgets.progress_bar import time_left

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.dialogs.indexes.view import IndexesDialog

Ask = Callable[[BuildChoices], BuildChoice | None]
Listing = tuple[tuple[StoredIndex, ...], int | None]
"""Every stored index, and the number of documents of the open study (None = no study is open)."""

_MAX_PROBLEMS = 5


def indexes(parent: QWidget, jobs: Jobs, store: IndexStore, study: Study | None) -> IndexesPresenter:
    """Return the index dialog over a window, with its presenter."""
    from gui.dialogs.indexes.build_dialog import ask_build, ask_upload
    from gui.dialogs.indexes.view import IndexesDialog, ask_removal

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


class IndexesPresenter(QObject):
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
        self._job: Job | None = None
        view.row_selected.connect(self._show_row)
        view.build_button.clicked.connect(self.build)
        view.details.upload_button.clicked.connect(self.upload)
        view.progress.cancel_button.clicked.connect(self._cancel)
        view.details.remove_button.clicked.connect(self._remove)

    def open(self) -> None:
        """Show the dialog and list the indexes."""
        self._view.begin()
        self._list()

    def close(self) -> None:
        """Close and delete the dialog."""
        self._view.close()
        self._view.deleteLater()

    @Slot()
    def build(self) -> None:
        """Ask what to build and build it, unless an index is being built."""
        if self._building is not None:
            return
        choice = self._ask(self._choices())
        if choice is None:
            return
        self._view.notice.show_message("")
        self._building = Building(choice.name, None, tr("Reading…"))
        work = self._store.build(_request(choice, self._study))
        job = self._jobs.start(tr("Building the index {name}", name=choice.name), work, JobQueue.INDEXING)
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
        self._building = Building(name, None, tr("Connecting…"), is_upload=True)
        work = self._store.uploading(name, choice.address, choice.mu, replaces=choice.replaces)
        job = self._jobs.start(tr("Uploading the index {name}", name=name), work, JobQueue.INDEXING)
        job.finished.connect(self._take_upload)
        self._follow(job)

    def _follow(self, job: Job) -> None:
        """Show the progress and the end of a build or upload."""
        self._job = job
        job.progressed.connect(self._progress)
        job.failed.connect(self._show_problem)
        job.ended.connect(self._end_building)
        self._show()

    def _choices(self) -> BuildChoices:
        taken = tuple(index.name for index in self._indexes)
        articles = (*ARTICLE_SUFFIXES, *ARCHIVE_SUFFIXES)
        return BuildChoices(
            taken, NAME_PATTERN, STEMMERS, TABLE_SUFFIXES, self._study_documents or 0, articles
        )

    @Slot()
    def _list(self) -> None:
        job = self._jobs.start(
            tr("Listing indexes"), list_indexes(self._store, self._study), JobQueue.READING
        )
        job.finished.connect(self._take_listing)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _take_listing(self, listing: Listing) -> None:
        self._indexes, self._study_documents = listing
        self._show()

    @Slot(object)
    def _show_row(self, name: str) -> None:
        self._current = name
        self._show_details()

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if self._building is None:
            return
        share = progress.done / progress.total if progress.total else None
        text = " · ".join(part for part in (progress.note, time_left(progress.seconds_left)) if part)
        self._building = replace(self._building, share=share, text=text)
        self._view.show_building(self._building)

    @Slot(object)
    def _take_index(self, index: StoredIndex) -> None:
        self._current = index.name
        self.message.emit(built_message(index))
        self.changed.emit()

    @Slot(object)
    def _take_upload(self, address: str) -> None:
        self.message.emit(
            tr("The index is uploaded. As SERA's index, choose the server {address}.", address=address)
        )
        self.changed.emit()

    @Slot(object)
    def _end_building(self, _: object) -> None:
        self._building, self._job = None, None
        self._show()
        self._list()

    @Slot()
    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

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
        rows = rows_of(self._indexes, self._study_documents)
        current = self._current or (rows[0].name if rows else "")
        self._view.show_indexes(rows, tr("%n indexes", "", len(self._indexes)))
        self._view.show_building(self._building)
        if current:
            self._view.choose(current)
        self._show_details()

    def _show_details(self) -> None:
        one = next((one for one in self._indexes if one.name == self._current), None)
        is_own = self._current == STUDY_INDEX and self._study_documents is not None
        self._view.show_details(
            details_of(one, self._study_documents or 0) if one is not None or is_own else None
        )


def list_indexes(store: IndexStore, study: Study | None) -> JobSteps[Listing]:
    """List the stored indexes and count the documents of the study."""
    yield Progress(0, 0, "")
    own = None if study is None else sum(topic.documents for topic in study.texts.topics())
    return tuple(store.list_indexes()), own


def _request(choice: BuildChoice, study: Study | None) -> IndexRequest:
    """Return the request for the store; the dialog has warned if an index is replaced."""
    stemmer: Stemmer = next(each for each in get_args(Stemmer) if each == choice.stemmer)
    own = (study.path,) if study is not None and choice.from_study else ()
    return IndexRequest(
        choice.name,
        (*own, *choice.sources),
        Analysis(stemmer, choice.drops_stop_words),
        DocumentColumns(choice.id_column, choice.title_column, choice.text_column),
        replaces=True,
        parts=choice.parts,
    )
