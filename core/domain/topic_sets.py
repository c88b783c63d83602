"""Initial and update topics of the same subject, as in TAC."""

from __future__ import annotations

INITIAL, UPDATE = "initial", "update"
SET_LETTERS = {INITIAL: "a", UPDATE: "b"}
"""TAC's letters for sets of topics."""
_SEPARATORS = "-_. "


def subject_of(topic: str, set_name: str, letter: str = "") -> str:
    """Return a topic's name without its set; the whole name if it does not contain the set.

    The set is at the end or the start, next to a separator: D0801-A, storm_update, initial.12.
    """
    for mark in (set_name, letter):
        size, low = len(mark), topic.lower()
        if not mark or len(topic) <= size + 1:
            continue
        if low.endswith(mark.lower()) and topic[-size - 1] in _SEPARATORS:
            return topic[:-size].rstrip(_SEPARATORS) or topic
        if low.startswith(mark.lower()) and topic[size] in _SEPARATORS:
            return topic[size:].lstrip(_SEPARATORS) or topic
    return topic
