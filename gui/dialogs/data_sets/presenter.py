"""Presenter of the dialog of public data sets: downloads one and imports it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.import_batch import ImportCounts
from core.errors import FileChanged, PyramidionError
from core.progress import JobSteps
from gui.background.jobs import JobQueue, Jobs, OneJob
from gui.dialogs.data_sets.view import STOPPED, DataSetDialog, Row, Stored
from gui.style.language import tr

ACCEPT = tr("Use the changed file")
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Imported:
    """A data set that was imported. note: how to cite it, and what was not checked."""

    counts: ImportCounts
    note: str


@dataclass(frozen=True, slots=True)
class DataSets:
    """The public data sets, and functions to get one.

    rows: lists them, with what of them is on this computer.
    offline_reason: returns why downloads are off, empty = they are on.
    create: downloads one by name and makes a study of it at a path.
    add: downloads one by name and adds it to the open study; None = there is none that can be changed.
    The last argument of both: whether a file may differ from the first download.
    """

    rows: Callable[[], JobSteps[Sequence[Row]]]
    offline_reason: Callable[[], str]
    create: Callable[[str, Path, bool], JobSteps[Imported]]
    add: Callable[[str, bool], JobSteps[Imported]] | None = None


class DataSetPresenter(QObject):
    """Connects the dialog to the data sets.

    ask_path: asks where to save a new study, with a proposed name; None = cancelled.
    open_page: shows a web page in the browser.

    Signals:
        created: the path of a new study, and the Imported.
        added: the Imported that is in the open study.
    """

    created = Signal(object, object)
    added = Signal(object)

    def __init__(
        self,
        view: DataSetDialog,
        data_sets: DataSets,
        jobs: Jobs,
        ask_path: Callable[[str], Path | None],
        open_page: Callable[[str], object],
    ) -> None:
        super().__init__(view)
        self._view, self._data_sets, self._jobs = view, data_sets, jobs
        self._ask_path, self._open_page = ask_path, open_page
        self._job = OneJob(jobs, self)
        self._path: Path | None = None
        view.accept_button.clicked.connect(lambda: self._get(accepts_changes=False))
        view.notice.remedy_button.clicked.connect(lambda: self._get(accepts_changes=True))
        view.job.stop_button.clicked.connect(self._job.stop)
        view.page_button.clicked.connect(self._show_page)
        view.rejected.connect(self._job.stop)
        view.show_offline(data_sets.offline_reason())
        self._list()

    def _list(self) -> None:
        job = self._jobs.start(
            tr("Looking for data sets"), self._data_sets.rows(), JobQueue.READING, self._view
        )
        job.finished.connect(self._view.show_data_sets)
        self._view.rejected.connect(job.cancel)

    def _get(self, *, accepts_changes: bool) -> None:
        """Ask where the study goes, download the selected data set and import it.

        accepts_changes: although its file differs from the first download; where it goes is known then.
        """
        if (row := self._view.table.current) is None or self._job.current is not None:
            return
        chosen = row[0]
        if not self._view.is_new and self._data_sets.add is not None:
            self._start(row, self._data_sets.add(chosen.name, accepts_changes), self._report_added)
            return
        path = self._path if accepts_changes else self._ask_path(f"{chosen.name}.pyramidion")
        if path is None:
            return
        self._path = path
        steps = self._data_sets.create(chosen.name, path, accepts_changes)
        self._start(row, steps, lambda imported: self._report_created(path, imported))

    def _start(self, row: Row, steps: JobSteps[Imported], report: Callable[[Any], None]) -> None:
        verb = tr("Importing") if row[1] is Stored.ALL else tr("Downloading")
        job = self._job.start(f"{verb} {row[0].title}", steps, JobQueue.FETCHING)
        self._view.job.show_progress(job.latest)
        job.progressed.connect(self._view.job.show_progress)
        job.finished.connect(report)
        job.failed.connect(self._show_error)
        job.cancelled.connect(self._show_stopped)

    def _report_created(self, path: Path, imported: Imported) -> None:
        self._view.accept()
        self.created.emit(path, imported)

    def _report_added(self, imported: Imported) -> None:
        self._view.accept()
        self.added.emit(imported)

    @Slot()
    def _show_stopped(self) -> None:
        self._view.job.show_idle(STOPPED)
        self._list()

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        self._view.job.show_idle()
        if isinstance(error, PyramidionError):
            message = _HASH.sub(lambda found: f"{found[0][:8]}…", str(error))
            self._view.notice.show_message(message, ACCEPT if isinstance(error, FileChanged) else "")
        else:
            self._view.notice.show_message(tr("An internal error occurred. A crash report was saved."))
        self._list()

    @Slot()
    def _show_page(self) -> None:
        if (chosen := self._view.table.current) is not None:
            self._open_page(chosen[0].page)
