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
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.progress import Cancelled, JobSteps, Progress, cancellable

TICK_MS = 50
QUICK_TICK_MS = 4  # for results that the user waits for
COMPUTE_NICENESS = 5
REST_EVERY_S, REST_S = 0.008, 0.0005
_CHECK_THREADS_EVERY_S = 0.5
_SURE_AFTER_S = 1.0  # an estimate from less work than this is unstable


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
        self._is_abandoned = False

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

    def wait(self, seconds: float) -> bool:
        """Wait for the work to stop; return whether it stopped within this time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    @Slot()
    def _drain(self) -> None:
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
            self.progressed.emit(self.latest)

    def _end(self, kind: str, value: Any) -> None:
        if kind == "cancelled":
            self.cancelled.emit()
        elif kind == "finished":
            self.finished.emit(value)
        else:
            self.error = value
            self.failed.emit(value)
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

    def start(self, title: str, work: JobSteps[Any], queue: JobQueue = JobQueue.READING) -> Job:
        """Run a generator as soon as its queue is free, and return its job."""
        job = Job(title, work, queue, self)
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
