"""Long work off the GUI thread.

A job is a generator that yields Progress and returns its result. It runs in a plain thread and puts events on
a queue that a GUI timer empties, so no Qt object is ever used outside the GUI thread.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.progress import Cancelled, JobSteps, Progress, cancellable
from gui.background.turn_queue import Courtesy

TICK_MS = 50
QUICK_TICK_MS = 4  # for results that the user waits for
COMPUTE_NICENESS = 5
REST_EVERY_S, REST_S = 0.008, 0.0005
_CHECK_THREADS_EVERY_S = 0.5
_SURE_AFTER_S = 1.0  # an estimate from less work than this is unstable


T = TypeVar("T")


def one_step(do: Callable[[], T], words: str = "") -> JobSteps[T]:
    """Return the steps of a job that does one thing and cannot be cancelled. words: what it does."""
    yield Progress(0, 0, words)
    return do()


class JobQueue(StrEnum):
    """Queues of jobs; each runs one job at a time."""

    SCORING = "scoring"
    RESAMPLING = "resampling"
    COMPARING = "comparing"
    AHEAD = "ahead"
    DRAWING = "drawing"
    READING = "reading"
    EXPLAINING = "explaining"
    UNDO = "undo"
    CHECKING = "checking"
    FILES = "files"
    SEARCHING = "searching"
    FETCHING = "fetching"
    INDEXING = "indexing"
    HELP = "help"


_QUICK = frozenset({JobQueue.COMPARING, JobQueue.READING, JobQueue.EXPLAINING})


class _ComputeThreads:
    """The native threads that libraries start for their computations while a job runs.

    Scoring keeps every core busy, so these threads get a lower priority than the window. The job's own thread
    keeps its priority: it holds the interpreter's lock at times, and a thread that waits for a busy core with
    that lock blocks the window. Only Linux has a priority for each thread; other systems favor the window in
    the foreground by themselves.
    """

    def __init__(self) -> None:
        self._known = _native_ids() if sys.platform == "linux" else set()
        self._checked = 0.0

    def lower_priority(self) -> None:
        """Lower the priority of the native threads started since the last call; cheap to call often."""
        if sys.platform != "linux" or time.monotonic() - self._checked < _CHECK_THREADS_EVERY_S:
            return
        self._checked = time.monotonic()
        started = _native_ids() - self._known
        self._known |= started
        lower = os.getpriority(os.PRIO_PROCESS, 0) + COMPUTE_NICENESS
        for native_id in started - {thread.native_id for thread in threading.enumerate()}:
            with suppress(OSError):  # it has ended meanwhile
                os.setpriority(os.PRIO_PROCESS, native_id, lower)


def _native_ids() -> set[int]:
    return {int(name) for name in os.listdir("/proc/self/task")}  # noqa: PTH208 - pathlib is slower here


class _Work:
    """The part of a job that the worker thread uses; without Qt objects, which must die on the GUI thread."""

    def __init__(self, steps: JobSteps[Any], *, yields_to_window: bool) -> None:
        self._steps, self._yields_to_window = steps, yields_to_window
        self._rested = 0.0
        self.stop = Event()
        self.events: SimpleQueue[tuple[str, Any]] = SimpleQueue()

    def run(self) -> None:
        """Run to the end or until stopped; the last event is finished, failed or cancelled."""
        threads = _ComputeThreads() if self._yields_to_window else None
        try:
            with cancellable(self.stop.is_set):
                while not self.stop.is_set():
                    self.events.put(("progressed", next(self._steps)))
                    self._rest()
                    if threads is not None:
                        threads.lower_priority()
                self._steps.close()
            self.events.put(("cancelled", None))
        except Cancelled:
            self.events.put(("cancelled", None))
        except StopIteration as end:
            self.events.put(("finished", end.value))
        except Exception as error:  # noqa: BLE001 - the GUI thread decides what to show
            self.events.put(("failed", error))

    def _rest(self) -> None:
        """Sleep briefly every few milliseconds so that the window can take the interpreter lock.

        A thread that reads files releases the lock often and takes it back at once, which defeats the
        switching of the interpreter: the window was blocked for 240 ms.
        """
        if time.perf_counter() - self._rested > REST_EVERY_S:
            time.sleep(REST_S)
            self._rested = time.perf_counter()


class Job(QObject):
    """One execution of a generator. Exactly one of finished, failed and cancelled is emitted.

    Signals:
        progressed: Progress with the time left, at most one per tick.
        finished: the return value of the generator.
        failed: the exception.
        cancelled: the job was cancelled.
        ended: the job, after one of the three signals above.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal(object)

    def __init__(
        self,
        title: str,
        work: JobSteps[Any],
        queue: JobQueue = JobQueue.READING,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.title, self.queue = title, queue
        self.error: Exception | None = None
        self.latest = Progress(0, 0)
        self._work = _Work(work, yields_to_window=queue in (JobQueue.SCORING, JobQueue.RESAMPLING))
        tick = QUICK_TICK_MS if queue in _QUICK else TICK_MS
        self._timer = QTimer(self, interval=tick)
        self._timer.timeout.connect(self._drain)
        self._thread = Thread(target=self._work.run, name=title, daemon=True)
        self._began = 0.0
        self._is_abandoned = self._is_dropped = False
        self._courtesy = Courtesy()

    def start(self) -> None:
        """Start the work in its own thread."""
        self._began = time.monotonic()
        self._timer.start()
        self._thread.start()

    def cancel(self) -> None:
        """Request the work to stop at its next yield, or where a long step checks for cancellation."""
        self._work.stop.set()

    def abandon(self) -> None:
        """Cancel, and emit cancelled even if the work finishes first; for closing a study."""
        self._is_abandoned = True
        self.cancel()

    @Slot()
    def drop(self) -> None:
        """Emit only `ended` from now on: those who would take the result are gone."""
        self._is_dropped = True

    def wait(self, seconds: float) -> bool:
        """Wait for the work to stop; return whether it stopped within this time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    @Slot()
    def _drain(self) -> None:
        if self._courtesy.lets_others_first():
            return
        latest: Progress | None = None
        while True:
            try:
                kind, value = self._work.events.get_nowait()
            except Empty:
                break
            if kind == "progressed":
                latest = value
                continue
            self._timer.stop()
            self._emit_progress(latest)
            self._end(*(("cancelled", None) if self._is_abandoned else (kind, value)))
            return
        self._emit_progress(latest)

    def _emit_progress(self, progress: Progress | None) -> None:
        if progress is not None:
            self.latest = with_time_left(progress, time.monotonic() - self._began)
            if not self._is_dropped:
                self.progressed.emit(self.latest)

    def _end(self, kind: str, value: Any) -> None:
        if kind == "failed":
            self.error = value
        if not self._is_dropped:
            if kind == "cancelled":
                self.cancelled.emit()
            else:
                (self.failed if kind == "failed" else self.finished).emit(value)
        self.ended.emit(self)


def with_time_left(progress: Progress, elapsed: float) -> Progress:
    """Return a progress with an estimate of the seconds left, unless it has one or too little is done."""
    knows_enough = elapsed >= _SURE_AFTER_S and 0 < progress.done <= progress.total
    if progress.seconds_left is not None or not knows_enough:
        return progress
    return replace(progress, seconds_left=elapsed * (progress.total - progress.done) / progress.done)


class Jobs(QObject):
    """All jobs of the window, in queues that run one job at a time.

    Signals:
        started, ended: the Job.
        failed: the Job and its exception, after the signal of the job.
    """

    started = Signal(object)
    ended = Signal(object)
    failed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: dict[JobQueue, Job] = {}
        self._waiting: dict[JobQueue, deque[Job]] = {queue: deque() for queue in JobQueue}

    def start(
        self,
        title: str,
        work: JobSteps[Any],
        queue: JobQueue = JobQueue.READING,
        owner: QObject | None = None,
    ) -> Job:
        """Run a generator as soon as its queue is free, and return its job.

        owner: takes the result, such as a dialog; when it is deleted, the job emits only `ended`.
        """
        job = Job(title, work, queue, self)
        if owner is not None:
            owner.destroyed.connect(job.drop)
        job.ended.connect(
            self._end
        )  # no closure: it would keep a reference to self and delete it together with the job
        self._waiting[queue].append(job)
        if queue not in self._running:
            self._next(queue)
        return job

    def current(self, queue: JobQueue) -> Job | None:
        """Return the running job of a queue, None = none."""
        return self._running.get(queue)

    def running(self) -> list[Job]:
        """Return all running jobs, in the order of JobQueue."""
        return [self._running[queue] for queue in JobQueue if queue in self._running]

    def cancel_all(self, seconds: float) -> bool:
        """Cancel all jobs and wait at most this long; return whether all have stopped.

        After that no job emits finished or failed, because its study may be closed by then.
        """
        for queue in self._waiting.values():
            queue.clear()
        jobs = self.running()
        for job in jobs:
            job.abandon()
        until = time.monotonic() + seconds
        stopped = [job.wait(max(0.0, until - time.monotonic())) for job in jobs]
        return all(stopped)

    def _next(self, queue: JobQueue) -> None:
        if self._waiting[queue]:
            job = self._waiting[queue].popleft()
            self._running[queue] = job
            job.start()
            self.started.emit(job)

    @Slot(object)
    def _end(self, job: Job) -> None:
        del self._running[job.queue]
        if job.error is not None:
            self.failed.emit(job, job.error)
        self.ended.emit(job)
        job.deleteLater()
        self._next(job.queue)


class OneJob(QObject):
    """The job of a page or dialog that runs one at a time; `current`: None = none is running."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.current: Job | None = None

    def start(self, title: str, work: JobSteps[Any], queue: JobQueue) -> Job:
        """Start a job; at its end there is no current one."""
        job = self.current = self._jobs.start(title, work, queue, self)
        job.ended.connect(self._forget)
        return job

    @Slot()
    def stop(self) -> None:
        """Cancel the job, if one is running."""
        if self.current is not None:
            self.current.cancel()

    @Slot(object)
    def _forget(self, job: Job) -> None:
        if job is self.current:
            self.current = None


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
