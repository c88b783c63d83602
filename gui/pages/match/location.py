"""What is in front on the page of matches, and what edits there are called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(slots=True)
class MatchLocation:
    """The summary, the selected SCU and the selected unit of the summary (a match); empty = none."""

    summary_id: str = ""
    scu_id: str = ""
    match_id: str = ""


class EditName(StrEnum):
    """The edits of the page as the history names them; the time spent on them is time spent on matching."""

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
    TAKE_FLAG_OFF = "take flag off"
    DONE = "mark summary done"
    REOPEN = "reopen summary"
    NOTE = "note on a summary"
    TAKE_MATCH = "take suggestion: match"
    TAKE_UNIT = "take suggestion: add unit"
