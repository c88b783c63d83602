"""What the list of indexes does: looks what is here, builds, removes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import BadImport, PyramidionError
from core.ports import Study
from core.progress import JobSteps, Progress
from core.retrieval.analysis import Analysis, Stemmer
from core.retrieval.index_store import (
    NAME_PATTERN,
    TABLE_SUFFIXES,
    DocumentColumns,
    IndexRequest,
    IndexStore,
    StoredIndex,
)
from core.retrieval.protocols import STUDY_INDEX
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.indexes.rows import STEMMERS, details_of, rows_of, told
from gui.dialogs.indexes.values import BuildChoices, Building, BuildWish
from gui.widgets.progress_bar import time_left

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.dialogs.indexes.view import IndexesDialog

Ask = Callable[[BuildChoices], BuildWish | None]
Found = tuple[tuple[StoredIndex, ...], int | None]
"""Every index, and how many documents the open study has."""

_SHOWN_PROBLEMS = 5


def indexes(parent: QWidget, jobs: Jobs, store: IndexStore, study: Study | None) -> IndexesPresenter:
    """The list over a window, and what works it."""
    from gui.dialogs.indexes.build_dialog import ask_build
    from gui.dialogs.indexes.view import IndexesDialog, ask_removal

    view = IndexesDialog(parent)
    return IndexesPresenter(
        view, jobs, store, partial(ask_build, parent=view), partial(ask_removal, parent=view), study
    )


class IndexesPresenter(QObject):
    """Connects the list to what is on this computer.

    ask: what to build, None = nothing. confirm: whether an index of this name may be deleted. study: the one
    that is open, None = none is.

    Signals:
        changed: indexes came or went.
        told: a sentence in passing.
    """

    changed = Signal()
    told = Signal(str)

    def __init__(
        self,
        view: IndexesDialog,
        jobs: Jobs,
        store: IndexStore,
        ask: Ask,
        confirm: Callable[[str], bool],
        study: Study | None = None,
    ) -> None:
        super().__init__(view)
        self._view, self._jobs, self._store = view, jobs, store
        self._ask, self._confirm, self._study = ask, confirm, study
        self._found: tuple[StoredIndex, ...] = ()
        self._own: int | None = None
        self._shown = ""
        self._building: Building | None = None
        self._job: Job | None = None
        view.row_shown.connect(self._show_row)
        view.build_requested.connect(self.build)
        view.cancel_requested.connect(self._cancel)
        view.remove_requested.connect(self._remove)

    def open(self) -> None:
        """Show the list, and look what is here."""
        self._view.begin()
        self._look()

    def close(self) -> None:
        """Take the list away."""
        self._view.close()
        self._view.deleteLater()

    @Slot()
    def build(self) -> None:
        """Ask what to build, and build it; one at a time."""
        if self._building is not None:
            return
        wish = self._ask(self._choices())
        if wish is None:
            return
        self._view.complain("")
        self._building = Building(wish.name, None, "Reading …")
        work = self._store.build(_wish(wish, self._study))
        self._job = self._jobs.start(f"Building the index {wish.name}", work, JobQueue.INDEXING)
        self._job.progressed.connect(self._progress)
        self._job.finished.connect(self._take)
        self._job.failed.connect(self._complain)
        self._job.ended.connect(self._end_building)
        self._show()

    def _choices(self) -> BuildChoices:
        taken = tuple(one.name for one in self._found)
        return BuildChoices(taken, NAME_PATTERN, STEMMERS, TABLE_SUFFIXES, self._own or 0)

    @Slot()
    def _look(self) -> None:
        job = self._jobs.start("Looking at indexes", looking(self._store, self._study), JobQueue.READING)
        job.finished.connect(self._take_found)
        job.failed.connect(self._complain)

    @Slot(object)
    def _take_found(self, found: Found) -> None:
        self._found, self._own = found
        self._show()

    @Slot(object)
    def _show_row(self, name: str) -> None:
        self._shown = name
        self._show_sheet()

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if self._building is None:
            return
        share = progress.done / progress.total if progress.total else None
        words = " · ".join(part for part in (progress.note, time_left(progress.seconds_left)) if part)
        self._building = Building(self._building.name, share, words)
        self._view.show_building(self._building)

    @Slot(object)
    def _take(self, made: StoredIndex) -> None:
        self._shown = made.name
        self.told.emit(told(made))
        self.changed.emit()

    @Slot(object)
    def _end_building(self, _: object) -> None:
        self._building, self._job = None, None
        self._show()
        self._look()

    @Slot()
    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    @Slot()
    def _remove(self) -> None:
        name = self._shown
        if not name or name == STUDY_INDEX or not self._confirm(name):
            return
        try:
            self._store.remove(name)
        except PyramidionError as error:
            self._complain(error)
        self._shown = ""
        self.changed.emit()
        self._look()

    @Slot(object)
    def _complain(self, error: Exception) -> None:
        if isinstance(error, BadImport):
            shown = [str(problem) for problem in error.problems[:_SHOWN_PROBLEMS]]
            more = len(error.problems) - len(shown)
            self._view.complain("\n".join([*shown, f"And {more:,} more."] if more else shown))
        elif isinstance(error, PyramidionError):
            self._view.complain(str(error))

    def _show(self) -> None:
        rows = rows_of(self._found, self._own)
        wanted = self._shown or (rows[0].name if rows else "")
        self._view.show_indexes(rows, f"{len(self._found)} here")
        self._view.show_building(self._building)
        if wanted:
            self._view.choose(wanted)
        self._show_sheet()

    def _show_sheet(self) -> None:
        one = next((one for one in self._found if one.name == self._shown), None)
        is_own = self._shown == STUDY_INDEX and self._own is not None
        self._view.show_sheet(details_of(one, self._own or 0) if one is not None or is_own else None)


def looking(store: IndexStore, study: Study | None) -> JobSteps[Found]:
    """Look at every index, and count the documents of the study."""
    yield Progress(0, 0, "")
    own = None if study is None else sum(topic.documents for topic in study.texts.topics())
    return tuple(store.list_indexes()), own


def _wish(wish: BuildWish, study: Study | None) -> IndexRequest:
    """What was wished as the store takes it. A name that is taken was told to be, where it was asked."""
    stemmer: Stemmer = next(each for each in get_args(Stemmer) if each == wish.stemmer)
    own = (study.path,) if study is not None and wish.from_study else ()
    return IndexRequest(
        wish.name,
        (*own, *wish.sources),
        Analysis(stemmer, wish.drops_stop_words),
        DocumentColumns(wish.id_column, wish.title_column, wish.text_column),
        replaces=True,
    )
