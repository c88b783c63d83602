"""Values of the tab Progress of the team."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator. role: may be empty. has_work: they cannot be removed, only set inactive."""

    role: str
    has_work: bool
    is_inactive: bool
