"""Independent tasks on all processors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from os import cpu_count
from threading import Lock
from typing import TYPE_CHECKING

from core.progress import JobSteps, Progress

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


def map_threads(tasks: Sequence[Callable[[], None]], note: str) -> JobSteps[None]:
    """Run tasks that release the GIL, with progress; closing drops the tasks that have not begun.

    The first runs alone: it compiles the loops that the others use.
    """
    workers = ThreadPoolExecutor(cpu_count() or 1, thread_name_prefix="statistics")
    try:
        with _undivided_products():
            for task in tasks[:1]:
                task()
                yield Progress(1, len(tasks), note)
            running: list[Future[None]] = [workers.submit(task) for task in tasks[1:]]
            for done, begun in enumerate(running, start=2):
                begun.result()
                yield Progress(done, len(tasks), note)
    finally:
        workers.shutdown(wait=True, cancel_futures=True)


class _Limit:
    """Shared limit on the threads of matrix products, set by the first user and released by the last."""

    lock = Lock()
    inside = 0
    stack = ExitStack()


@contextmanager
def _undivided_products() -> Iterator[None]:
    """Use one thread per matrix product, since nested threads would wait for each other."""
    with _Limit.lock:
        if _Limit.inside == 0:
            libraries = _libraries(has_scipys="scipy.linalg" in sys.modules)
            _Limit.stack.enter_context(libraries.limit(limits=1, user_api="blas"))
        _Limit.inside += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.inside -= 1
            if _Limit.inside == 0:
                _Limit.stack.close()


@cache
def _libraries(*, has_scipys: bool) -> ThreadpoolController:
    """Find numpy's library of matrix products, and scipy's if it is loaded; setting a limit is fast then."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
