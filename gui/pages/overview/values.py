"""Values that the Overview page displays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """One step of the workflow.

    page: key of the page for this step.
    done, total: progress, in items.
    action: label of the button that opens the page.
    """

    page: str
    title: str
    fact: str
    done: int
    total: int
    action: str


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """A metric configuration with scores. topics: number of scored topics, of `of_topics`."""

    metric: str
    measures: str
    topics: int
    of_topics: int
    signature: str


@dataclass(frozen=True, slots=True)
class RecentEdit:
    """A recent edit, or several similar ones in a row."""

    annotator: str
    description: str
    time: str
