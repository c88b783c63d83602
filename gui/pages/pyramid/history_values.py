"""What the history of a pyramid shows."""

from __future__ import annotations

from dataclasses import dataclass

PYRAMID, SCU = "pyramid", "scu"
"""Whose history is listed: all of the pyramid, or the selected SCU's."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """An edit: who, what, when. is_shown: the page shows what it left."""

    edit_id: str
    day: str
    when: str
    who: str
    what: str
    is_undone: bool = False
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class HistoryPreview:
    """An earlier state that a page shows. sentence: which one, and what restoring it would change."""

    sentence: str
    can_restore: bool = True
