"""What a long job tells about itself."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long job is; a job yields one after each step that it could be stopped at.

    done, total: steps, or any unit that grows evenly with time (total 0 = not known).
    note: what is being done, for people. seconds_left: an estimate, None = not known yet.
    """

    done: float
    total: float
    note: str = ""
    seconds_left: float | None = None


Steps = Generator[Progress, None, T]
"""A long job: yields Progress, returns its result; closing it stops it and loses nothing that is done."""


def run(steps: Steps[T]) -> T:
    """Run a job to its end and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
