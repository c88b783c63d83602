"""What annotators rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.ratings import Dimension, Rating, RatingCube
from core.ports.changes import EditReceipt


class RatingStore(Protocol):
    """Ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        """Every scale, in the study's order."""
        ...

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        """The scale of that name, made if new, as an edit of the annotator."""
        ...

    def edit_dimensions(
        self, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str
    ) -> Future[EditReceipt]:
        """Write the difference of two lists of all scales, their order included, as one edit.

        A scale that goes takes its ratings with it. The Future raises InputError where a scale is not valid
        or ratings would lie outside its range, EditConflict where one is not as in `before` any more.
        """
        ...

    def rating_counts(self) -> Mapping[str, Mapping[float, int]]:
        """The number of ratings per value, by scale id; scales without ratings are left out."""
        ...

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
    ) -> Future[EditReceipt]:
        """Set a rating (None takes it back) as one edit."""
        ...

    def ratings(self, topic_id: str) -> Sequence[Rating]:
        """All ratings of a topic's summaries."""
        ...

    def ratings_array(self, dimension: str) -> RatingCube:
        """All ratings on one dimension."""
        ...
