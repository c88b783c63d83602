"""Progress and cancellation of long jobs.

The cancellation check is a ContextVar, not an argument: it is called deep inside encoders, hashing and
numeric loops, which know nothing of jobs, and jobs in different threads must not stop each other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from core.errors import Interrupted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a long job, which yields one after each step at which it can be stopped.

    done, total: steps, or any unit that grows evenly with time (total 0 = unknown).
    note: current activity, for display.
    seconds_left: an estimate, None = unknown.
    """

    done: float
    total: float
    note: str = ""
    seconds_left: float | None = None


JobSteps = Generator[Progress, None, T]
"""A long job: yields Progress and returns its result. Closing it stops it and keeps all finished work."""


class Cancelled(Exception):
    """Raised inside a long step of a job that was cancelled; the job's runner catches it."""


_is_to_stop: ContextVar[Callable[[], bool]] = ContextVar("is_to_stop", default=lambda: False)


@contextmanager
def cancellable(is_to_stop: Callable[[], bool]) -> Iterator[None]:
    """Let long steps of the job in this thread check whether they were cancelled."""
    before = _is_to_stop.set(is_to_stop)
    try:
        yield
    finally:
        _is_to_stop.reset(before)


def raise_if_cancelled() -> None:
    """Raise Cancelled if the job was cancelled. Steps that take seconds call this between parts."""
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


def run_with_progress(steps: JobSteps[T], title: str, left: str = "Completed work is saved.") -> T:
    """Run a job with a progress bar on standard error if that is a terminal.

    left: what remains after an interruption, as a sentence.
    Raises Interrupted on Ctrl+C, after closing the job.
    """
    try:
        return _with_bar(steps, title) if sys.stderr.isatty() else run_to_completion(steps)
    except KeyboardInterrupt:
        raise Interrupted(f"Interrupted. {left}") from None
    finally:
        steps.close()


def _with_bar(steps: JobSteps[T], title: str) -> T:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    fields = TextColumn("{task.fields[note]}")
    columns = (TextColumn("{task.description}"), BarColumn(), fields, TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None, note="")

        def watched() -> JobSteps[T]:
            try:
                while True:
                    step = next(steps)
                    bars.update(task, completed=step.done, total=step.total or None, note=_note(step))
                    yield step
            except StopIteration as end:
                result: T = end.value
                return result

        return run_to_completion(watched())


def _note(step: Progress) -> str:
    if step.seconds_left is None:
        return step.note
    minutes, seconds = divmod(int(step.seconds_left), 60)
    return f"{step.note} · {minutes}:{seconds:02} left"
