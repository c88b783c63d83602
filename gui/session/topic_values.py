"""Entries of the list of topics."""

from __future__ import annotations

from dataclasses import dataclass

NOT_STARTED, IN_PROGRESS, DONE = "Not started", "In progress", "Done"


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """A topic in the list of topics.

    state: progress of the page's work on it; empty = unknown.
    """

    id: str
    name: str
    title: str
    state: str = ""


def state_text(done: int, total: int, *, is_begun: bool = False) -> str:
    """Return the state of work with `done` of `total` parts finished."""
    if done >= total > 0:
        return DONE
    if done:
        return f"{IN_PROGRESS} ({done} of {total})"
    return IN_PROGRESS if is_begun else NOT_STARTED
