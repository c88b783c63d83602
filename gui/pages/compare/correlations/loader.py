"""Loader of the Compare page's data: once, and again after changes while the page is visible."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from core.ports import ChangeKind, ChangeSet
from gui.background.jobs import Job, JobQueue
from gui.pages.compare.correlations.choices import Choices
from gui.pages.compare.correlations.study_data import find_stale, load_data
from gui.session.context import Context
from gui.session.devices import available_device

_CONCERNED = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.SCORES,
        ChangeKind.RATINGS,
        ChangeKind.MATCHES,
        ChangeKind.PYRAMIDS,
        ChangeKind.PEOPLE,
        ChangeKind.EXPERIMENTS,
    }
)
"""Changes after which the data are read again; an experiment may add scores."""


class DataLoader(QObject):
    """Keeps the page's data up to date.

    is_seen: return whether the page is visible. choices: return the current choices.

    Signals:
        data_read: a ComparisonData. status_read: a ScoreStatus.
    """

    data_read = Signal(object)
    status_read = Signal(object)

    def __init__(
        self, context: Context, is_seen: Callable[[], bool], choices: Callable[[], Choices], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._is_seen, self._choices = context, is_seen, choices
        self._loading: Job | None = None
        self._is_outdated = True
        context.changes.changed.connect(self._on_changed)

    @Slot()
    def catch_up(self) -> None:
        """Read the data again if they changed while the page was hidden."""
        if self._is_outdated and self._loading is None:
            self._is_outdated = False
            choices = self._choices()
            work = load_data(self._context.study, choices.systems, with_made=choices.with_made)
            self._loading = self._context.jobs.start("Reading scores", work, JobQueue.COMPARING)
            self._loading.finished.connect(self.data_read)
            self._loading.ended.connect(self._end)

    def read_again(self) -> None:
        """Read the data again."""
        self._is_outdated = True
        self.catch_up()

    def look_for_stale(self) -> None:
        """Compare the scores with the current texts to find stale ones."""
        device = available_device(self._context.settings.now.device)
        work = find_stale(self._context.study, device, with_made=self._choices().with_made)
        job = self._context.jobs.start("Checking for stale scores", work, JobQueue.READING)
        job.finished.connect(self.status_read)

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED or changes.is_external:
            self._is_outdated = True
            if self._is_seen():
                self.catch_up()

    @Slot()
    def _end(self) -> None:
        self._loading = None
        if self._is_seen():
            self.catch_up()
