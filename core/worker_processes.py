"""Pools of processes on this machine that end with the process that started them, however that ended."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Any


def worker_pool(
    count: int, begin: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> ProcessPoolExecutor:
    """Return a pool of fresh processes, none of which outlives this one.

    begin, arguments: called in each process first.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    return ProcessPoolExecutor(count, context, _begin, (begin, arguments))


def _begin(begin: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """End this process when the one that started it is gone: killed, it cannot end its workers itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
