"""Workers of a Dask cluster, for studies that are too large for one machine."""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, cast

from core.errors import InputError, MissingResource
from core.extras import require
from core.files.allowed_names import AllowedByKind, allowed_names
from core.scoring.process_pool import Done, WorkerDied
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import ReferenceCorpus, Task, TaskResult, run_task
from core.server_causes import cause_of

Client = Any
"""A `distributed.Client`, whose methods have no types."""

_WAIT = 15.0
"""Seconds that a scheduler may take to answer, and a result to arrive."""

_FAREWELL = 2.0
"""Seconds that it may take to answer when a run has ended, which a frozen one never does."""

_CHECK_INTERVAL = 5.0
"""Seconds without a result after which the scheduler is asked for the tasks; a task that it twice does not
intend to run is lost."""

_PATIENCE = 300.0
"""Seconds that a cluster may have no worker."""

_TO_RUN = ("waiting", "queued", "processing")
"""The scheduler's states of tasks that will be run; without a worker, they have to be sent to others."""

_LOGGERS = ("distributed", "distributed.client")
"""The loggers of `distributed` that print on a terminal."""

_log = logging.getLogger(__name__)


@dataclass
class ClusterWorkers:
    """The workers of a scheduler that have this version; it reassigns the tasks of a dead worker itself.

    Others that join while it scores get no task.
    """

    address: str
    corpus: ReferenceCorpus = field(default_factory=ReferenceCorpus)
    least_seconds: float = 0.0
    _client: Client = None
    _shared: list[Any] = field(default_factory=list)
    _sent: dict[str, tuple[Any, Done]] = field(default_factory=dict)
    _suspects: frozenset[str] = frozenset()
    _checked: float = -math.inf
    _looked: float = -math.inf
    _had_workers: float = math.inf
    _fit: frozenset[str] = frozenset()
    _unfit: frozenset[str] = frozenset()
    _levels: dict[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        client = self._connected()
        with self._answering():
            threads: dict[str, int] = client.nthreads()
            fit = self.fit_workers()
        return max(1, sum(number for worker, number in threads.items() if worker in fit))

    @property
    def unfinished(self) -> list[str]:
        """Return the scheduler's keys of the tasks that were sent and have no result."""
        return list(self._sent)

    def submit(self, task: Task) -> Done:
        client = self._connected()
        mine: Done = Future()
        with self._answering():
            fit = sorted(self.fit_workers()) or None
            if not self._shared or any(future.status in ("cancelled", "lost") for future in self._shared):
                both = [self.corpus, allowed_names().listed()]
                self._shared = client.scatter(both, broadcast=True, hash=False, workers=fit)
            sent = client.submit(_do_there, task, *self._shared, self.corpus.key, pure=False, workers=fit)
        self._sent[sent.key] = sent, mine
        self._checked = time.monotonic()
        sent.add_done_callback(self._hand_over)
        return mine

    def find_lost(self) -> None:
        """Find lost tasks, at most once in _CHECK_INTERVAL seconds.

        A task that has finished is none: `_hand_over` waits for its result, for _WAIT at most.

        Raises InputError if the scheduler no longer answers, or has no worker for _PATIENCE seconds.
        """
        now = time.monotonic()
        if now - self._checked < _CHECK_INTERVAL:
            return
        with self._answering():
            states = self._client.run_on_scheduler(_states_of, self.unfinished)
            workers = self.fit_workers()
        self._checked = time.monotonic()
        self._had_workers = self._checked if workers else min(self._had_workers, self._checked)
        if self._checked - self._had_workers > _PATIENCE:
            raise InputError(
                f"The scheduler at {self.address} has lost all its workers. Start some with `dask worker "
                f"{self.address}` and score again: the scores so far are kept."
            )
        sent = dict(self._sent)
        arriving = {key for key, (future, _) in sent.items() if future.status == "finished"}
        is_waited_for = () if workers else ("no-worker",)
        lost = (
            frozenset(k for k, state in states.items() if state not in (*_TO_RUN, *is_waited_for)) - arriving
        )
        for key in lost & self._suspects:
            self._finish(key, WorkerDied("no worker has the task"))
        self._suspects = lost

    def close(self) -> None:
        if self._client is not None:
            if self._client.status == "running":  # or the client would wait for what has stopped
                with suppress(Exception):
                    self._client.sync(self._client._run_on_scheduler, _workers_of, callback_timeout=_FAREWELL)
            self._client.close()
            self._client = None
            for name, level in self._levels.items():
                logging.getLogger(name).setLevel(level)
            self._shared.clear()
            self._sent.clear()

    def _connected(self) -> Client:
        if self._client is None:
            self._client = connect(self.address)
            for name in _LOGGERS:  # a run goes on, or its error is said in other words
                self._levels[name] = logging.getLogger(name).level
                logging.getLogger(name).setLevel(logging.CRITICAL)
        return self._client

    def fit_workers(self) -> frozenset[str]:
        """Return the addresses of the workers of this version, looked up once in _CHECK_INTERVAL seconds."""
        now = time.monotonic()
        if now - self._looked >= _CHECK_INTERVAL:
            self._looked = now
            there = frozenset(self._client.run_on_scheduler(_workers_of))
            self._unfit &= there
            if new := there - self._fit - self._unfit:
                with suppress(TimeoutError):  # asked again next time
                    versions = _versions(self._client, sorted(new))
                    self._unfit |= {worker for worker, answer in versions.items() if answer != _version()}
                    self._fit |= versions.keys() - self._unfit
                    for worker in sorted(self._unfit & new):
                        _log.warning("%s gets no task. %s", worker, _unfit_reason(versions[worker]))
            self._fit &= there
        return self._fit

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raise InputError if the scheduler does not answer."""
        try:
            yield
        except (OSError, TimeoutError, RuntimeError) as error:
            raise InputError(
                f"The Dask scheduler at {self.address} no longer answers. Start it again and score again: "
                "the scores so far are kept."
            ) from error

    def _hand_over(self, sent: Any) -> None:
        """Hand the result of a Dask Future over; called in Dask's thread."""
        try:
            result = sent.result(timeout=_WAIT)
        except Exception as error:  # noqa: BLE001 - what a task raises, and every fault of a connection
            is_lost = sent.status in ("cancelled", "lost") or type(error).__name__ in _DEATHS
            if isinstance(error, ImportError):
                error = MissingResource(
                    f"A worker of {self.address} has no package {error.name}, which a metric needs. Install "
                    "on all workers what is installed here."
                )
            self._finish(sent.key, WorkerDied(cause_of(error)) if is_lost else error)
        else:
            self._finish(sent.key, result)

    def _finish(self, key: str, result: list[TaskResult] | Exception) -> None:
        _, mine = self._sent.pop(key, (None, None))
        if mine is None:
            return
        if isinstance(result, Exception):
            mine.set_exception(result)
        else:
            mine.set_result(result)


_DEATHS = ("KilledWorker", "TimeoutError", "CommClosedError")
"""The errors of `distributed` for a worker that died or does not hand its result over."""


def _states_of(keys: list[str], dask_scheduler: Any) -> dict[str, str | None]:
    """Return the state of each task; runs in the scheduler."""
    tasks = dask_scheduler.tasks
    return {key: tasks[key].state if key in tasks else None for key in keys}


def _workers_of(dask_scheduler: Any) -> list[str]:
    """Return the addresses of all workers; runs in the scheduler.

    The scheduler logs its last 1,000 messages to each worker, with the texts of their tasks. They are
    forgotten, so that its memory does not grow.
    """
    for sent in dask_scheduler.stream_comms.values():
        sent.recent_message_log.clear()
    return list(dask_scheduler.workers)


def connect(address: str) -> Client:
    """Connect to a scheduler whose workers all have this version of the program.

    Raises MissingResource without Dask, InputError if nothing answers or a worker is unfit.
    """
    require("cluster")
    import dask
    import distributed

    try:
        asyncio.run(_look_for(address))  # a client would wait for another program without end
        with dask.config.set({"distributed.admin.low-level-log-length": 1}):  # or it keeps what it sends
            client = cast(Client, distributed.Client)(address, timeout=_WAIT, set_as_default=False)
    except Exception as error:  # what `distributed` makes of the bytes of another program
        raise InputError(
            f"No Dask scheduler answers at {address} ({cause_of(error, 'it is another program')}). Start one "
            f"with `dask scheduler`, and workers with `dask worker {address}`, then try again."
        ) from error
    try:
        _check_workers(client, address)
    except BaseException:
        client.close()
        raise
    return client


async def _look_for(address: str) -> None:
    """Raise an error of any class unless a scheduler answers."""
    from distributed.core import rpc

    asked = cast(Any, rpc)(address, timeout=_WAIT)
    async with asyncio.timeout(_WAIT + 1.0), asked as scheduler:
        await scheduler.identity()


def _check_workers(client: Client, address: str) -> None:
    try:
        versions = _versions(client)
    except TimeoutError as error:
        raise InputError(
            f"A worker of {address} does not answer within {_WAIT:.0f} seconds. Stop it, or wait until it is "
            "less busy, and try again."
        ) from error
    unfit = {name: answer for name, answer in versions.items() if answer != _version()}
    if not versions:
        raise InputError(f"The scheduler at {address} has no workers. Start some: `dask worker {address}`.")
    if unfit:
        name, answer = next(iter(unfit.items()))
        raise InputError(
            f"{len(unfit)} of {len(versions)} workers of {address} cannot score for Pyramidion {_version()}: "
            f"{name}. {_unfit_reason(answer)}"
        )


def _unfit_reason(answer: str) -> str:
    there = f"It has {answer}." if answer else "It has no Pyramidion that can be used."
    return f"{there} Install {_version()} there, or stop that worker."


def _versions(client: Client, workers: Sequence[str] | None = None) -> dict[str, str]:
    """Return the version of the program by worker, empty = it has none. Raises TimeoutError."""
    options = {"workers": workers, "on_error": "return", "callback_timeout": _WAIT}
    answers = client.sync(client._run, _version, **options)  # `run` would wait for a frozen worker
    return {name: answer if isinstance(answer, str) else "" for name, answer in answers.items()}


def _version() -> str:
    return version("pyramidion")


_mine = threading.local()
"""In a worker: each thread's resources by corpus, for words are numbered as they come."""


def _do_there(task: Task, corpus: ReferenceCorpus, allowed: AllowedByKind, key: str) -> list[TaskResult]:
    if getattr(_mine, "key", None) != key:
        allowed_names().restore(allowed)
        _mine.key, _mine.resources = key, StudyResources(corpus=corpus.references)
    return run_task(task, _mine.resources)
