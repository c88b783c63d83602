"""Pyramids and matches, each edit of them, and the way back."""

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
    """One line of the history.

    active_seconds: time at work since the edit before, idle left out. what: what it changed, in words.
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
        """An annotator's pyramid of a topic with everybody's matches on it, empty where none is begun."""
        ...

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        """Every pyramid with its matches, or those of some topics, topics in order."""
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
        """Write the difference of two values as one edit. The Future raises EditConflict where a row that it
        touches is not as in `before` any more. details: JSON kept with it, as the suggestion it took."""
        ...

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        """Put into the history what changed no row, as a dismissed suggestion; undo and redo pass over it."""
        ...

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        """The details of an annotator's entries of that verb on a topic, oldest first."""
        ...

    def undo(self, annotator_id: str) -> Future[EditReceipt]:
        """Take back an annotator's last edit that is not undone, whatever page made it. Raises EditConflict
        where somebody changed its rows since, InputError where nothing is left."""
        ...

    def redo(self, annotator_id: str) -> Future[EditReceipt]:
        """Do the annotator's last undone edit again, unless a newer edit followed."""
        ...

    def undo_labels(self, annotator_id: str) -> tuple[str, str]:
        """The verbs of the edits that undo and redo would touch, empty = none."""
        ...

    def seconds_worked(self, annotator_id: str, verbs: Collection[str]) -> Mapping[str, float]:
        """Topic id to the active time that an annotator's edits of these verbs took, undone ones too."""
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
        """Edits, newest first.

        pyramid_id, scu_id: those alone that touch it. before: those older than this edit. moves: undoing and
        doing again are listed as entries too. Raises InputError where `before` is not in the study.
        """
        ...

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        """An annotator's pyramid with everybody's matches as an edit left them, be it undone since or not.

        Raises InputError where the edit is not in the study.
        """
        ...
