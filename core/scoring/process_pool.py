"""A process pool that scores topics on the cores of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core.domain.study import TopicTexts
from core.files.allowed_names import AllowedByKind, allowed_names
from core.ports import ScoringInputs
from core.scoring.plan import PlannedRun, ScoringPlan
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import ReferenceCorpus, Task, TaskResult, corpus_of, run_task
from core.worker_processes import worker_pool

MOST_TRIES = 3
"""Number of attempts of a task before its topic counts as one that kills workers."""

_NICENESS = 5
_WAIT = 0.1

Done = Future[list[TaskResult]]


class WorkerDied(Exception):
    """A worker died while running a task; submit the task again."""


class WorkerPool(Protocol):
    """The interface of process pools and clusters."""

    @property
    def count(self) -> int:
        """Return the number of tasks that run in parallel."""
        ...

    @property
    def least_seconds(self) -> float:
        """Return the seconds of work of one process below which sending tasks takes longer than it saves."""
        ...

    def submit(self, task: Task) -> Done:
        """Submit a task; the Future raises WorkerDied if its worker died."""
        ...

    def find_lost(self) -> None:
        """Raise WorkerDied in the Futures of tasks that no worker has; called while none finishes."""
        ...

    def close(self) -> None:
        """Release all workers at once; running tasks are lost."""
        ...


@dataclass
class ProcessPool:
    """Processes on this machine, started with the first task; a pool broken by a dead worker is replaced.

    load_references: called with the first task; returns the references that tasks may read.
    is_nice: run with low priority, so that the window stays responsive.
    """

    count: int
    load_references: Callable[[], ReferenceCorpus] = ReferenceCorpus
    is_nice: bool = False
    least_seconds: float = 4.0
    _pool: ProcessPoolExecutor | None = None

    def submit(self, task: Task) -> Done:
        if self._pool is None:
            self._pool = self._started()
        try:
            return _detect_death(self._pool.submit(_do_here, task))
        except BrokenProcessPool:
            self.close()
            return self.submit(task)

    def find_lost(self) -> None:
        """Do nothing: the pool itself reports dead workers."""

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        return worker_pool(
            self.count, _begin, (self.load_references(), allowed_names().listed(), self.is_nice)
        )


@dataclass(slots=True)
class _SentTask:
    """A submitted task with its planned runs."""

    task: Task
    runs: tuple[PlannedRun, ...]
    tries: int = 1


class PendingTasks:
    """Tasks that were submitted and are not finished.

    is_on: whether tasks are sent; see `WorkerPool.least_seconds`.
    The tasks of a dead worker are submitted again one by one, so that only the one that kills it is
    abandoned.
    """

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._most = 2 * workers.count
        self.is_on = False
        self._out: dict[Done, _SentTask] = {}
        self._suspects: deque[_SentTask] = deque()

    def turn_on(self, seconds: float) -> bool:
        """Send tasks from now on if so much work is left; return whether that has begun now.

        seconds: of work for one process.
        """
        begins = not self.is_on and seconds >= self._workers.least_seconds
        self.is_on = self.is_on or begins
        return begins

    @property
    def workers(self) -> int:
        """Return the number of tasks that run in parallel."""
        return self._workers.count

    @property
    def has_any(self) -> bool:
        """Return whether any task is unfinished."""
        return bool(self._out or self._suspects)

    @property
    def is_full(self) -> bool:
        """Return whether enough tasks are submitted: no worker is idle, or one of the tasks is suspect."""
        return len(self._out) >= self._most or bool(self._suspects)

    @property
    def has_finished(self) -> bool:
        """Return whether any finished task has not been collected."""
        return any(future.done() for future in self._out)

    def send(self, topic: TopicTexts, runs: Sequence[PlannedRun]) -> None:
        """Submit a topic with the runs that can be scored remotely."""
        self._send(_SentTask(Task.of(topic, runs), tuple(runs)))

    def collect(self) -> Iterator[tuple[TopicTexts, PlannedRun, TaskResult]]:
        """Return finished tasks; waits briefly if there are none."""
        if self._suspects and not self._out:
            self._send(self._suspects.popleft())
        done, _ = wait(self._out, timeout=_WAIT, return_when=FIRST_COMPLETED)
        if not done:
            self._workers.find_lost()
        for future in done:
            sent = self._out.pop(future)
            try:
                outcomes = future.result()
            except WorkerDied:
                if sent.tries < MOST_TRIES:
                    sent.tries += 1
                    self._suspects.append(sent)
                    continue
                outcomes = [_abandoned(sent)] * len(sent.runs)
            for run, outcome in zip(sent.runs, outcomes, strict=True):
                yield sent.task.topic, run, outcome

    def _send(self, sent: _SentTask) -> None:
        self._out[self._workers.submit(sent.task)] = sent


def _abandoned(sent: _SentTask) -> TaskResult:
    return TaskResult(
        None,
        0.0,
        f"The process that scored it died {sent.tries} times. Close what takes much memory and score "
        "again, or score in one process (--workers 0).",
    )


def local_workers(
    study: ScoringInputs, plan: ScoringPlan, count: int, *, are_nice: bool = False
) -> ProcessPool | None:
    """Return processes for a plan, which start when the work left is worth it; None if none are requested."""
    if count < 1:
        return None
    return ProcessPool(count, partial(corpus_of, study, plan), are_nice)


def cores() -> int:
    """Return the number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _detect_death(future: Done) -> Done:
    mine: Done = Future()
    future.add_done_callback(partial(_hand_over, mine))
    return mine


def _hand_over(mine: Done, done: Done) -> None:
    if done.cancelled():
        mine.set_exception(WorkerDied("the task was cancelled"))
    elif (error := done.exception()) is None:
        mine.set_result(done.result())
    elif isinstance(error, BrokenProcessPool):
        mine.set_exception(WorkerDied(str(error)))
    else:
        mine.set_exception(error)


_tools: StudyResources | None = None
"""In a worker's process: its resources."""


def _begin(corpus: ReferenceCorpus, allowed: AllowedByKind, is_nice: bool) -> None:
    global _tools
    allowed_names().restore(allowed)
    if is_nice and hasattr(os, "nice"):
        os.nice(_NICENESS)
    _tools = StudyResources(corpus=corpus.references)


def _do_here(task: Task) -> list[TaskResult]:
    if _tools is None:
        raise RuntimeError("this process was not begun as a worker")
    return run_task(task, _tools)
