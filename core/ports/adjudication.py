"""Protocol for adjudication."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from core.domain.decisions import Decision
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import MarkedSpan
from core.ports.changes import EditReceipt


@dataclass(frozen=True, slots=True)
class NewRatingValue:
    """A rating to store; value: None = it is removed. spans: of a scale that asks for them."""

    summary_id: str
    dimension_id: str
    value: float | None
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class AdjudicationEdit:
    """What one step of an adjudication changes in a topic.

    annotator_id: whose annotation the result is.
    annotations: values before and after, of one or several pyramids.
    decisions: new ones, which replace earlier ones on the same items.
    """

    topic_id: str
    annotator_id: str
    verb: str
    ratings: tuple[NewRatingValue, ...] = ()
    annotations: tuple[tuple[TopicAnnotation, TopicAnnotation], ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether it changes nothing."""
        return not (self.ratings or self.annotations or self.decisions)


class AdjudicationStore(Protocol):
    """Decisions of adjudicators."""

    def decisions(self, topic_id: str) -> Sequence[Decision]:
        """Return the decisions on a topic, in the order of time."""
        ...

    def commit(
        self, edit: AdjudicationEdit, annotator_id: str, active_seconds: float = 0.0
    ) -> Future[EditReceipt]:
        """Write a step as one edit of the adjudicator, who can undo it.

        annotator_id: the adjudicator's. The Future raises EditConflict if a pyramid is no longer as it was.
        """
        ...
