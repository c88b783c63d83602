"""Protocol for pyramids and matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.pyramid import TopicAnnotation
from core.ports.changes import EditReceipt


class PyramidStore(Protocol):
    """Pyramids and the matches against them, of one kind of content unit."""

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid of a topic with all matches against it, empty if none is begun."""
        ...

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        """Yield all pyramids with their matches, or those of some topics, in topic order."""
        ...

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid with all matches as they were directly after an edit.

        The edit may be undone since. Raises InputError if it is not in the study.
        """
        ...

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[EditReceipt]:
        """Write the difference of two values as one edit.

        details: JSON stored with it, e.g. the accepted suggestion.
        The Future raises EditConflict if a row that the edit changes is no longer as in `before`.
        """
        ...
