"""Protocol for ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.ratings import Dimension, MarkedSpan, Rating, RatingCube, RatingNote
from core.ports.changes import EditReceipt


class RatingStore(Protocol):
    """Rating scales, and ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        """Return every scale, in the study's order."""
        ...

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        """Return the scale of that name, created if new as an edit of the annotator."""
        ...

    def edit_dimensions(
        self, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str | None
    ) -> Future[EditReceipt]:
        """Write the difference of two lists of all scales, including their order, as one edit.

        A removed scale is removed with its ratings. The Future raises InputError if a scale is not valid or
        ratings would be outside its range, EditConflict if a scale is no longer as in `before`.
        """
        ...

    def counts(self) -> Mapping[str, Mapping[float, int]]:
        """Return the number of ratings per value, by scale id; scales without ratings are left out."""
        ...

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
        note: str | None = None,
        is_flagged: bool | None = None,
        spans: Sequence[MarkedSpan] | None = None,
        details: str = "",
    ) -> Future[EditReceipt]:
        """Set a rating as one edit. value: None = not rated. note, is_flagged, spans: None = as before.

        details: JSON stored with the edit.

        A rating without value, note and flag is removed. On a scale that asks for words the note is the
        answer, and the value follows from it; on one that asks for spans it follows from them.
        """
        ...

    def notes(self) -> Sequence[RatingNote]:
        """Return all ratings with a note, a flag or marked spans."""
        ...

    def of_topic(self, topic_id: str) -> Sequence[Rating]:
        """Return all ratings of a topic's summaries."""
        ...

    def cube(self, dimension: str) -> RatingCube:
        """Return all ratings on one dimension."""
        ...
