"""Edits in words, for lists of what was done."""

from __future__ import annotations

from datetime import datetime

from core.ports import EditRecord
from gui.values.pyramid import DeedLine


def deed_line(record: EditRecord, now: datetime) -> DeedLine:
    """An edit: the time if it was today, else the day."""
    at = record.at.astimezone()
    when = f"{at:%H:%M}" if at.date() == now.date() else f"{at.day} {at:%b}"
    return DeedLine(record.annotator, record.verb[:1].upper() + record.verb[1:], when, record.is_undone)
