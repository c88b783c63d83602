"""Workers of a Dask cluster, for studies that are too large for one machine."""

from __future__ import annotations

import threading
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, cast

from core.errors import InputError, MissingResource
from core.files.allowed_names import AllowedByKind, allowed_names
from core.scoring.process_pool import Done, detect_death
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import ReferenceCorpus, Task, TaskResult, run_task

Client = Any
"""A `distributed.Client`, whose methods have no types."""

_WAIT = "15s"


@dataclass
class ClusterWorkers:
    """All workers of a scheduler, which reassigns the tasks of a dead worker itself."""

    address: str
    corpus: ReferenceCorpus = field(default_factory=ReferenceCorpus)
    _client: Client = None
    _executor: Executor | None = None
    _shared: Any = None

    @property
    def count(self) -> int:
        threads: dict[str, int] = self._connected().nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: Task) -> Done:
        client = self._connected()
        if self._executor is None:
            self._shared = client.scatter((self.corpus, allowed_names().listed()), broadcast=True, hash=False)
            self._executor = client.get_executor(pure=False)
        return detect_death(self._executor.submit(_do_there, task, self._shared, self.corpus.key))

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = self._executor = self._shared = None

    def _connected(self) -> Client:
        if self._client is None:
            self._client = connect(self.address)
        return self._client


def connect(address: str) -> Client:
    """Connect to a scheduler whose workers all have this version of the program.

    Raises MissingResource without Dask, InputError if nothing answers or a worker is unfit.
    """
    try:
        import distributed
    except ImportError:
        raise MissingResource(
            "Scoring on a cluster needs Dask, which is not installed: pip install 'pyramidion[cluster]'."
        ) from None
    try:
        client = cast(Client, distributed.Client)(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`, and workers "
            f"with `dask worker {address}`, then try again."
        ) from error
    try:
        _check_workers(client, address)
    except BaseException:
        client.close()
        raise
    return client


def _check_workers(client: Client, address: str) -> None:
    versions = client.run(_version, on_error="return")
    unfit = {name: answer for name, answer in versions.items() if answer != _version()}
    if not versions:
        raise InputError(f"The scheduler at {address} has no workers. Start some: `dask worker {address}`.")
    if unfit:
        name, answer = next(iter(unfit.items()))
        raise InputError(
            f"{len(unfit)} of {len(versions)} workers of {address} cannot score for Pyramidion {_version()}; "
            f"{name} says: {answer}. Install the same version there."
        )


def _version() -> str:
    return version("pyramidion")


_mine = threading.local()
"""In a worker: each thread's resources by corpus, for words are numbered as they come."""


def _do_there(task: Task, shared: tuple[ReferenceCorpus, AllowedByKind], key: str) -> list[TaskResult]:
    corpus, allowed = shared
    if getattr(_mine, "key", None) != key:
        allowed_names().restore(allowed)
        _mine.key, _mine.resources = key, StudyResources(corpus=corpus.references)
    return run_task(task, _mine.resources)
