"""What a long job tells about itself."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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


JobSteps = Generator[Progress, None, T]
"""A long job: yields Progress, returns its result; closing it stops it and loses nothing that is done."""


class Cancelled(Exception):
    """Raised inside a long step of a job that is to stop; whoever runs the job takes it as its end."""


_is_to_stop: ContextVar[Callable[[], bool]] = ContextVar("is_to_stop", default=lambda: False)


@contextmanager
def cancellable(is_to_stop: Callable[[], bool]) -> Iterator[None]:
    """Let the long steps of this thread's job ask whether they are to stop."""
    before = _is_to_stop.set(is_to_stop)
    try:
        yield
    finally:
        _is_to_stop.reset(before)


def raise_if_cancelled() -> None:
    """What a step of seconds calls between its parts. Raises Interrupted where the job is to stop."""
    if _is_to_stop.get()():
        raise Cancelled


def run_to_completion(steps: JobSteps[T]) -> T:
    """Run a job to its end and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
