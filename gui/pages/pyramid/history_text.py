"""Texts of the history: entries, days, and the effect of restoring a version."""

from __future__ import annotations

from datetime import datetime

from core.domain.pyramid import UnitKind
from core.domain.pyramid.restore import RestoreEffect
from core.formatting.numbers import pluralize
from core.formatting.unit_terms import in_terms_of
from core.ports import EditRecord
from gui.pages.pyramid.values import HistoryRow

NO_CHANGE = "It is identical to the current version."


def history_row(record: EditRecord, now: datetime, current: str) -> HistoryRow:
    """Return an entry of the history. current: id of the edit after which the pyramid is displayed."""
    at = record.at.astimezone()
    return HistoryRow(
        record.edit_id,
        day_of(at, now),
        f"{at:%H:%M}",
        record.annotator or "Import",
        record.what,
        record.is_undone,
        record.edit_id == current,
    )


def day_of(at: datetime, now: datetime) -> str:
    """Return the heading of a day: Today, Yesterday or a date, with the year unless it is the current one."""
    days = (now.date() - at.date()).days
    if days in (0, 1):
        return ("Today", "Yesterday")[days]
    return f"{at.day} {at:%B}" if at.year == now.year else f"{at.day} {at:%B %Y}"


def preview_sentence(record: EditRecord, effect: RestoreEffect, kind: UnitKind = UnitKind.SCU) -> str:
    """Describe the displayed version and what restoring it would change."""
    at = record.at.astimezone()
    who = record.annotator or "an import"
    when = f"{at.day} {at:%B %Y} at {at:%H:%M}"
    return f"Version of {when}, after this edit by {who}: {record.what}. {effect_sentence(effect, kind)}"


def effect_sentence(effect: RestoreEffect, kind: UnitKind = UnitKind.SCU) -> str:
    """Describe what restoring would change: SCUs, their order, the “done” mark, and all matches."""
    if effect == RestoreEffect():
        return NO_CHANGE
    pyramid = [
        *_counts("SCU", "SCUs", adds=effect.scus_back, removes=effect.scus_gone, changes=effect.scus_changed),
        *(["reorders SCUs"] if effect.is_reordered else []),
        *(["changes the “done” mark"] if effect.is_marked else []),
    ]
    matches = [
        *_counts("match", "matches", adds=effect.matches_back, removes=effect.matches_gone),
        *(f"{text} to former SCUs" for text in _counts("match", "matches", moves=effect.matches_moved)),
    ]
    clauses = (", ".join(pyramid), ", ".join(matches) or "matches are unaffected")
    return in_terms_of(kind, f"Restoring {'; '.join(clause for clause in clauses if clause)}.")


def _counts(thing: str, things: str, **counts: int) -> list[str]:
    return [f"{verb} {pluralize(count, thing, things)}" for verb, count in counts.items() if count]
