"""Current location on the Match page, and the names of its edits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(slots=True)
class MatchLocation:
    """Ids of the displayed summary, the selected SCU and the selected unit (a match); empty for none."""

    summary_id: str = ""
    scu_id: str = ""
    match_id: str = ""


class EditName(StrEnum):
    """Names of the edits as stored in the history. Their active time counts as time spent on matching."""

    MATCH = "match"
    MATCH_WITHOUT = "match without a span"
    MATCH_AGAIN = "match again"
    UNMATCH = "unmatch"
    ADD_UNIT = "add unit"
    REMOVE_UNIT = "remove unit"
    REASSIGN = "reassign unit"
    COMMENT = "comment on unit"
    REMOVE_PART = "remove part of a match"
    CHANGE_SPAN = "change span of a match"
    REPLACE_SPAN = "replace span of a match"
    FLAG = "flag summary"
    UNFLAG = "take flag off"
    DONE = "mark summary done"
    REOPEN = "reopen summary"
    NOTE = "note on a summary"
    ACCEPT_MATCH = "take suggestion: match"
    ACCEPT_UNIT = "take suggestion: add unit"
