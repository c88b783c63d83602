"""Protocol for the edit history, undo and redo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

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


class EditStore(Protocol):
    """History of a study's edits."""

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

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        """Add an entry that changes no row, e.g. a dismissed suggestion. Undo and redo skip it."""
        ...

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        """Return the details of an annotator's entries of a verb on a topic, oldest first."""
        ...

    def seconds_worked(self, annotator_id: str, verbs: Collection[str] | None = None) -> Mapping[str, float]:
        """Return the active time of an annotator's edits of these verbs, None = all, by topic id.

        Undone edits are included.
        """
        ...
