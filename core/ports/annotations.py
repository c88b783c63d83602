"""Protocol for pyramids, matches and their edit history."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.domain.pyramid import TopicAnnotation
from core.ports.changes import EditReceipt


@dataclass(frozen=True, slots=True)
class EditRecord:
    """One entry of the history.

    active_seconds: active time since the previous edit, without idle time.
    what: description of the change.
    """

    edit_id: str
    verb: str
    annotator: str
    at: datetime
    topic_id: str | None
    active_seconds: float
    is_undone: bool
    what: str = ""


class AnnotationStore(Protocol):
    """Pyramids, matches and their history."""

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid of a topic with all matches against it, empty if none is begun."""
        ...

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        """Yield all pyramids with their matches, or those of some topics, in topic order."""
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

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        """Add an entry that changes no row, e.g. a dismissed suggestion. Undo and redo skip it."""
        ...

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        """Return the details of an annotator's entries of a verb on a topic, oldest first."""
        ...

    def undo(self, annotator_id: str) -> Future[EditReceipt]:
        """Undo an annotator's last edit that is not undone, from any page.

        Raises EditConflict if somebody changed its rows since, InputError if nothing is left to undo.
        """
        ...

    def redo(self, annotator_id: str) -> Future[EditReceipt]:
        """Redo the annotator's last undone edit, unless a newer edit followed."""
        ...

    def undo_labels(self, annotator_id: str) -> tuple[str, str]:
        """Return the verbs of the edits that undo and redo would affect, empty = none."""
        ...

    def seconds_worked(self, annotator_id: str, verbs: Collection[str]) -> Mapping[str, float]:
        """Return the active time of an annotator's edits of these verbs, by topic id.

        Undone edits are included.
        """
        ...

    def history(
        self,
        topic_id: str | None = None,
        limit: int = 200,
        *,
        pyramid_id: str = "",
        scu_id: str = "",
        before: str = "",
        moves: bool = False,
    ) -> Sequence[EditRecord]:
        """Return edits, newest first.

        pyramid_id, scu_id: only edits of these.
        before: only edits older than this one.
        moves: include undo and redo as entries.
        Raises InputError if `before` is not in the study.
        """
        ...

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid with all matches as they were directly after an edit.

        The edit may be undone since. Raises InputError if it is not in the study.
        """
        ...
