"""What annotators rated."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.ratings import Dimension, Rating, RatingCube
from core.ports.changes import Receipt


class RatingStore(Protocol):
    """Ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        """Every scale, by name."""
        ...

    def add_dimension(self, name: str, low: float = 1.0, high: float = 5.0) -> Dimension:
        """The scale of that name, made if new."""
        ...

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
    ) -> Future[Receipt]:
        """Set a rating (None takes it back) as one edit."""
        ...

    def ratings(self, topic_id: str) -> Sequence[Rating]:
        """All ratings of a topic's summaries."""
        ...

    def rating_cube(self, dimension: str) -> RatingCube:
        """All ratings on one dimension."""
        ...
