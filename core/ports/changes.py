"""Results of writes to a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class ChangeKind(StrEnum):
    """Kind of content that a write changes.

    NUGGETS comes with PYRAMIDS or MATCHES: the changed content units or matches are nuggets or their hits.
    """

    TEXTS = "texts"
    PYRAMIDS = "pyramids"
    MATCHES = "matches"
    NUGGETS = "nuggets"
    RATINGS = "ratings"
    DECISIONS = "decisions"
    COMPARISONS = "comparisons"
    COMMENTS = "comments"
    SCORES = "scores"
    EXPERIMENTS = "experiments"
    PEOPLE = "people"
    SETTINGS = "settings"


ANNOTATION_CHANGES = frozenset(ChangeKind) - {
    ChangeKind.COMMENTS,
    ChangeKind.SCORES,
    ChangeKind.EXPERIMENTS,
    ChangeKind.SETTINGS,
}
"""Changes on which it depends how far annotators differ."""

SCORED_CHANGES = ANNOTATION_CHANGES | {ChangeKind.SCORES}
"""Changes on which it depends how scores and judgements compare."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Changes of a write; each listener decides whether it is concerned.

    topics: ids, empty = any.
    is_external: made by another process or by a merge, so that open pages must read again.
    undo_labels: annotator id to the verbs of the edits that undo and redo affect now, empty = none; only
        for who edited.
    """

    kinds: frozenset[ChangeKind]
    topics: frozenset[str] = frozenset()
    is_external: bool = False
    undo_labels: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EditPlace:
    """What an edit changed besides its topic, by id; empty = nothing of that kind, or several of it."""

    summary_id: str = ""
    scu_id: str = ""
    comparison_id: str = ""
    dimension_id: str = ""


@dataclass(frozen=True, slots=True)
class EditReceipt:
    """An edit that is on disk.

    what: description of the edit that was undone or redone; empty for a new edit.
    place: what was undone or redone, as it is now: a removed content unit is left out.
    """

    edit_id: str
    verb: str
    at: datetime
    changes: ChangeSet
    topic_id: str | None = None
    what: str = ""
    place: EditPlace = EditPlace()
