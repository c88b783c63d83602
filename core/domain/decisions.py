"""Decisions of an adjudicator on items that annotators annotated differently."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

ADJUDICATE = "adjudicate"
"""First word of the verbs of an adjudicator's edits; their details name whose annotation they change."""

RESULT_GROUP = "adjudication"
"""Group of the annotators whose work is the result of an adjudication; nobody works under their names."""

MACHINE_GROUP = "machine"
"""Group of the annotators whose work a program proposed; it counts only where they are named."""

IMPORTED_MACHINE_GROUP = f"{MACHINE_GROUP} (imported)"
"""Name that the group has in an import: what it says is the user's own, and its annotators count."""

DEFAULT_RESULT = "adjudicated"
"""Default name of such an annotator."""


class ProposalKind(StrEnum):
    """What a machine annotator proposes: pyramids with matches, nuggets with hits, or ratings."""

    PYRAMIDS = "pyramids"
    NUGGETS = "nuggets"
    RATINGS = "ratings"


class DecisionKind(StrEnum):
    """Kind of item that is decided on.

    RATING: one summary on one scale. MATCH: one SCU or nugget in one summary. UNIT: an SCU or nugget that one
    or two annotators have. PREFERENCE: one comparison of a plan.
    """

    RATING = "rating"
    MATCH = "match"
    UNIT = "unit"
    PREFERENCE = "preference"


class Choice(StrEnum):
    """What the adjudicator chose.

    ACCEPT: one annotator's version. BOTH: all versions together. NEITHER: none of them.
    VALUE: a value of the adjudicator's own. LATER: not decided yet.
    """

    ACCEPT = "accept"
    BOTH = "both"
    NEITHER = "neither"
    VALUE = "value"
    LATER = "later"


def choice_words(kind: DecisionKind, choice: Choice, source: str) -> str:
    """Return a choice in words. source: of the accepted version."""
    both = {DecisionKind.RATING: "the mean", DecisionKind.PREFERENCE: "tie"}.get(kind, "both")
    return {
        Choice.ACCEPT: f"accepted {source}",
        Choice.BOTH: both,
        Choice.NEITHER: "neither",
        Choice.VALUE: "another value",
        Choice.LATER: "deferred",
    }[choice]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on one item of a topic.

    annotator_id: whose annotation the result is.
    subject: id of the scale, SCU, nugget or comparison; of a unit that two annotators have both ids, with a
        blank between them.
    summary_id: empty for a unit of a pyramid and for a comparison.
    source: name of the annotator whose version was accepted, else empty.
    basis: JSON of what the annotators had, as it was decided on.
    decided_by: name. decided_at: ISO time in UTC.
    """

    topic_id: str
    annotator_id: str
    kind: DecisionKind
    subject: str
    summary_id: str
    choice: Choice
    source: str
    basis: str
    decided_by: str
    decided_at: str

    @property
    def words(self) -> str:
        """Return who decided what and when, in local time: ``Mia: accepted Ann · 2026-05-04 10:12``."""
        try:
            at = datetime.fromisoformat(self.decided_at).astimezone().strftime("%Y-%m-%d %H:%M")
        except ValueError:
            at = self.decided_at
        return f"{self.decided_by}: {choice_words(self.kind, self.choice, self.source)} · {at}"

    @property
    def id(self) -> str:
        """Return the id of its row; a new decision on the same item replaces it."""
        key = f"{self.topic_id} {self.annotator_id} {self.kind} {self.subject} {self.summary_id}"
        return hashlib.sha256(key.encode()).hexdigest()[:32]
