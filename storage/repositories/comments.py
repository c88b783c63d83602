"""Comments of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from core.domain.comments import MAX_CHARS, Comment, CommentSubject
from core.domain.name_checks import storable_text
from core.domain.pyramid import new_id
from core.errors import InputError
from core.ports import EditReceipt
from storage.database.schema import CommentRow
from storage.database.writer import WriteResult
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.repository import Repository, read, write

_SUBJECT = ("topic_id", "summary_id", "unit_id", "scale_id")


def all_comments(connection: Connection, topic_id: str = "") -> list[Comment]:
    """Return every comment, or those on a topic, in the order of time."""
    columns = [getattr(CommentRow, name) for name in ("id", *_SUBJECT)]
    others = CommentRow.annotator_id, CommentRow.text, CommentRow.resolves, CommentRow.written_at
    query = select(*columns, *others).where(~CommentRow.is_deleted)
    if topic_id:
        query = query.where(CommentRow.topic_id == topic_id)
    rows = connection.execute(query.order_by(CommentRow.written_at, CommentRow.id))
    return [
        Comment(
            row.id,
            CommentSubject(row.topic_id, row.summary_id, row.unit_id, row.scale_id),
            row.annotator_id,
            row.text,
            row.resolves,
            row.written_at,
        )
        for row in rows
    ]


def add(
    connection: Connection, subject: CommentSubject, annotator_id: str, text: str, *, resolves: bool = False
) -> WriteResult[EditReceipt]:
    """Add a comment as one edit. Raises InputError for an empty or a very long text."""
    words = storable_text(text).strip()
    if not words and not resolves:
        raise InputError("A comment needs a text; type one.")
    if len(words) > MAX_CHARS:
        raise InputError(f"A comment has at most {MAX_CHARS:,} characters; this one has {len(words):,}.")
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    comment = Comment(new_id(), subject, annotator_id, words, resolves, at)
    header = EditHeader("resolve comments" if resolves else "comment", annotator_id, subject.topic_id)
    return edit_log.record(connection, header, row_edits([comment], ()))


def remove(connection: Connection, comment_id: str, annotator_id: str) -> WriteResult[EditReceipt]:
    """Remove an annotator's own comment as one edit. Raises InputError for another's or a missing one."""
    comment = next((one for one in all_comments(connection) if one.id == comment_id), None)
    if comment is None or comment.annotator_id != annotator_id:
        raise InputError("Only its author can remove a comment.")
    header = EditHeader("remove comment", annotator_id, comment.subject.topic_id)
    return edit_log.record(connection, header, row_edits((), [comment]))


def row_edits(added: Sequence[Comment], removed: Sequence[Comment]) -> list[RowEdit]:
    """Return the edits that add and remove comments."""
    edits = [RowEdit("comments", one.id, None, _row(one)) for one in added]
    return edits + [RowEdit("comments", one.id, _row(one), None) for one in removed]


def _row(comment: Comment) -> Row:
    subject = {name: getattr(comment.subject, name) for name in _SUBJECT}
    return {
        **subject,
        "annotator_id": comment.annotator_id,
        "text": comment.text,
        "resolves": comment.resolves,
        "written_at": comment.written_at,
    }


class Comments(Repository):
    """Comments of annotators on items of the study; implements `CommentStore`."""

    all = read(all_comments)
    add = write(add)
    remove = write(remove)
