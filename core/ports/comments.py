"""Protocol for comments."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.comments import Comment, CommentSubject
from core.ports.changes import EditReceipt


class CommentStore(Protocol):
    """Comments of annotators on items of the study."""

    def all(self) -> Sequence[Comment]:
        """Return every comment, in the order of time."""
        ...

    def add(
        self, subject: CommentSubject, annotator_id: str, text: str, *, resolves: bool = False
    ) -> Future[EditReceipt]:
        """Add a comment as one edit. The Future raises InputError for an empty text that resolves nothing."""
        ...

    def remove(self, comment_id: str, annotator_id: str) -> Future[EditReceipt]:
        """Remove an annotator's own comment as one edit. The Future raises InputError for another's."""
        ...
