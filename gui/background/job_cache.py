"""Cache of values that jobs compute."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class JobCache(QObject, Generic[K, V]):
    """Computes requested values one at a time and caches them.

    title: title of the job that computes the value of a key.

    Signals:
        computed: the key of a new value that is not None.
    """

    computed = Signal(object)

    def __init__(self, jobs: Jobs, title: Callable[[K], str], queue: JobQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._title, self._queue = jobs, title, queue
        self._values: dict[K, V] = {}
        self._tasks: dict[K, JobSteps[V]] = {}
        self._running: tuple[K, Job] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a value is being computed."""
        return self._running is not None

    def get(self, key: K) -> V | None:
        """Return a value; None = not computed yet."""
        return self._values.get(key)

    def ask(self, tasks: Mapping[K, JobSteps[V]]) -> None:
        """Compute these in order, unless they are known; drop other requests."""
        self._tasks = {key: work for key, work in tasks.items() if key not in self._values}
        if self._running is not None and self._tasks.pop(self._running[0], None) is None:
            self._stop()
        self._go_on()

    def pause(self) -> None:
        """Stop computing until the next `ask`."""
        self._tasks = {}
        self._stop()

    def clear(self) -> None:
        """Drop all values and requests, as the study was read again."""
        self._values.clear()
        self.pause()

    def _stop(self) -> None:
        if self._running is not None:
            self._running[1].abandon()
            self._running = None

    def _go_on(self) -> None:
        if self._tasks and self._running is None:
            key = next(iter(self._tasks))
            job = self._jobs.start(self._title(key), self._tasks.pop(key), self._queue)
            job.finished.connect(self._take)
            job.ended.connect(self._end)
            self._running = key, job

    @Slot(object)
    def _take(self, value: V) -> None:
        if self._running is not None:
            key, _ = self._running
            self._values[key] = value
            if value is not None:
                self.computed.emit(key)

    @Slot(object)
    def _end(self, job: Job) -> None:
        if self._running is not None and job is self._running[1]:
            self._running = None
            self._go_on()
