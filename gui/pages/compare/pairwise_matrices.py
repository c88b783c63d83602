"""Cache of pairwise matrices of measures, computed by jobs."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QObject, Signal, Slot

from core.matrix import Array
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs

Found = tuple[int, Hashable, Array]
"""The number of the reading, the key and its matrix."""


class PairwiseCache(QObject):
    """Caches the matrices of one reading of the study.

    Signals:
        computed: the last requested matrix is available.
    """

    computed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[Hashable, Array] = {}
        self._requested: Hashable = None
        self._job: Job | None = None
        self._reading = 0

    def start_over(self) -> None:
        """Clear the cache, as the study was read again."""
        self._reading += 1
        self._known.clear()
        self._requested = None

    def find(self, requested: Hashable) -> Array | None:
        """Return a matrix; None = not computed yet."""
        return self._known.get(requested)

    def ask(self, requested: Hashable, work: JobSteps[Array]) -> None:
        """Compute this matrix and cancel any other."""
        if requested == self._requested and self._job is not None:
            return
        if self._job is not None:
            self._job.cancel()
        self._requested = requested
        self._job = self._jobs.start(
            "Comparing measures", _of(self._reading, requested, work), JobQueue.COMPARING
        )
        self._job.finished.connect(self._take)
        self._job.ended.connect(self._end)

    @Slot(object)
    def _take(self, result: Found) -> None:
        reading, requested, values = result
        if reading == self._reading:
            self._known[requested] = values
            if requested == self._requested:
                self.computed.emit()

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None


def _of(reading: int, requested: Hashable, work: JobSteps[Array]) -> JobSteps[Found]:
    values = yield from work
    return reading, requested, values
