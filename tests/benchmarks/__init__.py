"""Benchmarks: `python -m tests.benchmarks`. The tests run them at their smallest size."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

SIZE_VARIABLE = "PYRAMIDION_BENCHMARK_SIZE"
"""An environment variable, so that the processes that a benchmark starts have the size too."""


def sized(full: T, smallest: T) -> T:
    """Return `full`, or `smallest` under ``python -m tests.benchmarks --smallest``."""
    return smallest if os.environ.get(SIZE_VARIABLE) == "smallest" else full
