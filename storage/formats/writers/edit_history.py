"""Export of the edit history: annotator, edit, time, duration and undo status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.ports import EditRecord, Study
from storage.formats.format_types import Export

COLUMNS = ("at", "annotator", "topic", "verb", "what", "active_seconds", "undone", "edit")
_AT_ONCE = 500


def records(study: Study) -> Iterator[Mapping[str, Any]]:
    """Yield one record per edit, oldest first, including undo and redo."""
    topics = {head.id: head.name for head in study.texts.topics()}
    for edit in reversed(_every_edit(study)):
        yield {
            "at": edit.at.isoformat(),
            "annotator": edit.annotator,
            "topic": topics.get(edit.topic_id or "", ""),
            "verb": edit.verb,
            "what": edit.what,
            "active_seconds": round(edit.active_seconds, 3),
            "undone": "yes" if edit.is_undone else "no",
            "edit": edit.edit_id,
        }


def _every_edit(study: Study) -> list[EditRecord]:
    """Yield all edits, newest first, in small batches because the changes of an edit can be large."""
    records: list[EditRecord] = []
    while page := study.edits.history(
        limit=_AT_ONCE, before=records[-1].edit_id if records else "", moves=True
    ):
        records += page
    return records


EXPORT = Export("history", "csv", ".csv", "Edit history: one row per edit, oldest first.", records, COLUMNS)
