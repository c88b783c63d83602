"""Edits and earlier states in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from core.domain.pyramid.restore import RestoreEffect
from core.ports import EditRecord
from gui.pages.pyramid.history_values import HistoryRow

NO_CHANGE = "It is the same now."
_MANY = {"SCU": "SCUs", "match": "matches"}
_MARKS: Sequence[tuple[str, Callable[[RestoreEffect], bool]]] = (
    ("SCUs change places", lambda outcome: outcome.is_reordered),
    ("the mark “done” changes", lambda outcome: outcome.is_marked),
)


def history_line(record: EditRecord, now: datetime, shown: str) -> HistoryRow:
    """A line of the history. shown: the id of the edit whose outcome the page shows."""
    at = record.at.astimezone()
    return HistoryRow(
        record.edit_id,
        day_of(at, now),
        f"{at:%H:%M}",
        record.annotator or "Import",
        record.what,
        record.is_undone,
        record.edit_id == shown,
    )


def day_of(at: datetime, now: datetime) -> str:
    """The heading of a day: today, yesterday, a date; the year where it is another one."""
    days = (now.date() - at.date()).days
    if days in (0, 1):
        return ("Today", "Yesterday")[days]
    return f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"


def past_sentence(record: EditRecord, outcome: RestoreEffect) -> str:
    """Which state is shown, and what restoring it would do."""
    at = record.at.astimezone()
    who = record.annotator or "an import"
    when = f"{at.day} {at:%B %Y} at {at:%H:%M}"
    return f"As it was on {when}, after this edit by {who}: {record.what}. {outcome_sentence(outcome)}"


def outcome_sentence(outcome: RestoreEffect) -> str:
    """What restoring would change: SCUs, the mark, then everybody's matches."""
    if outcome == RestoreEffect():
        return NO_CHANGE
    scus = _counted(
        "SCU",
        (outcome.scus_back, "comes back", "come back"),
        (outcome.scus_gone, "goes", "go"),
        (outcome.scus_changed, "changes", "change"),
    )
    marks = [words for words, holds in _MARKS if holds(outcome)]
    matches = _counted(
        "match",
        (outcome.matches_back, "comes back", "come back"),
        (outcome.matches_gone, "goes", "go"),
        (outcome.matches_moved, "moves to its former SCU", "move to their former SCUs"),
    )
    return f"Restoring: {', '.join([*scus, *marks])}; {', '.join(matches) or 'no match is affected'}."


def _counted(thing: str, *counts: tuple[int, str, str]) -> list[str]:
    return [
        f"1 {thing} {does}" if count == 1 else f"{count} {_MANY[thing]} {do}"
        for count, does, do in counts
        if count
    ]
