"""Python processes on this machine: they end with the process that started them, however that ended.

They import nothing from the current folder. `multiprocessing` starts Python by ``-c``, which looks there
first, and a study may have come in a folder with a file `multiprocessing.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

_FLAGS = "_args_from_interpreter_flags"
_flags_of_python: Callable[[], list[str]] = getattr(subprocess, _FLAGS)


def isolate_processes() -> None:
    """Let processes that `multiprocessing` starts, also for other packages, not import from this folder."""
    for module in (subprocess, sys.modules.get("multiprocessing.util")):  # which imports it from there
        if module is not None:
            setattr(module, _FLAGS, _flags)


def worker_pool(
    count: int, begin: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> ProcessPoolExecutor:
    """Return a pool of fresh processes, none of which outlives this one.

    begin, arguments: called in each process first.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    isolate_processes()
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    return ProcessPoolExecutor(count, context, _begin, (begin, arguments))


def _flags() -> list[str]:
    """Return the options of Python with which `multiprocessing` starts processes."""
    is_safe = sys.flags.safe_path or getattr(sys, "frozen", False)
    return [*_flags_of_python(), *(() if is_safe else ("-P",))]


def _begin(begin: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """End this process when the one that started it is gone: killed, it cannot end its workers itself."""
    import multiprocessing

    isolate_processes()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _exit_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
