"""Benchmarks: `python -m tests.benchmarks`. The tests run them at their smallest size."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TypeVar

T = TypeVar("T")

SIZE_VARIABLE = "PYRAMIDION_BENCHMARK_SIZE"
"""An environment variable, so that the processes that a benchmark starts have the size too."""


def sized(full: T, smallest: T) -> T:
    """Return `full`, or `smallest` under ``python -m tests.benchmarks --smallest``."""
    return smallest if os.environ.get(SIZE_VARIABLE) == "smallest" else full


def apart(function: Callable[..., T], *arguments: object) -> T:
    """Return the result of a function that a new process runs, at the smallest size a copy of this one."""
    start = sized("spawn", "fork" if hasattr(os, "fork") else "spawn")
    with ProcessPoolExecutor(1, multiprocessing.get_context(start)) as process:
        return process.submit(partial(function, *arguments)).result()
