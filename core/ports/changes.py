"""What a write to a study answers: what it changed, and that it is on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ChangeKind(StrEnum):
    """What can change in a study."""

    TEXTS = "texts"
    PYRAMIDS = "pyramids"
    MATCHES = "matches"
    RATINGS = "ratings"
    SCORES = "scores"
    EXPERIMENTS = "experiments"
    PEOPLE = "people"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What a write changed; each screen decides alone whether that concerns it.

    topics: ids, empty = any. elsewhere: made by another process.
    """

    kinds: frozenset[ChangeKind]
    topics: frozenset[str] = frozenset()
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class EditReceipt:
    """An edit that is on the disk."""

    edit_id: str
    verb: str
    at: datetime
    changes: ChangeSet
    topic_id: str | None = None
