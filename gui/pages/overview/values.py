"""What the overview is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """One part of the work. done of total; page: where it is done; verb: on its button."""

    page: str
    title: str
    fact: str
    done: int
    total: int
    verb: str


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """A metric configuration with scores. topics: how many of `of_topics` it has scored."""

    metric: str
    measures: str
    topics: int
    of_topics: int
    signature: str


@dataclass(frozen=True, slots=True)
class RecentEdit:
    """One line of the history."""

    who: str
    what: str
    when: str
