"""Results of writes to a study."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ChangeKind(StrEnum):
    """Kind of content that a write changes."""

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
    """Changes of a write; each listener decides whether it is concerned.

    topics: ids, empty = any.
    is_external: made by another process.
    """

    kinds: frozenset[ChangeKind]
    topics: frozenset[str] = frozenset()
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class EditReceipt:
    """An edit that is on disk."""

    edit_id: str
    verb: str
    at: datetime
    changes: ChangeSet
    topic_id: str | None = None
