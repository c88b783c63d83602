"""Comments of annotators on items of a study, as threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

MAX_CHARS = 10_000


@dataclass(frozen=True, slots=True)
class CommentSubject:
    """What a comment is on: a topic, one of its summaries, a content unit, or a rating of a summary.

    summary_id, unit_id, scale_id: empty = not about one.
    """

    topic_id: str
    summary_id: str = ""
    unit_id: str = ""
    scale_id: str = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment. resolves: it ends the thread, until somebody comments again.

    written_at: ISO time in UTC.
    """

    id: str
    subject: CommentSubject
    annotator_id: str
    text: str
    resolves: bool
    written_at: str


@dataclass(frozen=True, slots=True)
class Thread:
    """All comments on one subject, oldest first."""

    subject: CommentSubject
    comments: tuple[Comment, ...]

    @property
    def is_open(self) -> bool:
        """Whether the last comment does not resolve the thread."""
        return bool(self.comments) and not self.comments[-1].resolves


def threads(comments: Iterable[Comment]) -> list[Thread]:
    """Return the threads of comments, the one with the latest comment first."""
    by_subject: dict[CommentSubject, list[Comment]] = defaultdict(list)
    for comment in comments:
        by_subject[comment.subject].append(comment)
    found = [
        Thread(subject, tuple(sorted(each, key=lambda one: (one.written_at, one.id))))
        for subject, each in by_subject.items()
    ]
    return sorted(found, key=lambda thread: thread.comments[-1].written_at, reverse=True)
